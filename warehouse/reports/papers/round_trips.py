"""The tables of the round-trip paper: arXiv 2402.08699.

Tables 2 and 3 as the paper has them, the correlations that its text prints of Table 2, and the
numbers by project behind its Figure 2. SQL chooses, pivots and orders; here are the names.
"""

from collections.abc import Iterator
from functools import partial

from warehouse.reports.display import Layout, ShownColumn, Span
from warehouse.reports.papers.sheet import DATASET_BLOCK, Sheet, index_of, with_names
from warehouse.snapshot.query import Reader

DATASETS = ("humaneval", "arcade")
IN_ORDER = f"{index_of('dataset', DATASETS)}, dataset"
WHO_IN_ORDER = "simulated, lm, lm_id"
STATISTICS = {"rtc_pass": "RTC", "lift_pass": "lift"}
SUPERVISED = {"edit_to_nl": "bleu", "nl_to_edit": "exact_match"}
SOURCES = {
    "ours": "language models here",
    "ours_simulated": "simulated language models here",
    "published": "as the paper prints",
}

# The headline of each language model that writes from its own descriptions.
CHOSEN = """
select chosen.*
from {view} as chosen
inner join headline_round_trip_v1 as headlines
    on
        headlines.family = '{family}'
        and headlines.rank = 1
        and chosen.lm_id = headlines.lm_id
        and chosen.forward_lm_id = headlines.lm_id
        and chosen.setting_id = headlines.setting_id
        and chosen.forward_setting_id = headlines.forward_setting_id
        and {same_dataset}
where {where}
""".strip()

# The paper's correlations are beside ours; alone they are no result of this warehouse.
CORRELATIONS = """
select * from rtc_vs_pass_at_1_v1
where (select bool_or(source <> 'published') from rtc_vs_pass_at_1_v1)
""".strip()

# What the paper prints of a table: per language model and dataset a column per statistic.
PRINTED = """
select
    dataset || ', as the paper prints' as block, lm as name, 1e9 as place,
    {columns}
from published_results
where paper = 'round_trip' and table_no = '{table}'
group by dataset, lm
""".strip()

# A supervised number of the same language model and dataset, under its own headline.
COMPANION = """
select companions.*
from edit_companions_v1 as companions
inner join headline_round_trip_v1 as headlines
    on
        headlines.family = companions.companion || '_v1'
        and headlines.rank = 1
        and companions.lm_id = headlines.lm_id
        and companions.dataset = headlines.dataset
        and companions.setting_id = headlines.setting_id
where companions.companion = '{companion}' and companions.similarity = '{similarity}'
""".strip()


def sheets(version: int) -> Iterator[Sheet]:
    """Yield the tables; projects are in version 1 only."""
    view = f"rtc_beside_pass_at_1_v{version}"
    rows = f"select * from {view}\norder by {WHO_IN_ORDER}, {IN_ORDER}"
    title = "Round-trip correctness beside pass@1"
    yield Sheet(2, "synthesis", title, view, rows, partial(_synthesis, rows))
    if version == 1:
        rows = (
            f"{CORRELATIONS}\norder by {index_of('source', SOURCES)}, "
            f"{IN_ORDER}, {index_of('statistic', STATISTICS)}"
        )
        title = "Correlation of round-trip correctness and pass@1"
        laid_out = partial(_correlations, rows)
        yield Sheet(2, "correlation", title, "rtc_vs_pass_at_1_v1", rows, laid_out)
    rows = _editing_rows(version)
    view = f"rtc_editing_v{version}"
    yield Sheet(3, "editing", "Code editing", view, rows, partial(_editing, rows))
    if version == 1:
        rows = f"{projects()}\norder by {WHO_IN_ORDER}, project = '(all)', project, mean_over"
        title, view = "Round-trip correctness by project", "rtc_by_project_v1"
        yield Sheet(2, "projects", title, view, rows, partial(_projects, rows), "figure")


def projects(where: str = "true") -> str:
    """Return the query of the rows by project, and over all, that are shown."""
    return CHOSEN.format(
        view="rtc_by_project_v1",
        family="projects_v1",
        same_dataset="headlines.dataset = '(all)'",
        where=f"chosen.similarity = 'pass' and {where}",
    )


def _number(
    name: str, label: str, index: int, *, signed: bool = False, ranked: bool = True
) -> ShownColumn:
    """Return a share with one decimal of a percent, as printed, and its interval."""
    return ShownColumn(
        name,
        label,
        index,
        numeric=True,
        fraction=True,
        better="up" if ranked else None,
        low=index + 1,
        high=index + 2,
        decimals=1,
        signed=signed,
    )


def _printed(table: int, **columns: str) -> str:
    """Return the query of what the paper prints: columns here, and their statistics there."""
    values = ",\n    ".join(
        f"max(value) filter (where statistic = '{statistic}') / 100 as {column}"
        for column, statistic in columns.items()
    )
    return PRINTED.format(columns=values, table=table)


def _synthesis(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A block per dataset, a row per language model: pass@1, RTC and lift, each with its size."""
    query = f"""
{with_names(rows)},

stacked as (
    select
        {DATASET_BLOCK} as block, name,
        row_number() over (order by {IN_ORDER}, simulated, name, lm_id) as place,
        n_used, pass_at_1, pass_at_1_lo, pass_at_1_hi, rtc, rtc_lo, rtc_hi, lift, lift_lo, lift_hi
    from named
    union all by name
    {_printed(2, pass_at_1="pass_at_1", rtc="rtc_pass", lift="lift_pass")}
)

select
    block, name, n_used,
    pass_at_1, pass_at_1_lo, pass_at_1_hi, rtc, rtc_lo, rtc_hi, lift, lift_lo, lift_hi
from stacked
order by place, block desc, rtc, name
""".strip()
    shown = (
        ShownColumn("name", "language model", 1, False),
        ShownColumn("n_used", "problems", 2, True),
        _number("pass_at_1", "pass@1", 3),
        _number("rtc", "RTC", 6),
        _number("lift", "lift", 9, signed=True),
    )
    return query, Layout(groups=("block",), shown=shown, intervals=True)


def _correlations(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A block per source, ours before the paper's; n and the interval beside each number."""
    cases = " ".join(f"when '{name}' then '{label}'" for name, label in SOURCES.items())
    heads = " ".join(f"when '{name}' then '{label}'" for name, label in STATISTICS.items())
    query = f"""
select
    case source {cases} end as block, dataset, case statistic {heads} end as statistic, n,
    pearson, pearson_lo, pearson_hi, spearman, spearman_p_exact
from (
{rows}
)
order by {index_of("source", SOURCES)}, {IN_ORDER}, {index_of("statistic", STATISTICS.values())}
""".strip()
    shown = (
        ShownColumn("dataset", "dataset", 1, False),
        ShownColumn("statistic", "with pass@1", 2, False),
        ShownColumn("n", "language models", 3, True),
        ShownColumn("pearson", "Pearson", 4, True, low=5, high=6, decimals=2),
        ShownColumn("spearman", "Spearman", 7, True, decimals=2),
        ShownColumn("spearman_p_exact", "p of Spearman, exact", 8, True, decimals=3),
    )
    return query, Layout(groups=("block",), shown=shown, intervals=True)


def _editing_rows(version: int) -> str:
    trips = CHOSEN.format(
        view=f"rtc_editing_v{version}",
        family=f"editing_v{version}",
        same_dataset="chosen.dataset = headlines.dataset",
        where="chosen.similarity = 'exact_match'",
    )
    made = "exact_match" if version == 1 else "exact_match_spaced"
    asked = {
        "edit_to_nl": COMPANION.format(companion="edit_to_nl", similarity="bleu"),
        "nl_to_edit": COMPANION.format(companion="nl_to_edit", similarity=made),
    }
    columns = ",\n    ".join(
        f"{name}.value as {name}, {name}.value_lo as {name}_lo, {name}.value_hi as {name}_hi,\n"
        f"    {name}.n_used as {name}_n_used, {name}.setting as {name}_setting"
        for name in asked
    )
    ctes = ",\n\n".join(f"{name} as (\n{query}\n)" for name, query in asked.items())
    joins = "\n".join(
        f"left join {name} on trips.lm_id = {name}.lm_id and trips.dataset = {name}.dataset"
        for name in asked
    )
    return (
        f"with trips as (\n{trips}\n),\n\n{ctes}\n\nselect\n    trips.*,\n    {columns}\n"
        f"from trips\n{joins}\norder by trips.simulated, trips.lm, trips.lm_id, trips.dataset"
    )


def _editing(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A row per language model: unsupervised on the left, supervised on the right."""
    query = f"""
{with_names(rows)},

stacked as (
    select
        {DATASET_BLOCK} as block, name,
        row_number() over (order by dataset, simulated, name, lm_id) as place,
        n_used, rtc, rtc_lo, rtc_hi, lift, lift_lo, lift_hi,
        edit_to_nl, edit_to_nl_lo, edit_to_nl_hi, nl_to_edit, nl_to_edit_lo, nl_to_edit_hi
    from named
    union all by name
    {_printed(3, rtc="rtc_exact_match", lift="lift_exact_match", **SUPERVISED)}
)

select
    block, name, n_used, rtc, rtc_lo, rtc_hi, lift, lift_lo, lift_hi,
    edit_to_nl, edit_to_nl_lo, edit_to_nl_hi, nl_to_edit, nl_to_edit_lo, nl_to_edit_hi
from stacked
order by place, block, rtc, name
""".strip()
    shown = (
        ShownColumn("name", "language model", 1, False),
        ShownColumn("n_used", "edits", 2, True),
        _number("rtc", "RTC", 3),
        _number("lift", "lift", 6, signed=True),
        _number("edit_to_nl", "Edit to NL, BLEU", 9),
        _number("nl_to_edit", "NL to Edit, exact match", 12),
    )
    spans = (Span("", 2), Span("unsupervised", 2), Span("supervised", 2))
    return query, Layout(groups=("block",), shown=shown, spans=spans, intervals=True)


def _projects(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A block per language model, a row per project; the means over all come last."""
    query = f"""
{with_names(rows)}

select
    name || if(simulated, ', simulated', '') as block,
    case
        when project <> '(all)' then project
        when mean_over = 'regions' then 'all regions'
        else 'mean of the projects'
    end as title,
    license, n_used, rtc, rtc_lo, rtc_hi, lift, lift_lo, lift_hi
from named
order by simulated, name, lm_id, project = '(all)', project, mean_over desc
""".strip()
    shown = (
        ShownColumn("title", "project", 1, False),
        ShownColumn("license", "licence", 2, False),
        ShownColumn("n_used", "regions", 3, True),
        _number("rtc", "RTC", 4, ranked=False),
        _number("lift", "lift", 7, signed=True, ranked=False),
    )
    return query, Layout(groups=("block",), shown=shown, intervals=True)
