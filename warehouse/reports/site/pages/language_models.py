"""A page for each language model: its numbers in every view, and its reliability diagrams."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby

from models.words import CONFIDENCES
from warehouse.reports import display
from warehouse.reports.query import query
from warehouse.reports.site.contents import Contents, Record, records
from warehouse.reports.site.page import Page, Templates
from warehouse.reports.site.pages.overview import targets
from warehouse.reports.site.tables import SiteTable, table_of
from warehouse.snapshot.query import QueryResult, Reader
from warehouse.views.describe import ViewDoc, describe_views

SHOWN = {
    "leaderboard": "Boards",
    "pass_at_k": "pass@k",
    "sim_at_k": "Similarity of samples",
    "distinct_solutions": "Distinct solutions",
    "strategies": "Prompting strategies",
    "line_completion": "Completed lines",
    "calibration_raw": "Calibration",
    "ame": "Effects of mutations",
    "rtc_synthesis": "Round trips of descriptions",
    "rtc_editing": "Round trips of edits",
    "rtc_by_project": "Round trips by project",
    "generation_health": "How generations ended",
    "execution_health": "How programs ended",
}
SAID_ABOVE = {"lm_id", "lm", "revision", "simulated", "view_version", "setting_id", "release_id"}
MOST_ROWS = 200
BINS = "reliability_bins"


def pages(reader: Reader, contents: Contents, templates: Templates) -> Iterator[Page]:
    """Yield the pages."""
    versions = reader.versions()
    views = {view.name: view for view in describe_views()}
    there = [views[versions[name]] for name in SHOWN if name in versions]
    bins, bins_view = _bins(reader), versions.get(BINS, "")
    for key, lm in contents.language_models.items():
        tables = (_table(reader, contents, view, key) for view in there)
        yield templates.page(
            "language_model",
            lm["address"],
            lm["name"],
            lm=lm,
            tables=[table for table in tables if table.rows],
            diagrams=bins[key],
            bins_view=bins_view,
        )


def _table(reader: Reader, contents: Contents, view: ViewDoc, lm_id: str) -> SiteTable:
    order = view.key or ("lm_id",)
    sql = query("site/of_lm", view=view.name, lm_id=lm_id, order=order)
    found = reader.one(sql, max_rows=MOST_ROWS)
    more = f"Only the first {MOST_ROWS} rows are shown." if found.truncated else ""
    title = SHOWN[view.plain_name or ""]
    shown, where = _shown(view, found), targets(contents)
    return table_of(title, view.name, found, sql, shown=shown, targets=where, more=more)


def _shown(view: ViewDoc, found: QueryResult) -> Sequence[display.ShownColumn]:
    """Return the columns that say something of one language model: those with a value."""
    look = display.presentation(view.name)
    wanted = (*look.groups, *look.columns) if look else None
    return [
        head
        for head in display.columns(found, wanted)
        if head.name not in SAID_ABOVE
        and (look or not head.name.endswith("null_reason"))
        and any(row[head.index] is not None for row in found.rows)
    ]


def _bins(reader: Reader) -> dict[str, list[Record]]:
    """Return the diagrams of each language model: a title and its bins."""
    view = reader.versions().get(BINS)
    found: dict[str, list[Record]] = defaultdict(list)
    if view is None:
        return found
    rows = records(reader, query("site/bins", view=view, measures=CONFIDENCES))
    names = ("lm_id", "dataset", "setting", "notion", "measure")
    for key, group in groupby(rows, lambda row: tuple(row[name] for name in names)):
        lm_id, dataset, _, notion, measure = key
        title = f"{CONFIDENCES.get(measure, measure)} on {dataset}, {notion}"
        found[lm_id].append({"title": title, "bins": [row for row in group if row["n"]]})
    return found
