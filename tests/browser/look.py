"""Whether a page can be used by everybody: axe, narrow windows, fingers."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

FINGER = 44
NARROW = 320  # CSS pixels: what is left of 640 at 200 % zoom
TARGETS = ".button, #mode, .choice, .language button, summary, #answer, .field input"
TOO_SMALL = """
([targets, finger]) => [...document.querySelectorAll(targets)]
  .filter(target => target.checkVisibility() && target.getBoundingClientRect().height < finger - 0.5)
  .map(target => target.outerHTML.slice(0, 100) + " is " + target.getBoundingClientRect().height + "px high")
"""
TOO_WIDE = """
() => document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
  [...document.querySelectorAll("body *")]
    .filter(element => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map(element => element.outerHTML.slice(0, 100))
"""
_axe = Axe()


def faults_of(page: Page) -> list[str]:
    """What axe finds in light and in dark, what a narrow window cuts off, and what a finger misses."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    faults = _findings(page, {"resultTypes": ["violations"]})
    faults += page.evaluate(TOO_SMALL, [TARGETS, FINGER]) + overflow(page)
    page.emulate_media(color_scheme="dark")
    faults += _findings(page, {"resultTypes": ["violations"], "runOnly": ["color-contrast"]})
    page.emulate_media(color_scheme="light")
    return faults


def _findings(page: Page, options: dict[str, Any]) -> list[str]:
    # Without preload: it reads imported style sheets into an inline one, which the page's policy refuses; of the rules
    # that run by default none needs it.
    found = _axe.run(page, options={**options, "preload": False}).response["violations"]
    return [
        f"{violation['id']} ({violation['impact']}): {node['html'][:200]} {node['failureSummary']}"
        for violation in found
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


def overflow(page: Page) -> list[str]:
    """What lies outside the window, as wide as it is and at 200 % zoom."""
    size = page.viewport_size
    assert size is not None
    faults = []
    for width in (size["width"], NARROW):
        page.set_viewport_size({"width": width, "height": size["height"]})
        faults += [f"wider than {width}px: {text}" for text in page.evaluate(TOO_WIDE)]
    page.set_viewport_size(size)
    return faults
