"""The tables of the calibration paper: arXiv 2402.02047.

A block of rows per language model, simulated ones last and apart, a group of columns per dataset.
SQL chooses, pivots and orders; here are the names.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from warehouse.names import literal, quoted
from warehouse.reports.display import Better, ShownColumn, Span
from warehouse.reports.export import Layout
from warehouse.reports.paper_sheet import Sheet, labels, place
from warehouse.snapshot.query import Reader

# In the paper's order; a version that has more measures shows them between.
MEASURES = {
    "total_prob": "Total Prob",
    "avg_prob": "Avg Prob",
    "geometric_mean_prob": "Geometric Mean Prob",
    "min_prob": "Min Prob",
    "total_prob_incl_stop": "Total Prob with stop",
    "avg_prob_incl_stop": "Avg Prob with stop",
    "ask_tf": "Ask T/F",
    "ask_tf_normalized": "Ask T/F N",
    "verbalized": "Verbalize",
    "verbalized_base_rate": "Verbalize, else base rate",
    "length": "Length",
    "unskilled": "Unskilled",
}
DATASETS = ("dypybench", "humaneval", "mbpp", "defects4j", "manysstubs4j")
NOTIONS = {"all_pass": "all-pass", "exact_match": "exact match"}


@dataclass(frozen=True)
class Cell:
    """One number of a table: its column in the view and how it is printed."""

    column: str
    label: str
    better: Better = None
    fraction: bool = False
    signed: bool = False


@dataclass(frozen=True)
class PaperTable:
    """One table: the view and rows it is made of, and the numbers under each dataset.

    ``notion`` main is all-pass where a dataset has it and exact match elsewhere; each has columns
    for both; paired sets both side by side, with a row for every setting.
    """

    number: int
    name: str
    title: str
    view: Literal["raw", "scaled"]
    cells: tuple[Cell, ...]
    notion: Literal["main", "each", "exact_match", "paired"] = "main"
    where: str = "true"
    by_measure: bool = True


UNSKILLED = "measure = 'unskilled'"
PLATT = "rescaler = 'platt' and brier is not null"
RATE = Cell("base_rate", "right", better="up", fraction=True)
PASSES = Cell("all_pass", "all-pass", better="up", fraction=True)
MATCHES = Cell("exact_match", "exact match", better="up", fraction=True)
BRIER = Cell("brier", "B")
SKILL = Cell("skill_score", "SS", better="up", signed=True)
AUROC = Cell("auroc", "AUROC", better="up")
ECE = Cell("ece", "ECE")
ECE_REPORTED = Cell("ece_reported", "ECE")  # version 1 only: left out where there is no skill
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

# As in the paper one setting per language model and dataset: the least random, then the one with
# most samples, on the newest release.
CHOSEN = """
with subjects as (
    select * from {view} where {where} and n_used > 0
),

headlines as (
    select subjects.lm_id, subjects.dataset, subjects.setting_id, subjects.release_id
    from subjects
    left join raw.setting on subjects.setting_id = setting.setting_id
    group by subjects.lm_id, subjects.dataset, subjects.setting_id, subjects.release_id
    qualify row_number() over (
        partition by subjects.lm_id, subjects.dataset
        order by
            any_value(setting.temperature) nulls last,
            max(subjects.n_used) desc,
            any_value(subjects.dataset_version) desc,
            subjects.setting_id,
            subjects.release_id
    ) = 1
),

chosen as (
    select subjects.*
    from subjects
    semi join headlines
        on
            subjects.lm_id = headlines.lm_id
            and subjects.dataset = headlines.dataset
            and subjects.setting_id = headlines.setting_id
            and subjects.release_id = headlines.release_id
),

main_notions as (
    select dataset, min(notion) as notion  -- all_pass comes before exact_match
    from chosen
    group by dataset
)
"""

WHO = "simulated, lm_id, lm, revision, dataset, dataset_version, setting_id, setting"
SUBJECT = f"select {WHO}, notion, measure, n_total, n_used, base_rate{{values}}\nfrom chosen"
ROWS = {
    "main": f"""{SUBJECT}
semi join main_notions
    on chosen.dataset = main_notions.dataset and chosen.notion = main_notions.notion""",
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
    """Yield the tables, made of one version of the calibration views."""
    for table in TABLES if version == 1 else map(_with_every_ece, TABLES):
        view = f"calibration_{table.view}_v{version}"
        rows = _rows(table, view)
        yield Sheet(
            table.number, table.name, table.title, view, rows, partial(_laid_out, table, rows)
        )


def _with_every_ece(table: PaperTable) -> PaperTable:
    return replace(table, cells=tuple(ECE if c is ECE_REPORTED else c for c in table.cells))


def chosen(view: str, where: str) -> str:
    """Return CTEs over a calibration view: ``chosen``, its headline rows, and ``main_notions``."""
    return CHOSEN.format(view=quoted(view), where=where).strip()


def _rows(table: PaperTable, view: str) -> str:
    """Return the query of one row per subject, in the order of the table."""
    values = "".join(f", {cell.column}" for cell in table.cells if cell is not RATE)
    query = chosen(view, table.where)
    query += (
        f",\n\nfound as (\n{ROWS[table.notion].format(values=values)}\n)\n\nselect * from found"
    )
    order = [place("dataset", DATASETS), "dataset", "notion", place("measure", MEASURES)]
    return f"{query}\norder by simulated, lm, lm_id, {', '.join(order)}, measure, setting"


def _laid_out(table: PaperTable, rows: str, reader: Reader) -> tuple[str, Layout]:
    """Return the query of the rows as printed, and how its columns look."""
    named = (
        f"with subject_rows as (\n{rows}\n),\n\nnamed as (\n    select\n        *,\n"
        "        lm || if(count(distinct lm_id) over (partition by lm) > 1, ' ' || revision, '')"
        f" as name,\n        {place('measure', MEASURES)} as measure_place,\n"
        f"        {labels('measure', MEASURES)} as measure_label\n    from subject_rows\n)\n\n"
    )
    if table.notion == "paired":
        return _paired(table, named)
    heads = reader.one(
        f"select dataset, notion from (\n{rows}\n) group by dataset, notion "
        f"order by {place('dataset', DATASETS)}, dataset, notion"
    ).rows
    return _pivoted(table, named, heads)


def _paired(table: PaperTable, named: str) -> tuple[str, Layout]:
    """A block per dataset, a row per language model and setting, both notions side by side."""
    query = named + (
        "select dataset || if(simulated, ', simulated language models', '') as block, "
        "name, setting, n_used, all_pass, exact_match\n"
        f"from named order by {place('dataset', DATASETS)}, dataset, "
        "simulated, name, setting, lm_id"
    )
    shown = (
        ShownColumn("name", "language model", 1, False),
        ShownColumn("setting", "setting", 2, False),
        ShownColumn("n_used", "samples", 3, True),
        *(_column(cell, 4 + index) for index, cell in enumerate(table.cells)),
    )
    return query, _layout(shown)


def _pivoted(table: PaperTable, named: str, heads: Sequence[tuple[str, str]]) -> tuple[str, Layout]:
    """A row per measure in blocks per language model, or a row per language model."""
    label = ("measure_label", "measure") if table.by_measure else ("name", "language model")
    first = ShownColumn(label[0], label[1], 1, False)
    shown, values, spans = [first], [], [Span("", 1)]
    for head, (dataset, notion) in enumerate(heads):
        where = f"dataset = {literal(dataset)} and notion = {literal(notion)}"
        title = dataset if notion == "all_pass" else f"{dataset}, {NOTIONS.get(notion, notion)}"
        spans.append(Span(title, len(table.cells)))
        for cell in table.cells:
            column = _column(cell, 1 + len(shown))
            shown.append(column if len(table.cells) > 1 else replace(column, label=title))
            values.append(f"max({cell.column}) filter (where {where}) as {cell.column}_{head}")
    block = "name || if(simulated, ', simulated', '')"
    if not table.by_measure:
        block = "if(simulated, 'simulated language models', 'language models')"
    keys = "simulated, lm_id, name" + (", measure_place, measure_label" * table.by_measure)
    query = named + (
        f"select {block} as block, {label[0]},\n    " + ",\n    ".join(values) + "\n"
        f"from named group by {keys}\n"
        f"order by simulated, name, lm_id{', measure_place, measure_label' * table.by_measure}"
    )
    return query, _layout(shown, spans if len(table.cells) > 1 else ())


def _layout(shown: Iterable[ShownColumn], spans: Sequence[Span] = ()) -> Layout:
    return Layout((), ("block",), False, True, "", tuple(shown), tuple(spans))


def _column(cell: Cell, index: int) -> ShownColumn:
    """Two decimals, as the paper prints; a percentage too."""
    return ShownColumn(
        cell.column,
        cell.label,
        index,
        numeric=True,
        fraction=cell.fraction,
        better=cell.better,
        decimals=2,
        signed=cell.signed,
    )
