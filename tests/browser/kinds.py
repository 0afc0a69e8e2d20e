"""Looks at each kind of page once while a lesson is walked: another step, another phase, another verdict."""

from playwright.sync_api import Page

from tests.browser.look import faults_of

KIND = """
() => {
  const name = (selector, value) => [...document.querySelectorAll(selector)].map(value).join("+");
  return [
    location.pathname.split("/")[1],
    name("[data-step]", step => step.className + " " + step.dataset.phase),
    name("#answer-form [name=answer]:first-of-type", field => field.type).split("+")[0],
    name(".notice", notice => notice.className + (notice.querySelector(".expected") ? " expected" : "")),
    name("[data-step] > .prose table, #lesson-complete, .mode-note, #skip", part => part.tagName).split("+")[0],
  ].join(" | ");
}
"""


class Kinds:
    """The kinds of page seen so far, and their faults."""

    def __init__(self) -> None:
        self.faults: dict[str, list[str]] = {}

    def look(self, page: Page) -> None:
        """Look at a page of a kind that was not seen yet."""
        kind = page.evaluate(KIND)
        if kind not in self.faults:
            self.faults[kind] = faults_of(page)

    def check(self) -> None:
        """Fail with every fault of every kind."""
        faults = [f"{kind}: {fault}" for kind, found in self.faults.items() for fault in found]
        assert not faults, "\n".join(faults)
