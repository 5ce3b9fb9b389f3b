"""``assay sql``."""

import sys
from collections.abc import Callable
from typing import Any

import click

from runners.cli.options import MEMORY_MB, WORKERS, Number, as_json, from_warehouse


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
    "--raw",
    is_flag=True,
    help="Write CSV exactly as stored. By default, text that a spreadsheet would run as a formula "
    "gets an apostrophe, and control characters are escaped.",
)
@click.option(
    "--max-rows",
    type=click.IntRange(0, 1_000_000_000),
    default=1000,
    show_default=True,
    help="Rows a table shows; 0 shows all. JSON and CSV always hold all.",
)
@click.option(
    "--memory-mb",
    type=MEMORY_MB,
    default=2048,
    show_default=True,
    help="Memory a query may use, its result included; beyond that it is stopped.",
)
@click.option(
    "--timeout",
    type=Number(0, 1_000_000),
    default=300,
    show_default=True,
    metavar="SECONDS",
    help="Time a query may take, printing left out; 0 sets no limit.",
)
@click.option("--threads", type=WORKERS, default=2, show_default=True, help="Threads.")
@from_warehouse
def command(
    query: str | None,
    as_json: bool,
    as_csv: bool,
    raw: bool,
    max_rows: int,
    memory_mb: int,
    timeout: float,
    **reading: Any,
) -> None:
    """Run QUERY, or the SQL on standard input, or open a prompt when there is neither.

    Each query runs in a separate process; the system ends it at the memory or time limit, and the
    prompt stays open.
    """
    from runners.cli import prompt
    from runners.cli.confined import Clock, Confined, Reply, Request

    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other")
    if raw and not as_csv:
        raise click.UsageError("--raw goes with --csv")
    interactive = query is None and sys.stdin.isatty()
    if interactive and (as_json or as_csv):
        raise click.UsageError("--json and --csv need a query")
    if query is None and not interactive:
        query = read_standard_input()

    def prepare(clock: Clock) -> Callable[[Request], Reply]:
        from runners.cli.desk import Desk  # in the child alone: it loads the database

        return Desk(clock, memory_mb=memory_mb, max_rows=max_rows or None, **reading).answer

    with Confined(prepare, memory_mb=memory_mb, timeout_s=timeout) as desk:
        if query is None:
            prompt.converse(desk.ask)
        else:
            mode = "json" if as_json else "csv" if as_csv else "table"
            one = as_json or as_csv
            desk.ask({"do": "sql", "text": query, "mode": mode, "raw": raw, "one": one})


def read_standard_input() -> str:
    """Return the SQL on standard input; raises BadInput when it is not UTF-8."""
    from warehouse.errors import BadInput

    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput("the SQL is not UTF-8", path="standard input") from error
