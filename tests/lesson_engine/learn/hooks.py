"""The fixed hooks for outside clients and tests (issue 2), checked on any page of the player."""

from tests.lesson_engine.learn.pages import Node, Page

_FIELD_TYPES = {"text", "radio", "checkbox"}


def check_hooks(page: Page) -> None:
    """Fail unless everything that an outside client relies on is there."""
    ids = [node.attrs["id"] for node in page.tree.nodes if "id" in node.attrs]
    assert len(ids) == len(set(ids)), "an id is used twice"
    _check_budget(page)
    if page.finished:
        assert not page.has("continue")
        assert not page.has("answer-form")
        return
    assert len([node for node in page.tree.nodes if "data-step" in node.attrs]) == 1
    assert page.has("continue") != page.has("answer-form")
    mode = page.tree.one("select", id="mode", name="mode")
    assert [option.attrs["value"] for option in mode.find("option")] == ["deterministic", "adaptive"]
    if page.has("answer-form"):
        _check_form(page.tree.one("form", id="answer-form"))


def _check_budget(page: Page) -> None:
    bar = page.tree.one(id="budget").one(role="progressbar")
    left, limit = float(bar.attrs["aria-valuenow"]), float(bar.attrs["aria-valuemax"])
    assert 0 <= left <= limit == 100


def _check_form(form: Node) -> None:
    buttons = [node for node in form.nodes if node.tag == "button" or node.attrs.get("type") in ("submit", "image")]
    assert [button.attrs.get("type") for button in buttons] == ["submit"]
    assert not form.find("select")
    fields = [node for node in form.find("input") if node.attrs["type"] != "hidden"] + form.find("textarea")
    assert fields
    for field in fields:
        assert field.attrs["name"] == "answer"
        assert field.tag == "textarea" or field.attrs["type"] in _FIELD_TYPES
        assert "required" not in field.attrs
        assert "disabled" not in field.attrs
