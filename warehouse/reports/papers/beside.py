"""Ours beside every number that a paper prints, for the language models that are here."""

from functools import partial

from warehouse.reports.display import Layout, ShownColumn
from warehouse.reports.papers.sheet import Sheet
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

VIEW = "reproduction_v2"

SHOWN = (
    ShownColumn("table_no", "table", 1, False),
    ShownColumn("printed_dataset", "dataset", 2, False),
    ShownColumn("dataset", "here", 3, False),
    ShownColumn("what", "of", 4, False),
    ShownColumn("statistic", "number", 5, False),
    ShownColumn("asked", "setting", 6, False),
    ShownColumn("paper_departures", "departs in", 7, False),
    ShownColumn("n_used", "samples", 8, True),
    ShownColumn("theirs", "printed", 9, False),
    ShownColumn("ours", "ours", 10, True, decimals=2),
    ShownColumn("difference", "difference", 11, True, decimals=2, signed=True),
    ShownColumn("fits", "within rounding", 12, False),
)


WHY_EMPTY = (
    'no language model here has a number that the paper prints of it: `assay sql "select * from '
    'published_lm"` lists the names that are known; bring in samples of one, then `assay build`'
)


def sheet(paper: str) -> Sheet:
    """Return the one table: a block per language model, a row per number and setting."""
    rows = query("papers/beside/numbers", paper=paper)
    title = "Ours beside every number printed"
    return Sheet(None, "beside", title, VIEW, rows, partial(_laid_out, rows))


def _laid_out(rows: str, reader: Reader) -> tuple[str, Layout]:
    shown_rows = query("papers/beside/shown", rows=rows)
    return shown_rows, Layout(groups=("block",), shown=SHOWN)
