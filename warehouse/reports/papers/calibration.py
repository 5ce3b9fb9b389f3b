"""The tables of the calibration paper: arXiv 2402.02047.

A block of rows per language model, simulated ones last and apart, a group of columns per dataset.
SQL chooses, pivots and orders; here are the names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from models.words import CONFIDENCES, NOTIONS
from warehouse.names import literal, quoted
from warehouse.reports.display import Layout, ShownColumn, Span
from warehouse.reports.papers.lines import sheets as line_sheets
from warehouse.reports.papers.sheet import (
    DATASET_BLOCK,
    NAME,
    Sheet,
    headlines,
    index_of,
    labels,
)
from warehouse.snapshot.query import Reader

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
    where: str = "true"
    by_measure: bool = True


# The numbers, with two decimals, as the paper prints; their places follow from the table.
NUMBER = partial(ShownColumn, index=0, numeric=True, decimals=2)

UNSKILLED = "measure = 'unskilled'"
PLATT = "rescaler = 'platt' and brier is not null"
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
    PaperTable(2, "correctness", "Right samples", "raw", (RATE,), "each", UNSKILLED, False),
    PaperTable(3, "notions", SIDE_BY_SIDE, "raw", (PASSES, MATCHES), "paired", UNSKILLED, False),
    PaperTable(5, "raw", "Raw calibration", "raw", RAW),
    PaperTable(6, "scaled", "Platt-scaled calibration", "scaled", SCALED, "main", PLATT),
    PaperTable(7, "scaled_exact", EXACT, "scaled", SCALED, "exact_match", PLATT),
    PaperTable(8, "auroc", "AUROC of raw confidence", "raw", (AUROC,)),
)

# One setting per language model and dataset, with the notion that is shown of it.
CHOSEN = """
with headlines as (
    {headlines}
),

subjects as (
    select * from {view} where {where} and n_used > 0
),

chosen as (
    select subjects.*, headlines.notion as main_notion
    from subjects
    inner join headlines
        on
            subjects.lm_id = headlines.lm_id
            and subjects.dataset = headlines.dataset
            and subjects.setting_id = headlines.setting_id
            and subjects.release_id = headlines.release_id
)
"""

WHO = "simulated, lm_id, lm, revision, dataset, dataset_version, setting_id, setting"
SUBJECT = f"select {WHO}, notion, measure, n_total, n_used, base_rate{{values}}\nfrom chosen"
ROWS = {
    "main": f"{SUBJECT}\nwhere notion = main_notion",
    "each": SUBJECT,
    "exact_match": f"{SUBJECT}\nwhere notion = 'exact_match'",
    "paired": f"""
select
    {", ".join(f"passes.{name.strip()}" for name in WHO.split(","))},
    'paired' as notion, passes.measure, passes.n_used, passes.base_rate as all_pass,
    matches.n_used as n_used_exact_match, matches.base_rate as exact_match
from subjects as passes
inner join subjects as matches
    on
        passes.lm_id = matches.lm_id
        and passes.setting_id = matches.setting_id
        and passes.release_id = matches.release_id
where passes.notion = 'all_pass' and matches.notion = 'exact_match'
""".strip(),
}


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


def chosen(view: str, where: str, setting_id: str | None = None) -> str:
    """Return CTEs over a calibration view: ``chosen`` holds the rows of the settings shown."""
    shown = headlines("calibration", setting_id)
    return CHOSEN.format(headlines=shown, view=quoted(view), where=where).strip()


def _rows(table: PaperTable, view: str) -> str:
    """Return the query of one row per subject, in the order of the table."""
    values = "".join(f", {cell.name}" for cell in table.cells if cell is not RATE)
    query = chosen(view, table.where)
    query += (
        f",\n\nfound as (\n{ROWS[table.notion].format(values=values)}\n)\n\nselect * from found"
    )
    order = [
        index_of("dataset", DATASETS),
        "dataset",
        "notion",
        index_of("measure", CONFIDENCES),
    ]
    return f"{query}\norder by simulated, lm, lm_id, {', '.join(order)}, measure, setting"


def _laid_out(table: PaperTable, rows: str, reader: Reader) -> tuple[str, Layout]:
    """Return the query of the rows as printed, and how its columns look."""
    named = (
        f"with subject_rows as (\n{rows}\n),\n\nnamed as (\n    select\n        *,\n"
        f"        {NAME} as name,\n        {index_of('measure', CONFIDENCES)} as measure_place,\n"
        f"        {labels('measure', CONFIDENCES)} as measure_label\n    from subject_rows\n)\n\n"
    )
    if table.notion == "paired":
        return _paired(table, named)
    heads = reader.one(
        f"select dataset, notion from (\n{rows}\n) group by dataset, notion "
        f"order by {index_of('dataset', DATASETS)}, dataset, notion"
    ).rows
    return _pivoted(table, named, heads)


def _paired(table: PaperTable, named: str) -> tuple[str, Layout]:
    """A block per dataset, a row per language model and setting, both notions side by side."""
    query = named + (
        f"select {DATASET_BLOCK} as block, name, setting, n_used, all_pass, exact_match\n"
        f"from named order by {index_of('dataset', DATASETS)}, dataset, "
        "simulated, name, setting, lm_id"
    )
    shown = (
        ShownColumn("name", "language model", 1, False),
        ShownColumn("setting", "setting", 2, False),
        ShownColumn("n_used", "samples", 3, True),
        *(replace(cell, index=4 + n) for n, cell in enumerate(table.cells)),
    )
    return query, Layout(groups=("block",), shown=shown)


def _pivoted(table: PaperTable, named: str, heads: Sequence[tuple[str, str]]) -> tuple[str, Layout]:
    """A row per measure in blocks per language model, or a row per language model."""
    who = ("measure_label", "measure") if table.by_measure else ("name", "language model")
    shown, values, spans = [ShownColumn(*who, 1, False)], [], [Span("", 1)]
    for head, (dataset, notion) in enumerate(heads):
        where = f"dataset = {literal(dataset)} and notion = {literal(notion)}"
        title = dataset if notion == "all_pass" else f"{dataset}, {NOTIONS.get(notion, notion)}"
        spans.append(Span(title, len(table.cells)))
        for cell in table.cells:
            label = cell.label if len(table.cells) > 1 else title
            shown.append(replace(cell, index=1 + len(shown), label=label))
            values.append(f"max({cell.name}) filter (where {where}) as {cell.name}_{head}")
    block = "name || if(simulated, ', simulated', '')"
    if not table.by_measure:
        block = "if(simulated, 'simulated language models', 'language models')"
    keys = "simulated, lm_id, name" + (", measure_place, measure_label" * table.by_measure)
    query = named + (
        f"select {block} as block, {who[0]},\n    " + ",\n    ".join(values) + "\n"
        f"from named group by {keys}\n"
        f"order by simulated, name, lm_id{', measure_place, measure_label' * table.by_measure}"
    )
    headings = tuple(spans) if len(table.cells) > 1 else ()
    return query, Layout(groups=("block",), shown=tuple(shown), spans=headings)
