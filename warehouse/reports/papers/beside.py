"""Ours beside every number that a paper prints, for the language models that are here."""

from functools import partial

from warehouse.names import literal
from warehouse.reports.display import Layout, ShownColumn
from warehouse.reports.papers.sheet import Sheet
from warehouse.snapshot.query import Reader

VIEW = "reproduction_v2"

# Percentages and BLEU are stored as fractions; a share of right samples is one of them.
ROWS = f"""
select
    found.* exclude (published, ours, difference, tolerance),
    coalesce(printed.unit, 'percent') as unit,
    found.published * factors.factor as published,
    found.ours * factors.factor as ours,
    found.difference * factors.factor as difference,
    found.tolerance * factors.factor as tolerance
from {VIEW} as found
left join published_results as printed on found.result_id = printed.result_id
cross join lateral (
    select if(coalesce(printed.unit, 'percent') in ('percent', 'points'), 100, 1) as factor
) as factors
where found.paper = {{paper}}
order by
    found.simulated, found.lm, found.lm_id, found.table_no, found.dataset, found.measure,
    found.mutation, found.statistic, found.setting, found.reproduction_id
""".strip()

LAID_OUT = """
with found as (
{rows}
)

select
    lm || ', ' || printed_lm || ' of the paper' || if(simulated, ', simulated', '') as block,
    table_no,
    dataset,
    nullif(concat_ws(' ', measure, mutation, notion), '') as what,
    statistic,
    setting || coalesce(' after ' || forward_setting, '') as asked,
    n_used,
    coalesce(printed, cast(round(published, 2) as varchar)) as theirs,
    ours,
    difference,
    case when agrees then 'yes' when not agrees then 'no' end as fits
from found
""".strip()

SHOWN = (
    ShownColumn("table_no", "table", 1, False),
    ShownColumn("dataset", "dataset", 2, False),
    ShownColumn("what", "of", 3, False),
    ShownColumn("statistic", "number", 4, False),
    ShownColumn("asked", "setting", 5, False),
    ShownColumn("n_used", "samples", 6, True),
    ShownColumn("theirs", "printed", 7, False),
    ShownColumn("ours", "ours", 8, True, decimals=2),
    ShownColumn("difference", "difference", 9, True, decimals=2, signed=True),
    ShownColumn("fits", "within rounding", 10, False),
)


def sheet(paper: str) -> Sheet:
    """Return the one table: a block per language model, a row per number and setting."""
    rows = ROWS.format(paper=literal(paper))
    title = "Ours beside every number printed"
    return Sheet(None, "beside", title, VIEW, rows, partial(_laid_out, rows))


def _laid_out(rows: str, reader: Reader) -> tuple[str, Layout]:
    return LAID_OUT.format(rows=rows), Layout(groups=("block",), shown=SHOWN)
