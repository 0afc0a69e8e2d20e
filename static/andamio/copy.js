// Buttons that copy the text of an element. Without it they stay hidden, and the text can be selected.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("button[data-copies]")) {
    const words = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
      button.textContent = button.dataset.copied;
      setTimeout(() => { button.textContent = words; }, 2000);
    });
  }
});
