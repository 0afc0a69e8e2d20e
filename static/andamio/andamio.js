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

  const restore = () => {
    const input = field(), key = draftKey();
    if (input && key && !input.value) input.value = store((s) => s.getItem(key)) ?? "";
  };
  const announce = (text) => { document.getElementById("announcer").textContent = text; };

  document.addEventListener("input", (event) => {
    const key = draftKey();
    if (event.target === field() && key) store((s) => s.setItem(key, event.target.value));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target === field()) {
      event.target.form.requestSubmit();
    }
  });
  // A draft is forgotten once the server has the answer, not when it is sent.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.id === "answer-form") event.detail.xhr.andamioDraft = draftKey();
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const key = event.detail.xhr && event.detail.xhr.andamioDraft;
    if (event.detail.successful && key) store((s) => s.removeItem(key));
  });
  document.addEventListener("htmx:afterSettle", () => {
    restore();
    const target = document.querySelector("[data-focus]") || document.querySelector(".step-title, #question");
    if (target) {
      if (!target.hasAttribute("tabindex")) target.setAttribute("tabindex", "-1");
      target.focus({ preventScroll: true });
      const smooth = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      window.scrollTo({ top: 0, behavior: smooth ? "smooth" : "auto" });
    }
    const headline = document.querySelector(".notice .headline") || document.querySelector(".step-title, #step-name");
    if (headline) announce(headline.textContent.trim());
  });
  const lost = () => {
    const text = player() && player().dataset.lost;
    if (!text) return;
    let note = document.getElementById("lost");
    if (!note) {
      note = document.createElement("p");
      note.id = "lost";
      note.className = "notice bad";
      note.setAttribute("role", "alert");
      document.querySelector("#answer-form, .go-on").before(note);
    }
    note.textContent = text;
  };
  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:responseError", lost);
  restore();
})();
