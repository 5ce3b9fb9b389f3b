"""The figures of ``assay plot``, each with the rows that it draws."""

from base64 import b64encode
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from warehouse.reports import display
from warehouse.reports.papers.sheet import NotBuilt
from warehouse.reports.plots import PLOTS
from warehouse.reports.plots.canvas import quiet, save, settle, styled
from warehouse.reports.plots.select import Figure, rows_of
from warehouse.reports.plots.spec import NothingToDraw, PlotSpec
from warehouse.reports.site.page import Page, Templates
from warehouse.snapshot.query import Reader
from warehouse.values import plain

KINDS = {
    "pass-at-k": "pass@k by k",
    "comparison": "Differences to the best",
    "auc-vs-ece": "AUROC beside ECE",
    "ame": "Effects of mutations",
    "diversity": "Similarity of samples",
    "rtc-projects": "Round trips by project",
}
"""What each kind is called. Reliability is drawn on other pages."""
MOST = 24
"""A figure takes a second of one core."""
MOST_ROWS = 200


def page(reader: Reader, templates: Templates) -> Page:
    """Return the page of all figures."""
    found: list[dict[str, Any]] = []
    with styled(), quiet():
        for kind, name in KINDS.items():
            for figure in figures_of(reader, kind):
                rows = rows_of(reader, figure.query)
                if rows and len(found) < MOST:
                    found.append(_drawn(reader, name, figure, rows))
    return templates.page("figures", "figures", "Figures", figures=found)


def figures_of(reader: Reader, kind: str) -> Iterator[Figure]:
    """Yield the figures of a kind; none where its views are not built or hold nothing of it."""
    try:
        yield from PLOTS.load(kind)(reader, PlotSpec(kind))
    except (NothingToDraw, NotBuilt):
        return


def _drawn(reader: Reader, name: str, figure: Figure, rows: list[dict[str, Any]]) -> dict[str, Any]:
    drawn = figure.draw(rows)
    settle(drawn)
    written = BytesIO()
    save(drawn, written, "svg")
    return {
        "name": name,
        "stem": figure.stem,
        "image": f"data:image/svg+xml;base64,{b64encode(written.getvalue()).decode('ascii')}",
        "columns": list(rows[0]),
        "rows": [[_cell(value) for value in row.values()] for row in rows[:MOST_ROWS]],
        "n_rows": len(rows),
        "query": figure.query,
        "reads": reader.named_in(figure.query),
    }


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return display.text(value if value is None or isinstance(value, bool) else plain(value))
