"""What a page is, where it is found, and how its template is filled in.

An address such as ``problem/4f2a`` is the same in both forms of a site. In a folder it is the file
``problem/4f2a.html``, in a single file the fragment ``#/problem/4f2a``. Whatever a template shows
is escaped; nothing marks a text of the data as safe.
"""

import json
import re
from base64 import b85encode
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from warehouse.reports.display import text
from warehouse.reports.plots.select import plain_name

FOLDER = resources.files("warehouse") / "reports" / "site"
UNUSUAL = re.compile(r"[^\n\t -~]")
LONGEST_STEM = 40

Href = Callable[[str, str, str], str]


@dataclass(frozen=True)
class Page:
    """One page: its address, its title, and the HTML of its main part."""

    address: str
    title: str
    body: str


def in_folder(here: str, there: str, anchor: str = "") -> str:
    """Return the link from one page to another where each is a file."""
    return f"{'../' * here.count('/')}{there}.html{f'#{anchor}' if anchor else ''}"


def in_file(here: str, there: str, anchor: str = "") -> str:
    """Return the link to a page of a single file; ``here`` is any page of it."""
    return f"#/{there}{f'!{anchor}' if anchor else ''}"


def address(kind: str, key: str, words: str = "") -> str:
    """Return the address of what has a key; ``words`` make it easier to read."""
    stem = plain_name(words)[:LONGEST_STEM].strip("_.")
    return f"{kind}/{stem}-{key[:12]}" if stem else f"{kind}/{plain_name(key)}"


def in_letters(content: bytes) -> str:
    """Return bytes as letters that a script element may hold, and a quoted string.

    Five letters hold four bytes, in base 85; base64 takes six percent more. ``site.js`` reads them.
    """
    return b85encode(content).decode("ascii").replace("<", ",")


def visible(value: Any) -> str:
    """Return a text of several lines with each character that prints nothing escaped."""
    return UNUSUAL.sub(_escaped, "" if value is None else str(value))


def prose(value: Any) -> Markup:
    """Return a text in one line, escaped, with what it has between backticks as code."""
    parts = text(value).split("`")
    if len(parts) % 2 == 0:
        return escape("`".join(parts))
    shown = [Markup("<code>{}</code>").format(part) for part in parts]
    shown[::2] = [escape(part) for part in parts[::2]]
    return Markup("").join(shown)


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def named_values(value: Any) -> list[tuple[str, str]]:
    """Return what JSON says as names with texts, names inside names with dots.

    A text that is no JSON, and a value alone, have no name.
    """
    if isinstance(value, str):
        with suppress(ValueError):
            value = json.loads(value)
    return list(_named("", value))


def _named(name: str, value: Any) -> Iterator[tuple[str, str]]:
    listed = list(enumerate(value)) if isinstance(value, list) else []
    if isinstance(value, dict):
        listed = list(value.items())
    elif not any(isinstance(each, dict | list) for _, each in listed):
        plain = [each for _, each in listed] if isinstance(value, list) else [value]
        yield name, ", ".join("none" if each is None else text(each) for each in plain) or "none"
        return
    for key, each in listed:
        yield from _named(f"{name}.{key}" if name else str(key), each)


class Templates:
    """Fills in the templates of one site; ``facts`` are what every page says of the whole."""

    def __init__(self, href: Href, facts: dict[str, Any]):
        self._href = href
        self._environment = Environment(
            loader=FileSystemLoader(str(FOLDER / "templates")),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
        )
        self._environment.filters |= {
            "words": text,
            "visible": visible,
            "prose": prose,
            "named": named_values,
        }
        self._environment.globals |= facts

    def page(self, template: str, address: str, title: str, **values: Any) -> Page:
        """Return a page made from a template."""
        found = self._environment.get_template(f"{template}.html")
        links = partial(self._href, address)
        return Page(address, text(title), found.render(to=links, title=title, **values))

    def document(self, page: Page, **values: Any) -> str:
        """Return a whole HTML file around a page."""
        found = self._environment.get_template("shared/document.html")
        links = partial(self._href, page.address)
        return found.render(to=links, page=page, body=Markup(page.body), **values)
