"""``assay sql``."""

import sys

import click

from runners.cli.options import as_json, from_warehouse


@click.command(
    epilog="""\b
Examples:
  assay sql "select * from leaderboard"
  assay sql --csv "from pass_at_k where k = 1" > pass_at_1.csv
  echo "show tables" | assay sql --json
  assay sql

SQL can read what is in the snapshot and nothing else: no file, no network, no setting.
"""
)
@click.argument("query", required=False)
@as_json
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@click.option(
    "--max-rows",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Rows a table shows; 0 shows all. JSON and CSV always hold all.",
)
@click.option(
    "--memory-mb", type=click.IntRange(min=64), default=2048, show_default=True, help="Memory."
)
@click.option(
    "--threads", type=click.IntRange(min=1), default=2, show_default=True, help="Threads."
)
@from_warehouse
def command(
    query: str | None,
    as_json: bool,
    as_csv: bool,
    max_rows: int,
    memory_mb: int,
    threads: int,
    warehouse: bool,
) -> None:
    """Run QUERY, or the SQL on standard input, or open a prompt when there is neither."""
    from runners.cli import prompt, show
    from warehouse.query import opened

    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other")
    interactive = query is None and sys.stdin.isatty()
    if interactive and (as_json or as_csv):
        raise click.UsageError("--json and --csv need a query")
    if query is None and not interactive:
        query = read_standard_input()
    with opened(warehouse=warehouse, memory_mb=memory_mb, threads=threads) as reader:
        if query is None:
            prompt.converse(reader, max_rows=max_rows or None)
        elif as_json:
            show.print_json(reader.one(query))
        elif as_csv:
            show.print_csv(reader.one(query))
        else:
            for result in reader.run(query, max_rows=max_rows or None):
                show.print_table(result)


def read_standard_input() -> str:
    """Return the SQL on standard input; raises BadInput when it is not UTF-8."""
    from warehouse.errors import BadInput

    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput("the SQL is not UTF-8", path="standard input") from error
