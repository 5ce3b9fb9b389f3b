"""The tables of the calibration paper: arXiv 2402.02047.

A block of rows per language model, simulated ones last and apart, a group of columns per dataset.
SQL chooses, pivots and orders; here are the names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from models.words import CONFIDENCES, NOTIONS
from warehouse.reports.display import Layout, ShownColumn, Span
from warehouse.reports.papers.lines import sheets as line_sheets
from warehouse.reports.papers.sheet import Paper, Sheet
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader, Row

DATASETS = ("dypybench", "humaneval", "mbpp", "defects4j", "manysstubs4j")


@dataclass(frozen=True)
class PaperTable:
    """One table: the view and rows it is made of, and the numbers under each dataset.

    ``notion`` main is all-pass where a dataset has it and exact match elsewhere. Each has columns
    for both. Paired sets both side by side, with a row for every setting.
    """

    number: int
    name: str
    title: str
    view: Literal["raw", "scaled"]
    cells: tuple[ShownColumn, ...]
    notion: Literal["main", "each", "exact_match", "paired"] = "main"
    rows: Literal["all", "unskilled", "platt"] = "all"
    by_measure: bool = True


# The numbers, with two decimals, as the paper prints; their places follow from the table.
NUMBER = partial(ShownColumn, index=0, numeric=True, decimals=2)

RATE = NUMBER("base_rate", "right", better="up", fraction=True)
PASSES = NUMBER("all_pass", "all-pass", better="up", fraction=True)
MATCHES = NUMBER("exact_match", "exact match", better="up", fraction=True)
BRIER = NUMBER("brier", "B")
SKILL = NUMBER("skill_score", "SS", better="up", signed=True)
AUROC = NUMBER("auroc", "AUROC", better="up")
ECE = NUMBER("ece", "ECE")
ECE_REPORTED = NUMBER("ece_reported", "ECE")  # version 1 only: left out where there is no skill
RAW = (BRIER, SKILL, ECE)
SCALED = (BRIER, SKILL, ECE_REPORTED)
SIDE_BY_SIDE = "All-pass beside exact match"
EXACT = "Platt-scaled calibration, exact match"

TABLES = (
    PaperTable(2, "correctness", "Right samples", "raw", (RATE,), "each", "unskilled", False),
    PaperTable(3, "notions", SIDE_BY_SIDE, "raw", (PASSES, MATCHES), "paired", "unskilled", False),
    PaperTable(5, "raw", "Raw calibration", "raw", RAW),
    PaperTable(6, "scaled", "Platt-scaled calibration", "scaled", SCALED, "main", "platt"),
    PaperTable(7, "scaled_exact", EXACT, "scaled", SCALED, "exact_match", "platt"),
    PaperTable(8, "auroc", "AUROC of raw confidence", "raw", (AUROC,)),
)


def sheets(version: int) -> Iterator[Sheet]:
    """Yield the tables, made of one version of the views of calibration and of lines."""
    yield from line_sheets(version)
    for table in TABLES if version == 1 else map(_with_every_ece, TABLES):
        view = f"calibration_{table.view}_v{version}"
        rows = _rows(table, view)
        yield Sheet(
            table.number, table.name, table.title, view, rows, partial(_laid_out, table, rows)
        )


def _with_every_ece(table: PaperTable) -> PaperTable:
    return replace(table, cells=tuple(ECE if c is ECE_REPORTED else c for c in table.cells))


def _rows(table: PaperTable, view: str) -> str:
    """Return the query of one row per subject, in the order of the table."""
    if table.notion == "paired":
        return query("papers/calibration/notions", view=view, datasets=DATASETS)
    return query(
        "papers/calibration/subjects",
        view=view,
        which=table.rows,
        notion=table.notion,
        numbers=[cell.name for cell in table.cells],
        datasets=DATASETS,
        measures=CONFIDENCES,
    )


def _laid_out(table: PaperTable, rows: str, reader: Reader) -> tuple[str, Layout]:
    """Return the query of the rows as printed, and how its columns look."""
    if table.notion == "paired":
        return _paired(table, rows)
    heads = reader.one(query("papers/calibration/heads", rows=rows, datasets=DATASETS)).rows
    return _pivoted(table, rows, heads)


def _paired(table: PaperTable, rows: str) -> tuple[str, Layout]:
    """A block per dataset, a row per language model and setting, both notions side by side."""
    shown = (
        ShownColumn("name", "language model", 1, False),
        ShownColumn("setting", "setting", 2, False),
        ShownColumn("n_used", "samples", 3, True),
        *(replace(cell, index=4 + n) for n, cell in enumerate(table.cells)),
    )
    shown_rows = query("papers/calibration/notions_shown", rows=rows, datasets=DATASETS)
    return shown_rows, Layout(groups=("block",), shown=shown)


def _pivoted(table: PaperTable, rows: str, heads: Sequence[Row]) -> tuple[str, Layout]:
    """A row per measure in blocks per language model, or a row per language model."""
    who = ("measure_label", "measure") if table.by_measure else ("name", "language model")
    shown, spans = [ShownColumn(*who, 1, False)], [Span("", 1)]
    for dataset, notion in heads:
        title = dataset if notion == "all_pass" else f"{dataset}, {NOTIONS.get(notion, notion)}"
        spans.append(Span(title, len(table.cells)))
        for cell in table.cells:
            label = cell.label if len(table.cells) > 1 else title
            shown.append(replace(cell, index=1 + len(shown), label=label))
    shown_rows = query(
        f"papers/calibration/by_{'measure' if table.by_measure else 'language_model'}",
        rows=rows,
        heads=heads,
        numbers=[cell.name for cell in table.cells],
        measures=CONFIDENCES,
    )
    headings = tuple(spans) if len(table.cells) > 1 else ()
    return shown_rows, Layout(groups=("block",), shown=tuple(shown), spans=headings)


def _why_empty(reader: Reader, version: int) -> str:
    return (
        "no language model has a confidence and a verdict for the same sample: take samples with "
        "log-probabilities or run `assay reflect`; then run `assay execute`, `assay calibrate` and "
        "`assay build`"
    )


PAPER = Paper(sheets, _why_empty)
