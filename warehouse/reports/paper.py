"""The tables of a paper, made of what is in the warehouse: ``assay export --paper``.

CSV and Parquet hold one row per subject, with values as stored. Markdown and LaTeX are laid out as
in the paper.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from warehouse import settings
from warehouse.errors import BadInput
from warehouse.kinds import unfit_folder
from warehouse.reports import paper_calibration, paper_mutations
from warehouse.reports.display import text
from warehouse.reports.export import (
    SUFFIXES,
    ExportReport,
    Layout,
    require_replaceable,
    without_empty,
    write,
)
from warehouse.reports.paper_sheet import Sheet, versioned
from warehouse.snapshot.query import Reader, Row, opened
from warehouse.store.provenance import code_version

PAPERS: dict[str, Callable[[int], Iterator[Sheet]]] = {
    "calibration": paper_calibration.sheets,
    "mutations": paper_mutations.sheets,
}
FORMATS = ("latex", "csv", "md")


def export_paper(
    paper: str,
    *,
    formats: Sequence[str] = FORMATS,
    version: int = 1,
    out: Path | None = None,
    drop_empty: bool | None = None,
    warehouse: bool = False,
) -> list[ExportReport]:
    """Write the counterpart of each table of a paper, for whatever language models there are.

    A table without a row is left out. ``drop_empty`` leaves out columns without any value; None
    does so for Markdown and LaTeX, as in every export. Without ``out`` the files go to a folder of
    today's date. Raises BadInput for a paper, format or version that is not there, or when no table
    has a row.
    """
    if paper not in PAPERS:
        raise BadInput(f"unknown paper {text(paper)!r}: papers are {', '.join(PAPERS)}")
    for format in formats:
        if format not in SUFFIXES:
            raise BadInput(f"unknown format {format!r}: formats are {', '.join(SUFFIXES)}")
    if out is not None and (reason := unfit_folder(out)):
        raise BadInput(f"{reason}; the tables of a paper go to a folder", path=out)
    folder = out or settings.export_dir() / f"{datetime.now(UTC):%Y-%m-%d}"
    reports: list[ExportReport] = []
    with opened(warehouse=warehouse) as reader:
        sheets = [
            (sheet, {f: folder / _file(paper, sheet, version, f) for f in formats})
            for sheet in PAPERS[paper](version)
        ]
        require_replaceable(*(path for _, paths in sheets for path in paths.values()))
        for sheet, paths in sheets:
            name, _, number = sheet.view.rpartition("_v")
            versioned(reader, name, int(number))
            if not reader.one(sheet.rows, max_rows=1).rows:
                continue
            folder.mkdir(parents=True, exist_ok=True)
            reports += [
                _write_table(reader, paper, sheet, format, path, drop_empty)
                for format, path in paths.items()
            ]
    if not reports:
        raise BadInput(f"there is no {paper} result in version {version} to tabulate")
    return reports


def _write_table(
    reader: Reader, paper: str, sheet: Sheet, format: str, path: Path, drop_empty: bool | None
) -> ExportReport:
    """Write one table in one format, laid out only where it is for eyes."""
    query, layout = sheet.rows, Layout((), (), False, True, "")
    dropped: tuple[str, ...] = ()
    if format in ("md", "latex"):
        query, layout = sheet.laid_out(reader)
        if drop_empty is not False:
            layout, dropped = _without_empty(layout, reader.one(query).rows)
    elif drop_empty:
        kept, dropped = without_empty(reader, query, ())
        layout = replace(layout, columns=kept)
    title = f"Assay {code_version()}, table {sheet.number}: {sheet.title}"
    facts = {"paper": paper, "table": sheet.number, "title": sheet.title, "dropped": list(dropped)}
    return write(
        reader,
        query,
        format=format,
        path=path,
        layout=replace(layout, title=f"{title} ({sheet.view})"),
        view=sheet.view,
        view_version=sheet.view,
        facts=facts,
    )


def _file(paper: str, sheet: Sheet, version: int, format: str) -> str:
    return f"{paper}_table_{sheet.number}_{sheet.name}_v{version}.{SUFFIXES[format]}"


def _without_empty(layout: Layout, rows: Sequence[Row]) -> tuple[Layout, tuple[str, ...]]:
    """Return a layout without the columns that hold no value in any row, and their headings."""
    titles = [span.title for span in layout.spans for _ in range(span.n_columns)]
    titles = titles or [""] * len(layout.shown)
    holds = [any(row[column.index] is not None for row in rows) for column in layout.shown]
    dropped = tuple(
        f"{title} {column.label}".strip()
        for title, column, kept in zip(titles, layout.shown, holds, strict=True)
        if not kept
    )
    spans, start = [], 0
    for span in layout.spans:
        n_kept = sum(holds[start : start + span.n_columns])
        start += span.n_columns
        spans += [replace(span, n_columns=n_kept)] * bool(n_kept)
    shown = tuple(column for column, kept in zip(layout.shown, holds, strict=True) if kept)
    return replace(layout, shown=shown, spans=tuple(spans)), dropped
