"""The leaderboard on the terminal; ``assay nightly`` ends with it too."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from warehouse.errors import AssayError, BadInput, known_names
from warehouse.reports import display
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.query import query
from warehouse.reports.specs import LeaderboardSpec
from warehouse.snapshot.query import QueryResult, opened

FEWEST_COLUMNS = 3
UNBOUNDED = 10_000
STYLES = {"best": "bold", "second": "underline"}


@dataclass(frozen=True)
class Board:
    """The rows of the view, and which version of it and of the data they are from."""

    result: QueryResult
    view: str
    source: str


def board_of(spec: LeaderboardSpec) -> Board:
    """Return the leaderboard's rows; raises BadInput for a dataset or version that is not there."""
    view_version = spec.view_version
    with opened(warehouse=spec.warehouse) as reader:
        versions = {name for schema, name, _ in reader.tables() if schema == "main"}
        newest = reader.versions().get("leaderboard")
        if newest is None:
            then = "" if spec.warehouse else " and `assay publish`"
            raise AssayError(f"there is no leaderboard yet: run `assay build`{then}")
        view = newest if view_version is None else f"leaderboard_v{view_version}"
        if view not in versions:
            versioned(reader, "leaderboard", view_version or 0)
        look = display.PRESENTATIONS["leaderboard"]
        present = reader.one(query("export/whole", name=[view]), max_rows=0).columns
        rows = query(
            "board/rows",
            view=view,
            ks=[int(k) for k in spec.k if _at(k) not in present],
            wanted=spec,
            order=[column for column in look.order if column in present],
        )
        result = reader.one(rows)
        if not result.rows:
            there = [str(name) for (name,) in reader.one(query("board/datasets", view=view)).rows]
            _check_selection(spec, view, there)
    return Board(result, view, reader.source)


def _check_selection(spec: LeaderboardSpec, view: str, datasets: Sequence[str]) -> None:
    """Raise BadInput where there are results, and none of them is asked for."""
    if spec.dataset is not None and spec.dataset not in datasets:
        known = known_names(spec.dataset, datasets)
        raise BadInput(f"no results for dataset {display.text(spec.dataset)!r}{known}")
    if spec.simulated is not None and datasets:
        kind = "simulated" if spec.simulated else "real"
        on = f" on {display.text(spec.dataset)}" if spec.dataset else ""
        raise BadInput(f"{view} has no results of {kind} language models{on}")


def _at(k: str) -> str:
    return f"pass_at_{int(k)}"


def columns_shown(ks: Sequence[str]) -> list[str]:
    """Return the columns of a printed board, with pass@k at these k, or its own."""
    known = display.PRESENTATIONS["leaderboard"].columns
    if not ks:
        return list(known)
    first = known.index("pass_at_1")
    others = [name for name in known[first:] if not name.startswith("pass_at_")]
    return [*known[:first], *map(_at, ks), *others]


def show(board: Board, names: Sequence[str] = (), ks: Sequence[str] = ()) -> None:
    """Print one table per dataset and kind of language model, with pass@k at some k, or its own.

    On a terminal as wide as it is; elsewhere (a pipe, a file, a mail) everything.
    """
    console = Console(highlight=False, width=None if sys.stdout.isatty() else UNBOUNDED)
    look = display.PRESENTATIONS["leaderboard"]
    result = board.result
    for name in names:
        if name not in result.columns:
            there = known_names(name, result.columns)
            raise BadInput(f"no column {display.text(name)!r} in {board.view}{there}")
    more = [_at(k) for k in ks if _at(k) not in names]
    shown = display.columns(result, [*names, *more] if names else columns_shown(ks))
    best = display.marks(result, shown)
    blocks: dict[str, list[int]] = {}
    for index, row in enumerate(result.rows):
        blocks.setdefault(display.group_title(result, row, look.groups), []).append(index)
    for title, indexes in blocks.items():
        kept = [
            position
            for position, column in enumerate(shown)
            if names or any(result.rows[index][column.index] is not None for index in indexes)
        ]
        fitted, gone = _fit(console, result, shown, kept, indexes, best)
        console.print(Text(title, style="bold"))
        console.print(fitted)
        away = [column.label for p, column in enumerate(shown) if p not in kept]
        if away:
            console.print(Text(f"no value for any: {', '.join(away)}", style="dim"))
        if gone:
            console.print(Text(f"no room for: {', '.join(gone)}", style="dim"))
        console.print()
    if not blocks:
        console.print("no results yet: effects of mutations, if any, are in the view ame")
    console.print(Text(f"{board.view}, {board.source}; percent, [95% interval]", style="dim"))


def _fit(
    console: Console,
    result: QueryResult,
    shown: Sequence[display.ShownColumn],
    kept: Sequence[int],
    indexes: Sequence[int],
    best: dict[tuple[int, int], display.Mark],
) -> tuple[Table, list[str]]:
    """Return a table no wider than the terminal, and what had no room in it.

    Intervals go first, from the right, all but the first one; then columns.
    """
    columns, left = list(shown), list(kept)
    gone: list[str] = []
    while True:
        table = _table(result, columns, left, indexes, best)
        if Measurement.get(console, console.options, table).maximum < console.width:
            return table, gone
        wide = [position for position in left if columns[position].low is not None]
        if len(wide) > 1:
            columns[wide[-1]] = replace(columns[wide[-1]], low=None, high=None)
            gone.append(f"interval of {columns[wide[-1]].label}")
        elif len(left) > FEWEST_COLUMNS:
            gone.append(columns[left.pop()].label)
        else:
            return table, gone


def _table(
    result: QueryResult,
    shown: Sequence[display.ShownColumn],
    kept: Sequence[int],
    indexes: Sequence[int],
    best: dict[tuple[int, int], display.Mark],
) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for position in kept:
        column = shown[position]
        table.add_column(
            Text(column.label),
            justify="right" if column.numeric else "left",
            overflow="fold",
            no_wrap=column.numeric,
        )
    for index in indexes:
        row = result.rows[index]
        table.add_row(
            *(_cell(row, shown[position], best.get((index, position))) for position in kept)
        )
    return table


def _cell(row: Sequence[Any], column: display.ShownColumn, mark: display.Mark | None) -> Text:
    if not column.numeric:
        return Text(display.text(row[column.index]))
    value = Text(display.number(row[column.index], column), style=STYLES.get(mark or "", ""))
    bounds = display.interval(row, column)
    return Text.assemble(value, (f" {bounds}", "dim")) if bounds else value
