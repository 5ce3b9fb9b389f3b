"""Write the generated pages of docs/: ``python -m runners.docs``."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from runners.cli.main import COMMANDS, cli
from warehouse.describe import ViewDoc, describe_views
from warehouse.markdown import escape
from warehouse.tables import Table, describe_tables

FOLDER = Path(__file__).resolve().parent.parent / "docs"
GENERATED = "<!-- Written by `make docs`; a test fails when it is stale. -->"
WIDTH = 88


def write_pages(folder: Path = FOLDER) -> list[Path]:
    """Write every generated page; return those that changed."""
    changed = []
    for name, text in pages().items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed


def pages() -> dict[str, str]:
    """Return the generated pages by file name."""
    return {
        "views.md": _page("Views", _views()),
        "tables.md": _page("Tables", _tables()),
        "cli.md": _page("Commands", _commands()),
    }


def _page(title: str, lines: Iterator[str]) -> str:
    return "\n".join([f"# {title}", "", GENERATED, "", *lines]).rstrip() + "\n"


def _views() -> Iterator[str]:
    yield "What the snapshot holds. People browse the plain name, which stands for the newest"
    yield "version; papers and exports pin the number."
    yield ""
    views = describe_views()
    yield from _section("For readers", [view for view in views if view.schema == "main"])
    yield "# What they are made of"
    yield ""
    yield "In the warehouse only (`assay sql --warehouse`), and free to change."
    yield ""
    for schema in ("intermediate", "staging"):
        yield from _section(schema, [view for view in views if view.schema == schema])


def _section(title: str, views: Sequence[ViewDoc]) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    for view in views:
        prefix = "" if view.schema == "main" else f"{view.schema}."
        yield f"### {prefix}{view.name}"
        yield ""
        if view.plain_name:
            yield f"Plain name: `{view.plain_name}`."
            yield ""
        yield view.description
        yield ""
        rows = [(f"`{c.name}`", c.data_type or "", escape(c.description)) for c in view.columns]
        yield from _grid(("column", "type", "meaning"), rows)


def _tables() -> Iterator[str]:
    yield "The raw rows, schema `raw`: append-only, keyed by a hash of what produced them. The"
    yield "snapshot leaves out long texts unless published with `--with-texts`."
    yield ""
    for table in describe_tables():
        yield f"## raw.{table.name}"
        yield ""
        yield table.description
        yield ""
        yield from _grid(("column", "type", "meaning"), _table_rows(table))


def _table_rows(table: Table) -> list[tuple[str, str, str]]:
    rows = []
    for column in table.columns:
        notes = "key" if column.is_key else "may be NULL" if column.nullable else ""
        kind = f"{column.type.lower()}, {notes}" if notes else column.type.lower()
        rows.append((f"`{column.name}`", escape(kind), escape(column.description)))
    return rows


def _grid(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heading)} |"
    yield f"| {' | '.join('---' for _ in heading)} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _commands() -> Iterator[str]:
    top = _context(cli, "assay", None)
    yield from _help(top)
    for name in COMMANDS:
        command = cli.get_command(top, name)
        assert command is not None  # the table names modules that are there
        yield f"## assay {name}"
        yield ""
        yield from _help(_context(command, name, top))


def _context(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    return click.Context(
        command,
        parent=parent,
        info_name=name,
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        help_option_names=["-h", "--help"],
    )


def _help(context: click.Context) -> Iterator[str]:
    yield "```"
    yield from (line.rstrip() for line in context.get_help().splitlines())
    yield "```"
    yield ""


if __name__ == "__main__":
    for page in write_pages():
        print(f"wrote {page}")
