"""The pages that open a site: its leaderboards, and its runs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from models.keys import text_key
from warehouse.reports import display
from warehouse.reports.board import columns_shown
from warehouse.reports.query import query
from warehouse.reports.site.contents import Contents, Record
from warehouse.reports.site.page import Page, Templates, address
from warehouse.reports.site.tables import SiteTable, table_of
from warehouse.reports.specs import LeaderboardSpec
from warehouse.snapshot.query import QueryResult, Reader

ENTRY = ("lm_id", "dataset", "setting_id")
"""What tells the rows of the leaderboard apart."""


def boards(reader: Reader, contents: Contents) -> list[tuple[set[str], SiteTable]]:
    """Return a table for each board, the newest version, and the releases in it."""
    view = reader.versions().get("leaderboard")
    if view is None:
        return []
    look = display.PRESENTATIONS["leaderboard"]
    present = reader.one(query("export/whole", name=[view]), max_rows=0).columns
    order = [column for column in look.order if column in present]
    sql = query("board/rows", view=view, ks=[], wanted=LeaderboardSpec(), order=order)
    whole = reader.one(sql)
    titles = [display.group_title(whole, row, look.groups) for row in whole.rows]
    found = []
    for title in dict.fromkeys(titles):
        rows = [row for row, of in zip(whole.rows, titles, strict=True) if of == title]
        result = QueryResult(whole.columns, whole.types, rows)
        shown = _shown(result)
        where = {**_why(shown), **targets(contents)}
        table = table_of(title, view, result, sql, shown=shown, targets=where)
        place = whole.columns.index("release_id") if "release_id" in whole.columns else None
        found.append(({str(row[place]) for row in rows} if place is not None else set(), table))
    return found


def why_address(row: Record) -> str:
    """Return the address of what an entry of a leaderboard is made of."""
    return address("why", text_key("/".join(str(row[name]) for name in ENTRY)), str(row["lm"]))


def _why(shown: Sequence[display.ShownColumn]) -> Mapping[str, Any]:
    """Return where numbers of a board lead: to what the entry is made of."""
    return {
        head.name: lambda row, name=head.name: (why_address(row), f"c-{name}")
        for head in shown
        if head.numeric
    }


def targets(contents: Contents) -> Mapping[str, Any]:
    """Return where the cells of a view's rows lead, by column."""
    return {
        "lm": contents.lm_target,
        "lm_id": contents.lm_target,
        "release_id": contents.release_target,
        "dataset": contents.release_target,
        "problem_id": contents.problem_target,
        "task_id": contents.problem_target,
        "generation_id": contents.generation_target,
    }


def _shown(result: QueryResult) -> Sequence[display.ShownColumn]:
    """Return the columns of a board that have a value."""
    known = display.columns(result, columns_shown(()))
    return [head for head in known if any(row[head.index] is not None for row in result.rows)]


def pages(contents: Contents, tables: Sequence[SiteTable], templates: Templates) -> Iterator[Page]:
    """Yield the first page, and that of the runs."""
    counts = {
        "n_generations": f"{len(contents.generations):,}",
        "n_language_models": len(contents.language_models),
        "n_problems": len(contents.problems),
    }
    yield templates.page(
        "overview/index",
        "index",
        "Leaderboards",
        boards=tables,
        counts=counts,
        with_texts=contents.with_texts,
        releases=contents.releases.values(),
        language_models=contents.language_models.values(),
    )
    yield templates.page("overview/runs", "runs", "Runs", runs=contents.runs)
