"""Pages of the commands and of the formats that are read, which other rooms describe."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from warehouse.reports.site.page import Page, Templates
from warehouse.reports.site.pages.dictionary import Named


@dataclass(frozen=True)
class CommandDoc:
    """A command: what it does, and what its help and that of its parts print, with headings."""

    name: str
    summary: str
    helps: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class FieldDoc:
    """A field of a file: its place, its type, and what it means."""

    name: str
    kind: str
    required: bool
    meaning: str


@dataclass(frozen=True)
class FormatDoc:
    """A format: what its files are, their fields, examples by file, and the command for these.

    ``option`` is the command that reads it, such as ``import``.
    """

    name: str
    option: str
    about: str
    file: str
    fields: Sequence[FieldDoc]
    examples: Sequence[tuple[str, str]]
    command: str

    @property
    def address(self) -> str:
        """Return the address of its page."""
        return f"format/{self.option}-{self.name}"


@dataclass(frozen=True)
class FormatGroup:
    """The formats that one command reads; ``about`` has paragraphs, and lists, true of all."""

    title: str
    about: Sequence[str | Sequence[str]]
    formats: Sequence[FormatDoc]


def named_guides(commands: Sequence[CommandDoc], groups: Sequence[FormatGroup]) -> Iterator[Named]:
    """Yield the names of all commands and formats."""
    for command in commands:
        yield Named(f"assay {command.name}", "command", f"command/{command.name}", command.summary)
    for group in groups:
        for each in group.formats:
            yield Named(each.name, f"{each.option} format", each.address, each.about)


def pages(
    commands: Sequence[CommandDoc], groups: Sequence[FormatGroup], templates: Templates
) -> Iterator[Page]:
    """Yield the lists, and a page for each command and format."""
    yield templates.page("docs/commands", "commands", "Commands", commands=commands)
    for command in commands:
        title = f"assay {command.name}"
        yield templates.page("docs/command", f"command/{command.name}", title, command=command)
    yield templates.page("docs/formats", "formats", "Formats", groups=groups)
    for group in groups:
        for each in group.formats:
            title = f"{each.name}, read by assay {each.option}"
            yield templates.page("docs/format", each.address, title, format=each)
