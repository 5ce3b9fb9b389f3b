"""Tables 3 and 4 of the calibration paper: completed lines, arXiv 2402.02047, section 3.2.2.

A block per dataset of lines, those of all projects first; the paper's numbers come last, as
printed.
"""

from collections.abc import Iterator
from functools import partial

from models.words import NOTIONS
from warehouse.reports.display import Layout, ShownColumn, Span
from warehouse.reports.papers.sheet import Sheet, with_names
from warehouse.snapshot.query import Reader

SHOWN = {"function": "with docstring", "function_without_docstring": "without", "original": "file"}
CELLS = {
    "pass_and_match": "both",
    "pass_only": "all-pass only",
    "match_only": "match only",
    "neither": "neither",
}

# What Table 3 and Table 4 print, in columns; it has no intervals.
PRINTED_3 = """
select
    lm as name,
    max(value) filter (where notion = 'all_pass' and setting = 'with docstring') / 100 as all_pass,
    max(value) filter (where notion = 'all_pass' and setting = 'no docstring') / 100
        as all_pass_without_docstring,
    max(value) filter (where notion = 'exact_match' and setting = 'with docstring') / 100
        as exact_match,
    max(value) filter (where notion = 'exact_match' and setting = 'no docstring') / 100
        as exact_match_without_docstring
from published_results
where paper = 'calibration' and table_no = '3'
group by lm
""".strip()
PRINTED_4 = """
select
    lm as name,
    max(value) filter (where notion = 'both') / 100 as pass_and_match,
    max(value) filter (where notion = 'all_pass_only') / 100 as pass_only,
    max(value) filter (where notion = 'exact_match_only') / 100 as match_only,
    max(value) filter (where notion = 'neither') / 100 as neither
from published_results
where paper = 'calibration' and table_no = '4'
group by lm
""".strip()

BLOCK = """
case
        when dataset = '*-lines' then 'all projects'
        else dataset
    end || if(simulated, ', simulated language models', '')
""".strip()
PRINTED_BLOCK = "dypybench, as the paper prints"
PLACE = "dataset <> '*-lines', dataset, simulated, name, lm_id, setting_id"


def sheets(version: int) -> Iterator[Sheet]:
    """Yield Table 3, docstring against none, and Table 4, all-pass against exact match."""
    view = f"line_completion_v{version}"
    order = "order by simulated, lm, lm_id, dataset <> '*-lines', dataset, setting_id"
    rows = f"select * from {view}\nwhere shown = 'function'\n{order}"
    title = "Line completion, with and without docstring"
    yield Sheet(3, "lines", title, view, rows, partial(_docstrings, rows))
    rows = f"select * from {view}\nwhere n_both_labels > 0\n{order}"
    title = "Line completion, all-pass against exact match"
    yield Sheet(4, "lines", title, view, rows, partial(_notions, rows))


def _share(name: str, label: str, index: int) -> ShownColumn:
    return ShownColumn(name, label, index, True, fraction=True, better="up", decimals=2)


def _effect(name: str, index: int) -> ShownColumn:
    return ShownColumn(
        name, "effect", index, True, True, None, index + 1, index + 2, decimals=2, signed=True
    )


def _docstrings(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A row per language model and setting: both notions, with, without, and the effect."""
    effects = ", ".join(
        f"{notion}_docstring_effect{end}" for notion in NOTIONS for end in ("", "_lo", "_hi")
    )
    query = f"""
{with_names(rows)},

printed as (
    {PRINTED_3}
),

stacked as (
    select
        {BLOCK} as block, row_number() over (order by {PLACE}) as place, name, setting, n_lines,
        all_pass, all_pass_without_docstring, exact_match, exact_match_without_docstring,
        {effects}
    from named
    union all by name
    select '{PRINTED_BLOCK}' as block, 1e9 as place, *
    from printed
)

select
    block, name, setting, n_lines, all_pass, all_pass_without_docstring,
    all_pass_docstring_effect, all_pass_docstring_effect_lo, all_pass_docstring_effect_hi,
    exact_match, exact_match_without_docstring,
    exact_match_docstring_effect, exact_match_docstring_effect_lo, exact_match_docstring_effect_hi
from stacked
order by place, name
""".strip()
    shown = (
        ShownColumn("name", "language model", 1, False),
        ShownColumn("setting", "setting", 2, False),
        ShownColumn("n_lines", "lines", 3, True),
        _share("all_pass", "docstring", 4),
        _share("all_pass_without_docstring", "none", 5),
        _effect("all_pass_docstring_effect", 6),
        _share("exact_match", "docstring", 9),
        _share("exact_match_without_docstring", "none", 10),
        _effect("exact_match_docstring_effect", 11),
    )
    spans = (Span("", 3), Span("all-pass", 3), Span("exact match", 3))
    return query, Layout(groups=("block",), shown=shown, spans=spans, intervals=True)


def _notions(rows: str, reader: Reader) -> tuple[str, Layout]:
    """A row per language model and setting: the four shares, which add up to all."""
    kinds = " ".join(f"when '{name}' then '{label}'" for name, label in SHOWN.items())
    query = f"""
{with_names(rows)},

printed as (
    {PRINTED_4}
),

stacked as (
    select
        {BLOCK} as block, row_number() over (order by {PLACE}) as place, name,
        case shown {kinds} else 'several' end as shown_before, n_both_labels, {", ".join(CELLS)}
    from named
    union all by name
    select '{PRINTED_BLOCK}' as block, 1e9 as place, '{SHOWN["function"]}' as shown_before, *
    from printed
)

select block, name, shown_before, n_both_labels, {", ".join(CELLS)}
from stacked
order by place, name
""".strip()
    shown = (
        ShownColumn("name", "language model", 1, False),
        ShownColumn("shown_before", "shown", 2, False),
        ShownColumn("n_both_labels", "samples", 3, True),
        *(
            ShownColumn(name, label, 4 + index, True, fraction=True, decimals=2)
            for index, (name, label) in enumerate(CELLS.items())
        ),
    )
    return query, Layout(groups=("block",), shown=shown)
