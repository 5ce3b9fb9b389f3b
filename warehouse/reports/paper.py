"""The tables of a paper, made of what is in the warehouse: ``assay export --paper``.

CSV and Parquet hold one row per subject, with values as stored. Markdown, LaTeX and HTML are laid
out as in the paper.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from warehouse.errors import BadInput
from warehouse.reports.display import Layout
from warehouse.reports.export import (
    ExportReport,
    folder_for,
    replacing,
    require_replaceable,
    without_empty,
    write,
)
from warehouse.reports.layouts import pdf
from warehouse.reports.papers import PAPERS, beside
from warehouse.reports.papers.sheet import Sheet, versioned
from warehouse.reports.specs import FOR_EYES, PAPER_FORMATS, SUFFIXES, PaperSpec
from warehouse.snapshot.query import Reader, Row, opened
from warehouse.store.provenance import code_version


def export_paper(spec: PaperSpec) -> list[ExportReport]:
    """Write the counterpart of each table of a paper, for whatever language models there are.

    A table without a row is left out. Raises BadInput for a version that is not there, or when no
    table has a row. Raises AssayError where nothing here can make the preview that is wanted.
    """
    if spec.pdf:
        pdf.engine()
    formats = (spec.format,) if spec.format else PAPER_FORMATS
    folder = folder_for(spec.out, "the tables of a paper")
    reports: list[ExportReport] = []
    with opened(warehouse=spec.warehouse) as reader:
        versioned(reader, "headline_setting", 1)
        sheets = [
            (sheet, {f: folder / _file(spec, sheet, f) for f in formats}) for sheet in _sheets(spec)
        ]
        require_replaceable(*(path for _, paths in sheets for path in paths.values()))
        for sheet, paths in sheets:
            name, _, number = sheet.view.rpartition("_v")
            versioned(reader, name, int(number))
            if not reader.one(sheet.rows, max_rows=1).rows:
                continue
            folder.mkdir(parents=True, exist_ok=True)
            reports += [
                _write_table(reader, spec, sheet, format, path) for format, path in paths.items()
            ]
        if not reports:
            raise BadInput(_why_none(spec, reader))
    return reports


def preview(spec: PaperSpec, reports: Sequence[ExportReport]) -> Path:
    """Write the LaTeX tables of an export as one PDF beside them; return its place."""
    tables = [Path(report.path) for report in reports if report.path.endswith(".tex")]
    out = tables[0].parent / f"{spec.paper}_v{spec.version}.pdf"
    written = pdf.compiled([table.read_text(encoding="utf-8") for table in tables])
    with replacing(out) as temporary:
        temporary.write_bytes(written)
    return out


def _sheets(spec: PaperSpec) -> Iterator[Sheet]:
    if spec.beside:
        yield beside.sheet(spec.paper)
    else:
        yield from PAPERS.load(spec.paper).sheets(spec.version)


def _why_none(spec: PaperSpec, reader: Reader) -> str:
    why = (
        beside.WHY_EMPTY if spec.beside else PAPERS.load(spec.paper).why_empty(reader, spec.version)
    )
    then = " and `assay publish`" if reader.snapshot else ""
    return f"there is no {spec.paper} result in version {spec.version} to tabulate: {why}{then}"


def _write_table(
    reader: Reader, spec: PaperSpec, sheet: Sheet, format: str, path: Path
) -> ExportReport:
    """Write one table in one format, laid out only where it is for eyes."""
    query, layout = sheet.rows, Layout()
    dropped: tuple[str, ...] = ()
    if format in FOR_EYES:
        query, layout = sheet.laid_out(reader)
        if spec.drop_empty is not False:
            layout, dropped = _without_empty(layout, reader.one(query).rows)
    elif spec.drop_empty:
        kept, dropped = without_empty(reader, query, ())
        layout = replace(layout, columns=kept)
    place = "" if sheet.number is None else f"{sheet.kind} {sheet.number}: "
    title = f"Assay {code_version()}, {place}{sheet.title}"
    facts: dict[str, str | int] = {"paper": spec.paper, "title": sheet.title}
    if sheet.number is not None:
        facts[sheet.kind] = sheet.number
    return write(
        reader,
        query,
        format=format,
        path=path,
        layout=replace(layout, title=f"{title} ({sheet.view})"),
        view=sheet.view,
        view_version=sheet.view,
        facts={**facts, "dropped": list(dropped)},
    )


def _file(spec: PaperSpec, sheet: Sheet, format: str) -> str:
    place = "" if sheet.number is None else f"{sheet.kind}_{sheet.number}_"
    return f"{spec.paper}_{place}{sheet.name}_v{spec.version}.{SUFFIXES[format]}"


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
