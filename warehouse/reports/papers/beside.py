"""Ours beside every number that a paper prints, for the language models that are here."""

from functools import partial

from warehouse.names import literal
from warehouse.reports.display import Layout, ShownColumn
from warehouse.reports.papers.sheet import NAME, Sheet
from warehouse.snapshot.query import Reader

VIEW = "reproduction_v2"
# What is of no language model comes last.
IN_ORDER = (
    *("simulated", "lm", "lm_id", "table_no", "printed_dataset", "dataset", "measure", "mutation"),
    *("operator", "statistic", "setting", "reproduction_id"),
)

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
order by {", ".join(f"found.{column}" for column in IN_ORDER)}
""".strip()

LAID_OUT = """
with found as (
{rows}
),

named as (
    select *, rtrim({name}) as name
    from found
)

select
    coalesce(
        name || ', ' || printed_lm || ' of the paper' || if(simulated, ', simulated', ''),
        'counts of pairs'
    ) as block,
    table_no,
    printed_dataset,
    if(
        list_sort(string_split(dataset, '+')) = list_sort(string_split(printed_dataset, '+')),
        null,
        dataset
    ) as dataset,
    nullif(
        concat_ws(' ', measure, '(' || scorer || ')', mutation, operator, notion), ''
    ) as what,
    statistic,
    setting || coalesce(' after ' || forward_setting, '') as asked,
    paper_departures,
    n_used,
    coalesce(printed, cast(round(published, 2) as varchar)) as theirs,
    ours,
    difference,
    case when agrees then 'yes' when not agrees then 'no' end as fits
from named
order by {order}
""".strip()

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


def sheet(paper: str) -> Sheet:
    """Return the one table: a block per language model, a row per number and setting."""
    rows = ROWS.format(paper=literal(paper))
    title = "Ours beside every number printed"
    return Sheet(None, "beside", title, VIEW, rows, partial(_laid_out, rows))


def _laid_out(rows: str, reader: Reader) -> tuple[str, Layout]:
    return LAID_OUT.format(rows=rows, name=NAME, order=", ".join(IN_ORDER)), Layout(
        groups=("block",), shown=SHOWN
    )
