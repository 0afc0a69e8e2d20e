"""A page as a small tree, and a person at a browser without JavaScript, or with htmx."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from typing import Any, Protocol

from django.test import Client

_VOID = {"meta", "link", "input", "img", "br", "hr", "rect", "wbr"}
_FRESH = re.compile(r'name="(?:csrfmiddlewaretoken|key)" value="[^"]*"')
STEPS_AT_MOST = 300
"""Clicks after which a walk of the demo lesson counts as one without an end."""


@dataclass
class Node:
    """An element with what is in it, in order."""

    tag: str
    attrs: dict[str, str]
    parent: "Node | None" = None
    parts: list["Node | str"] = field(default_factory=list)

    @cached_property
    def nodes(self) -> list["Node"]:
        """The element and all below it, in order. To be asked for when the tree is whole."""
        below = (part.nodes for part in self.parts if isinstance(part, Node))
        return [self, *(node for nodes in below for node in nodes)]

    def find(self, tag: str = "", **attrs: str) -> list["Node"]:
        """Elements below of this tag and with these attributes; `class_` asks for one class among others."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attrs.items()}
        return [
            node
            for node in self.nodes
            if tag in ("", node.tag)
            and all(
                value in node.attrs.get(name, "").split() if name == "class" else node.attrs.get(name) == value
                for name, value in wanted.items()
            )
        ]

    def one(self, tag: str = "", **attrs: str) -> "Node":
        found = self.find(tag, **attrs)
        assert len(found) == 1, f"{len(found)} of {tag} {attrs}"
        return found[0]

    def text(self, without: Sequence[str] = ()) -> str:
        """The words, without those of elements that have one of these classes."""
        if set(without) & set(self.attrs.get("class", "").split()):
            return ""
        words = (part if isinstance(part, str) else part.text(without) for part in self.parts)
        return re.sub(r"\s+", " ", " ".join(words)).strip()


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.here = self.root = Node("", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        node = Node(tag, {name: value or "" for name, value in attrs}, self.here)
        self.here.parts.append(node)
        if tag not in _VOID:
            self.here = node

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.here.parts.append(Node(tag, {name: value or "" for name, value in attrs}, self.here))

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.here.tag, f"</{tag}> closes <{self.here.tag}>"
        assert self.here.parent is not None
        self.here = self.here.parent

    def handle_data(self, data: str) -> None:
        self.here.parts.append(data)


def parse(html: str) -> Node:
    """The tree; an element that is not closed, or closed twice, fails."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    assert builder.here is builder.root, f"<{builder.here.tag}> is never closed"
    return builder.root


def comparable(html: str) -> str:
    """A page without what is new each time: the CSRF token and the key of the next click."""
    return _FRESH.sub("", html)


class Response(Protocol):
    """What the test client gives."""

    @property
    def status_code(self) -> int: ...
    @property
    def content(self) -> bytes: ...


class Page:
    """What the browser shows."""

    def __init__(self, response: Response) -> None:
        self.status = response.status_code
        self.html = response.content.decode()
        self.tree = parse(self.html)

    def has(self, id_: str) -> bool:
        return bool(self.tree.find(id=id_))

    @property
    def finished(self) -> bool:
        return self.has("lesson-complete")

    @property
    def step(self) -> str:
        return next(node.attrs["data-step"] for node in self.tree.nodes if "data-step" in node.attrs)

    @property
    def phase(self) -> str:
        return next(node.attrs["data-phase"] for node in self.tree.nodes if "data-phase" in node.attrs)

    @property
    def ask(self) -> str:
        """The code of the question that waits for an answer; empty where none does."""
        forms = self.tree.find("form", id="answer-form")
        return forms[0].attrs["data-draft"] if forms else ""

    @property
    def attempt(self) -> str:
        return self.tree.one(class_="attempt").text()

    @property
    def typed(self) -> str:
        """What stands in the field for the answer."""
        fields = [node for node in self.tree.one("form", id="answer-form").nodes if node.attrs.get("name") == "answer"]
        if fields[0].tag == "textarea":
            return "".join(part for part in fields[0].parts if isinstance(part, str)).removeprefix("\n")
        if fields[0].attrs["type"] == "text":
            return fields[0].attrs.get("value", "")
        return "\n".join(node.attrs["value"] for node in fields if "checked" in node.attrs)

    @cached_property
    def words(self) -> str:
        return self.tree.text()

    def form_of(self, *, id_: str = "", name: str = "") -> Node:
        """The form around the button with this id or name, or the form or field with this id."""
        node: Node | None = self.tree.one(**({"id": id_} if id_ else {"name": name}))
        while node is not None and node.tag != "form":
            node = node.parent
        assert node is not None
        return node


def fields_of(form: Node) -> dict[str, Any]:
    """What the form would send before anything is typed, without the CSRF token."""
    hidden = [node for node in form.find("input", type="hidden") if node.attrs["name"] != "csrfmiddlewaretoken"]
    return {node.attrs["name"]: node.attrs["value"] for node in hidden}


class Person:
    """Somebody at the page of a session, who can only press what is there."""

    def __init__(self, client: Client, *, htmx: bool = False, language: str = "en") -> None:
        self.client = client
        self.headers = {"Accept-Language": language, **({"HX-Request": "true"} if htmx else {})}
        self.address = ""
        self.page: Page

    def start(self, slug: str) -> Page:
        response = self.client.post(
            f"/lessons/{slug}/start/", headers={"Accept-Language": self.headers["Accept-Language"]}
        )
        assert response.status_code == 302, response.status_code
        self.address = response["Location"]
        return self.look()

    def look(self) -> Page:
        self.page = Page(self.client.get(self.address, headers=self.headers))
        return self.page

    def send(self, form: Node, /, **more: Any) -> Page:
        """Send a form of the page with more fields, and look at what comes."""
        data = {**fields_of(form), **more}
        response = self.client.post(form.attrs["action"], data, headers=self.headers, follow=True)
        assert response.status_code == 200, response.status_code
        self.page = Page(response)
        return self.page

    def go_on(self) -> Page:
        """Continue; from a comparison with "No"."""
        button = self.page.tree.one(id="continue").attrs
        more = {button["name"]: button["value"]} if "name" in button else {}
        return self.send(self.page.form_of(id_="continue"), **more)

    def answer(self, *values: str, **more: Any) -> Page:
        return self.send(self.page.tree.one("form", id="answer-form"), answer=list(values), **more)

    def dont_know(self) -> Page:
        return self.send(self.page.form_of(name="dont_know"), dont_know="1")

    def hint(self) -> Page:
        return self.send(self.page.form_of(id_="hint"))

    def skip(self) -> Page:
        return self.send(self.page.form_of(id_="skip"))

    def mode(self, value: str) -> Page:
        return self.send(self.page.form_of(id_="mode"), mode=value)

    def go_to_question(self, code: str = "") -> Page:
        """Read on to the next question, or skip questions until this one."""
        for _ in range(STEPS_AT_MOST):
            if self.page.ask and code in ("", self.page.ask):
                return self.page
            if self.page.has("continue"):
                self.go_on()
            elif self.page.has("skip"):
                self.skip()
            else:
                self.dont_know()
        raise AssertionError(f"no question {code}")

    def walk(self, act: Callable[["Person"], object], check: Callable[["Person"], object] = lambda _: None) -> Page:
        """Go on where that is the way, `act` at each question, and `check` every page, until the end."""
        for _ in range(STEPS_AT_MOST):
            check(self)
            if self.page.finished:
                return self.page
            if self.page.has("continue"):
                self.go_on()
            else:
                act(self)
        raise AssertionError(f"no end after {STEPS_AT_MOST} steps")
