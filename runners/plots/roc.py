"""ROC curves: how well a confidence puts right answers before wrong ones."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from runners.plots.canvas import GREY, NARROW, blank, look
from runners.plots.select import LOOKS, Entry, Selection, only, view_name
from warehouse.display import Column, number
from warehouse.names import literal, quoted
from warehouse.paper import MEASURES, place
from warehouse.query import Reader

# Finer than a printed curve shows: points that fall into one cell of such a grid are one.
GRID = 500
# The confidence view has no column for these: no score at all, or one that knows the labels.
WITHOUT_SCORE = ("unskilled", "verbalized_base_rate")


def query(reader: Reader, entry: Entry, wanted: Selection) -> str:
    """Return the query of the curves: shares of right and of wrong samples above each score."""
    confidence = view_name(reader, "confidence", wanted.version)
    subjects = view_name(reader, "calibration_raw", wanted.version)
    there = reader.one(f"select * from {quoted(confidence)}", max_rows=0).columns
    names = [name for name in MEASURES if name in there and name not in WITHOUT_SCORE]
    scores = ", ".join(f"('{name}', confidence.{name})" for name in names)
    return f"""
with scored as (
    select measures.measure, measures.score, confidence.{entry.notion} as is_right
    from {quoted(confidence)} as confidence
    cross join lateral (values {scores}) as measures (measure, score)
    where
        confidence.lm_id = {literal(entry.lm_id)}
        and confidence.release_id = {literal(entry.release_id)}
        and confidence.setting_id = {literal(entry.setting_id)}
        and {only(wanted.measures, "measures.measure")}
        and measures.score is not null
        and confidence.{entry.notion} is not null
),

tallied as (
    select
        measure, score,
        count(*) filter (is_right) as n_right,
        count(*) filter (not is_right) as n_wrong
    from scored
    group by measure, score
),

shares as (
    select
        measure, score,
        sum(n_right) over above / nullif(sum(n_right) over whole, 0) as true_share,
        sum(n_wrong) over above / nullif(sum(n_wrong) over whole, 0) as false_share
    from tallied
    window
        whole as (partition by measure),
        above as (partition by measure order by score desc)
),

thinned as (
    select
        measure,
        max(score) as score,
        arg_max(true_share, score) as true_share,
        arg_max(false_share, score) as false_share
    from shares
    where true_share is not null and false_share is not null
    group by measure, round({GRID} * true_share), round({GRID} * false_share)
)

select thinned.measure, thinned.score, thinned.false_share, thinned.true_share, subjects.auroc
from thinned
inner join {quoted(subjects)} as subjects on thinned.measure = subjects.measure
where {entry.where("subjects")}
order by {place("thinned.measure", MEASURES)}, thinned.measure, thinned.score desc
""".strip()


def draw(rows: Sequence[dict[str, Any]], entry: Entry) -> Any:
    """One line per measure, told apart by colour and by dash, with its AUROC in the legend."""
    figure = blank(NARROW, NARROW + 0.9)
    axis = figure.subplots()
    axis.plot([0, 1], [0, 1], color=GREY, linewidth=0.6)
    shown = Column("x", "x", 0, True, decimals=2)
    for measure, group in groupby(rows, lambda row: row["measure"]):
        points = list(group)
        colour, dash, _ = look(LOOKS.index(measure))
        axis.plot(
            [0.0, *(row["false_share"] for row in points)],
            [0.0, *(row["true_share"] for row in points)],
            color=colour,
            linestyle=dash,
            label=f"{MEASURES[measure]} {number(points[0]['auroc'], shown)}",
        )
    axis.set(
        xlim=(-0.01, 1.01),
        ylim=(-0.01, 1.01),
        xlabel="share of wrong answers above the threshold",
        ylabel="share of right answers above the threshold",
    )
    axis.set_box_aspect(1)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)
    figure.legend(
        loc="outside lower center", ncols=2, handlelength=3.2, title="measure and AUROC"
    ).get_title().set_fontsize(6.5)
    figure.suptitle(f"{entry.title}\n{entry.setting}", fontsize=7.5)
    return figure
