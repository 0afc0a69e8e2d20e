// Draws the charts. Without it, or without plotly, the page shows the same numbers as tables.
(() => {
  "use strict";
  const language = document.documentElement.lang || "en";
  const board = document.querySelector(".board");
  const charts = [...document.querySelectorAll(".chart[data-figure]")];
  const tables = [...document.querySelectorAll(".panel details.chart-numbers")];
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // The browser knows how numbers and months are written; plotly brings English alone.
  const names = (kind, width, dates) => dates.map((date) => new Intl.DateTimeFormat(language, { [kind]: width, timeZone: "UTC" }).format(date));
  const speak = () => {
    if (language.startsWith("en")) return;
    const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 1)));
    const days = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, 7 + day)));
    window.Plotly.register({
      moduleType: "locale", name: language, dictionary: {},
      format: {
        months: names("month", "long", months), shortMonths: names("month", "short", months),
        days: names("weekday", "long", days), shortDays: names("weekday", "short", days), date: "%d/%m/%Y",
      },
    });
  };
  const dayFirst = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" }).formatToParts()[0].type === "day";
  const day = dayFirst ? "%-d %b" : "%b %-d";

  const coloured = (trace) => {
    const colour = style(`--tone-${(trace.meta || {}).tone || "first"}`);
    if (trace.type === "box") return { ...trace, fillcolor: `${colour}55`, line: { color: colour, width: 1 } };
    const line = trace.line ? { line: { ...trace.line, color: colour, width: 2 } } : {};
    return { ...trace, ...line, marker: { size: 9, ...trace.marker, color: colour } };
  };
  const toned = (layout, number) => style(`--tone-${layout.meta.tones[number]}`);
  const axis = (given) => ({
    ...given, ...(given.type === "date" ? { tickformat: `${day}\n%Y`, hoverformat: `${day} %Y` } : {}),
    gridcolor: style("--hairline-color"), zerolinecolor: style("--border-color"), linecolor: style("--border-color"), fixedrange: true,
  });
  const dressed = (layout) => ({
    ...layout,
    shapes: (layout.shapes || []).map((shape, number) => ({ ...shape, line: { ...shape.line, color: toned(layout, number) } })),
    annotations: (layout.annotations || []).map((name, number) => ({ ...name, font: { color: toned(layout, number), size: 11 } })),
    xaxis: axis(layout.xaxis), yaxis: axis(layout.yaxis), separators: board.dataset.separators,
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: style("--body-fg"), family: getComputedStyle(document.body).fontFamily, size: 12 },
    hoverlabel: { bgcolor: style("--body-bg"), bordercolor: style("--border-color"), font: { color: style("--body-fg") } },
    margin: { l: 44, r: (layout.annotations || []).length ? 72 : 12, t: layout.showlegend ? 40 : 8, b: 32 },
    legend: { orientation: "h", xref: "container", x: 0, yref: "container", y: 1, yanchor: "top", traceorder: "normal", font: { size: 11 } },
  });
  const draw = (chart) => {
    const figure = JSON.parse(document.getElementById(chart.dataset.figure).textContent);
    chart.hidden = false;
    window.Plotly.react(chart, figure.data.map(coloured), dressed(figure.layout), { displayModeBar: false, locale: language, responsive: true });
  };
  const drawAll = () => charts.forEach(draw);

  tables.forEach((table) => { table.open = false; });
  document.addEventListener("DOMContentLoaded", () => {
    if (!window.Plotly) {
      tables.forEach((table) => { table.open = true; });
      return;
    }
    speak();
    drawAll();
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
    new MutationObserver(drawAll).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  });
})();
