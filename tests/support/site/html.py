"""Pages as a browser reads them: elements, links and texts; what is not well formed is refused."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, normpath
from urllib.parse import urlsplit

VOID = {"meta", "link", "img", "input", "br", "path", "rect", "circle"}
TAGS = {
    *("html", "head", "title", "script", "style", "body", "header", "nav", "main", "footer"),
    *("section", "h1", "h2", "h3", "p", "a", "strong", "code", "pre", "span", "abbr"),
    *("ul", "ol", "li", "dl", "dt", "dd", "div", "details", "summary", "figure", "figcaption"),
    *("table", "caption", "thead", "tbody", "tr", "th", "td", "svg", "text"),
    *("form", "label", "textarea", "button"),
    *VOID,
}
ATTRIBUTES = {
    *("lang", "charset", "name", "content", "http-equiv", "rel", "href", "src", "defer", "class"),
    *("id", "tabindex", "role", "title", "alt", "start", "scope", "type", "aria-label"),
    *("aria-hidden", "viewbox", "preserveaspectratio", "d", "x", "y", "width", "height"),
    *("data-language", "for", "rows", "spellcheck", "autocomplete", "autocapitalize", "disabled"),
}


@dataclass
class Element:
    """An element with its attributes, what is in it, and the text of all of it."""

    tag: str
    attributes: dict[str, str]
    inside: list["Element"] = field(default_factory=list, repr=False)
    texts: list[str] = field(default_factory=list, repr=False)

    @property
    def text(self) -> str:
        """Return the text in one line."""
        return " ".join("".join(self.texts).split())

    def all(self, tag: str = "", **attributes: str) -> Iterator["Element"]:
        """Yield the elements of a tag inside, at any depth."""
        for each in self.inside:
            fits = all(each.attributes.get(k.rstrip("_")) == v for k, v in attributes.items())
            if tag in ("", each.tag) and fits:
                yield each
            yield from each.all(tag, **attributes)


class Reading(HTMLParser):
    """Reads one document; raises AssertionError on what our templates never write."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]
        self.feed(text)
        self.close()
        assert len(self.open) == 1, f"not closed: {[each.tag for each in self.open]}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, f"<{tag}>"
        assert {name for name, _ in attrs} <= ATTRIBUTES, attrs
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].inside.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID, f"<{tag}/>"
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}>"

    def handle_data(self, data: str) -> None:
        for each in self.open:
            each.texts.append(data)


def page_of(text: str) -> Element:
    """Return the root of a document, or of a part of one."""
    return Reading(text).root


def pages_in(folder: Path) -> dict[str, Element]:
    """Return every page of a site by its address, read and found well formed."""
    return {
        path.relative_to(folder).as_posix().removesuffix(".html"): page_of(path.read_text())
        for path in folder.rglob("*.html")
    }


def dead_links(pages: dict[str, Element]) -> list[tuple[str, str]]:
    """Return links that lead to no page, or to no place of one, and all that leave the site."""
    ids = {name: {each.attributes.get("id") for each in page.all()} for name, page in pages.items()}
    dead = []
    for address, page in pages.items():
        for link in page.all("a"):
            href = urlsplit(link.attributes["href"])
            there = normpath(f"{dirname(address)}/{href.path}").removesuffix(".html").lstrip("/")
            there = there if href.path else address
            leads = there in pages and (not href.fragment or href.fragment in ids[there])
            if href.scheme or href.netloc or not leads:
                dead.append((address, link.attributes["href"]))
    return dead
