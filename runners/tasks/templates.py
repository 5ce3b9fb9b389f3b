"""Versioned prompt files: what is asked, word for word, and the hash that says so.

A template that changes is a new file with a new number: a text that was sent never changes.
A place that is named like a template takes the answer to that template, which is asked before.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from models.keys import text_key

FOLDER = Path(__file__).parent / "prompts"
ORIGINAL = "original"
PLACE = re.compile(r"\{\{(\w+)\}\}")

Messages = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Template:
    """A prompt file: its name, its text with places like ``{{task}}``, and the text's hash."""

    name: str
    text: str
    key: str

    @property
    def places(self) -> frozenset[str]:
        """The names to be filled in."""
        return frozenset(PLACE.findall(self.text))

    @property
    def shown(self) -> tuple[str, ...]:
        """The templates whose answers it shows: the places that are named like a template."""
        return tuple(sorted(self.places.intersection(names())))

    def render(self, **values: str) -> str:
        """Return the text with every place filled, once: what is filled in is not read again.

        The last line has no newline, so that a language model that continues text begins there.
        Raises ValueError when a place has no value or a value no place.
        """
        if values.keys() != self.places:
            raise ValueError(
                f"template {self.name} takes {', '.join(sorted(self.places))}, "
                f"not {', '.join(sorted(values)) or 'nothing'}"
            )
        return PLACE.sub(lambda found: values[found[1]], self.text.removesuffix("\n"))

    def messages(self, **values: str) -> Messages:
        """Return the rendered text as what a user says in a chat."""
        return (("user", self.render(**values)),)


@cache
def load(name: str) -> Template:
    """Return a template by name."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return Template(name, text, text_key(text))


def asked_before(template: Template) -> tuple[Template, ...]:
    """Return the templates that are asked before one, in order, because it shows their answers."""
    found: dict[str, Template] = {}
    for each in map(load, template.shown):
        found |= {earlier.name: earlier for earlier in (*asked_before(each), each)}
    return tuple(found.values())


@cache
def names() -> tuple[str, ...]:
    """Return the names of all templates."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))
