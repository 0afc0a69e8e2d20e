// Where the reader is led on the Consult page, and what is said to them. The page works without any of it.
(() => {
  "use strict";
  const page = () => document.getElementById("consult");
  const field = () => document.getElementById("message");
  const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const announce = (text) => { document.getElementById("announcer").textContent = text; };
  const goTo = (target, block) => {
    target.setAttribute("tabindex", "-1");
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block, behavior: calm() ? "auto" : "smooth" });
  };

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.target !== field()) return;
    event.preventDefault();
    event.target.form.requestSubmit(event.target.form.querySelector(".primary"));
  });
  // A refusal of the page's own is shown like any answer; it names how.
  const isOurs = (xhr) => xhr && xhr.status >= 400 && xhr.getResponseHeader("HX-Reswap") !== null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!isOurs(event.detail.xhr)) return;
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  });
  // On the window, after what andamio.js says on the document: it takes the first notice of the whole page.
  window.addEventListener("htmx:afterSettle", (event) => {
    const config = event.detail.requestConfig;
    if (!page() || !config) return;
    // Whoever asks for the first time becomes a guest, and the forms at the head of the page want the new token too.
    const fresh = page().querySelector("[name=csrfmiddlewaretoken]");
    if (fresh) document.querySelectorAll(".top [name=csrfmiddlewaretoken]").forEach((old) => { old.value = fresh.value; });
    if (config.verb === "get") {
      const first = event.target.matches("[data-first]") && event.target.querySelector("a");
      if (first) first.focus({ preventScroll: true });
      return;
    }
    const plan = document.getElementById("plan"), record = document.getElementById("record");
    // What was wrong with the question before stays in its form while a plan is corrected.
    const problem = (config.path.endsWith("/ask/") || !plan ? page() : plan).querySelector("[data-problem]");
    if (problem) {
      announce(problem.querySelector(".headline").textContent.trim());
      goTo(problem, "center");
      return;
    }
    if (config.path.endsWith("/check/") && record) {
      record.querySelector("summary").focus({ preventScroll: true });
      announce(record.querySelector("summary").textContent.trim());
      return;
    }
    if (plan) {
      goTo(document.getElementById("plan-title"), "start");
      announce(plan.dataset.announce);
    }
  });
  const refusal = (xhr) => xhr && (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain") ? xhr.responseText : "";
  const lost = (event) => {
    if (!page() || isOurs(event.detail.xhr)) return;
    let note = document.getElementById("lost");
    if (!note) {
      note = document.createElement("p");
      note.id = "lost";
      note.className = "notice bad";
      note.setAttribute("role", "alert");
      (event.target.closest("form, li") || page().firstElementChild).before(note);
    }
    note.textContent = refusal(event.detail.xhr) || page().dataset.lost;
  };
  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:responseError", lost);
  // On a phone the keyboard would cover the page that nobody has read yet.
  const roomy = window.matchMedia("(min-width: 40rem) and (hover: hover) and (pointer: fine)").matches;
  if (field() && roomy && !window.location.hash && !document.querySelector("[data-problem]")) field().focus({ preventScroll: true });
})();
