"""The prompt of ``assay sql``: statements end with a semicolon, commands begin with a dot."""

import sys
from collections.abc import Callable

import click

from runners.cli import show
from warehouse import settings
from warehouse.errors import BadInput
from warehouse.query import Reader, Result

HELP = """\
A statement ends with a semicolon and may run over several lines.
  .tables          what there is to read
  .schema NAME     columns of a table or view
  .help            this text
  .quit            leave; so does Ctrl-D
Ctrl-C drops the statement being typed or running."""


def converse(reader: Reader, *, max_rows: int | None, ask: Callable[[str], str] = input) -> None:
    """Read statements and print their results until the end of input."""
    remember = _history()
    if reader.snapshot is not None:
        click.echo(f"Snapshot {reader.snapshot.snapshot_id}. ", nl=False)
    click.echo(".help for help, Ctrl-D to leave.")
    typed = ""
    try:
        while True:
            try:
                line = ask("   ...> " if typed else "assay> ")
                if not typed and line.strip().startswith("."):
                    if line.strip() in (".quit", ".exit"):
                        return
                    _dot(reader, line.strip())
                    continue
                typed = f"{typed}\n{line}" if typed else line
                if not typed.strip():
                    typed = ""
                elif typed.rstrip().endswith(";"):
                    text, typed = typed, ""
                    for result in reader.run(text, max_rows=max_rows):
                        show.print_table(result)
            except BadInput as error:
                click.echo(f"error: {error}", err=True)
            except KeyboardInterrupt:
                click.echo()
                typed = ""
            except EOFError:
                click.echo()
                return
    finally:
        remember()


def _dot(reader: Reader, line: str) -> None:
    word, _, name = line.partition(" ")
    if word == ".tables":
        rows = [tuple(row) for row in reader.tables()]
        show.print_table(Result(["schema", "name", "kind"], ["VARCHAR"] * 3, rows))
    elif word == ".schema":
        found = columns(reader, name.strip())
        if not found.rows:
            raise BadInput(f"no table or view named {name.strip() or '(nothing)'}: see .tables")
        show.print_table(found)
    elif word == ".help":
        click.echo(HELP)
    else:
        raise BadInput(f"no command {word}: see .help")


def columns(reader: Reader, name: str) -> Result:
    """Return the columns of a table or view; the name is bound, never pasted."""
    schema, _, table = name.rpartition(".")
    return reader.one(
        "select column_name, data_type, coalesce(comment, '') as description "
        "from duckdb_columns() where not internal and table_name = ? "
        "and (? = '' or schema_name = ?) order by schema_name, column_index",
        [table, schema, schema],
    )


def _history() -> Callable[[], None]:
    """Turn on line editing; return what keeps the history at the end."""
    try:
        import readline
    except ImportError:  # a Python without line editing still has a prompt
        return lambda: None
    path = settings.home() / "sql_history"
    readline.set_history_length(2000)
    try:
        readline.read_history_file(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        click.echo(f"history not read: {path}: {error.strerror}", err=True)

    def remember() -> None:
        try:
            readline.write_history_file(path)
            path.chmod(0o600)
        except OSError as error:
            print(f"history not kept: {path}: {error.strerror}", file=sys.stderr)

    return remember
