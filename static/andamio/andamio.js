// Drafts, focus and announcements. The page works without any of it.
(() => {
  "use strict";
  const player = () => document.getElementById("player");
  const field = () => document.querySelector("#answer-form textarea[name=answer], #answer-form input[type=text][name=answer]");
  const draftKey = () => {
    const form = document.getElementById("answer-form");
    return form && player() ? `andamio:${player().dataset.session}:${form.dataset.draft}` : null;
  };
  const store = (write) => { try { return write(window.localStorage); } catch { return null; } };
  const save = () => {
    const input = field(), key = draftKey();
    if (input && key) store((s) => s.setItem(key, input.value));
  };
  const restore = (overwrite) => {
    const input = field(), key = draftKey();
    const draft = input && key && store((s) => s.getItem(key));
    if (draft && (overwrite || !input.value)) input.value = draft;
  };
  const announce = (text) => { document.getElementById("announcer").textContent = text; };
  // What the budget allows, said once when it changes; the words are on the page all the time.
  const level = () => (document.getElementById("budget") || { dataset: {} }).dataset.level;
  let levelSaid = level();
  const levelNews = () => {
    const warning = document.querySelector(".budget-warning");
    const news = warning && level() !== levelSaid ? [warning.textContent.trim()] : [];
    levelSaid = level();
    return news;
  };
  // What the server says itself, in words for people: that too much came, for instance.
  const refusal = (xhr) => xhr && (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain") ? xhr.responseText : "";
  const goTo = (target) => {
    if (!target.hasAttribute("tabindex")) target.setAttribute("tabindex", "-1");
    target.focus({ preventScroll: true });
    const smooth = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    window.scrollTo({ top: 0, behavior: smooth ? "smooth" : "auto" });
  };

  document.addEventListener("input", (event) => {
    if (event.target === field()) save();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target === field()) {
      event.preventDefault();  // a one-line field would send itself once more
      event.target.form.requestSubmit();
    }
  });
  // A draft is forgotten once the server has the answer, not when it is sent.
  // Nobody else finds on a shared computer what was typed here.
  document.addEventListener("submit", (event) => {
    if (!event.target.hasAttribute("data-forget")) return;
    store((s) => Object.keys(s).filter((key) => key.startsWith("andamio:")).forEach((key) => s.removeItem(key)));
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.id === "answer-form") event.detail.xhr.andamioDraft = draftKey();
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const key = event.detail.xhr && event.detail.xhr.andamioDraft;
    if (event.detail.successful && key) store((s) => s.removeItem(key));
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "trial") return;  // an author's, beside the lesson: the reader stays where they are
    // Only a page that waits for its answer asks by itself: whoever went on typing meanwhile is not disturbed.
    const asked = Boolean(event.detail.requestConfig && event.detail.requestConfig.verb === "get");
    restore(asked);
    if (asked && document.querySelector(".notice[hx-get]")) return;
    if (field() && field().value) save();  // what came back unjudged is a draft again
    const select = document.getElementById("mode");
    if (select && event.detail.requestConfig && event.detail.requestConfig.path === select.form.getAttribute("action")) {
      select.focus({ preventScroll: true });  // nothing moved but the mode: the reader stays where they are
      const note = document.querySelector(".mode-note");
      announce(note ? note.textContent.trim() : select.selectedOptions[0].textContent);
      levelSaid = level();
      return;
    }
    const target = document.querySelector("[data-focus]") || document.querySelector(".step-title, #question");
    if (target) goTo(target);
    const hint = document.querySelector(".hints [data-focus]");
    const headline = hint || document.querySelector(".notice .headline") || document.querySelector(".step-title, #step-name");
    const news = levelNews();
    if (headline) announce([headline.textContent.trim(), ...news].join(". "));
  });
  const lost = (event) => {
    const text = player() && (refusal(event.detail.xhr) || player().dataset.lost);
    if (!text) return;
    if (event.target.matches(".mode")) event.target.reset();  // the mode that the server still has
    let note = document.getElementById("lost");
    if (!note) {
      note = document.createElement("p");
      note.id = "lost";
      note.className = "notice bad";
      note.setAttribute("role", "alert");
      document.querySelector("#answer-form, #own-word, .go-on").before(note);
    }
    note.textContent = text;
  };
  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:responseError", lost);
  restore();
})();
