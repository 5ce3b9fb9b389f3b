"""Two entries beside each other, and the problems that one of them solves alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from models.words import LEAST_CLUSTERS
from warehouse.errors import BadInput, known_names
from warehouse.names import literal, quoted
from warehouse.reports.display import ShownColumn, number, text
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.specs import CompareSpec
from warehouse.snapshot.query import QueryResult, Reader, opened

OF_AN_ENTRY = ("lm_id", "lm", "revision", "setting_id", "setting")
COUNTED = ("n_dropped", "value", "n_only")
METRICS = {
    "pass_at_k": "pass@{k}",
    "csim": "CSim@{k}",
    "dpass": "DPass@{k}",
    "exact_match": "exact match",
}
BRIER = "brier_"
TESTS = {
    "mcnemar": "exact McNemar test",
    "t": "paired t test",
    "permutation": "random signs",
}
REASONS = {
    "no_common_problems": "the two have no problem in common",
    "one_problem": "the two have one problem in common",
    "no_difference": "the values are equal on every problem",
    "zero_variance": "the values differ by the same on every problem",
    "problems_lt_min": f"fewer than {LEAST_CLUSTERS} problems",
    "differing_lt_min": "too few problems differ",
    "several_samples": "more than one sample per problem",
    "not_binary": "values between 0 and 1",
}
PERCENT = ShownColumn("value", "value", 0, True, fraction=True, decimals=1)
POINTS = ShownColumn("difference", "difference", 0, True, fraction=True, decimals=1, signed=True)
SCORE = ShownColumn("value", "value", 0, True, decimals=4)
CHANGE = ShownColumn("difference", "difference", 0, True, decimals=4, signed=True)


@dataclass(frozen=True)
class Comparison:
    """Rows of the view with the asked-for entry as a, and the problems that differ."""

    rows: QueryResult
    flips: QueryResult | None
    source: str

    def named(self) -> list[dict[str, Any]]:
        """Return the rows by column, each with its problems that differ if they were asked for."""
        found = [dict(zip(self.rows.columns, row, strict=True)) for row in self.rows.rows]
        if self.flips is None:
            return found
        names = ("lm_id_a", "setting_id_a", "lm_id_b", "setting_id_b", "release_id")
        flips = [dict(zip(self.flips.columns, row, strict=True)) for row in self.flips.rows]
        for row in found:
            mine = [each for each in flips if all(each[name] == row[name] for name in names)]
            row["flips"] = [
                {name: value for name, value in each.items() if name not in names} for each in mine
            ]
        return found


def compare(spec: CompareSpec) -> Comparison:
    """Return the comparisons of two language models, or of the settings of one.

    Raises BadInput for a name that is unknown or means several, and when nothing is compared.
    """
    with opened(warehouse=spec.warehouse) as reader:
        view = versioned(reader, "comparison", 1)
        one, other = (lm_key(reader, name) for name in (spec.a, spec.b))
        rows = reader.one(_query(view, one, other, spec))
        if not rows.rows:
            raise BadInput(_why_none(reader, view, one, other, spec))
        flips = reader.one(_flips(view, one, other, spec)) if spec.flips else None
        source = reader.snapshot.snapshot_id if reader.snapshot else "the warehouse"
    return Comparison(rows, flips, f"{view}, {source}")


def lm_key(reader: Reader, name: str) -> str:
    """Return the key of a language model of the leaderboard: by name, name and revision, or key.

    Raises BadInput for a name that is unknown or means several.
    """
    known = reader.one(
        "select distinct lm_id, lm, revision from headline_setting_v1 "
        "where family = 'leaderboard' order by lm, revision, lm_id"
    ).rows
    meant = [row for row in known if name in (row[0], row[1], f"{row[1]} {row[2]}".strip())] or [
        row for row in known if len(name) >= 8 and row[0].startswith(name)
    ]
    if not meant:
        names = list(dict.fromkeys(text(row[1]) for row in known))
        raise BadInput(f"unknown language model {text(name)!r}{known_names(name, names)}")
    if len(meant) > 1:
        there = "; ".join(
            f"{text(f'{lm} {revision}'.strip())} ({key})" for key, lm, revision in meant
        )
        raise BadInput(f"{text(name)!r} means several language models, name one by key: {there}")
    return str(meant[0][0])


def turned(view: str) -> str:
    """Return a query of the view's rows from both ends: each entry is a once, and b once."""
    swaps = [
        f"{name}_{other} as {name}_{side}"
        for name in (*OF_AN_ENTRY, *COUNTED)
        for side, other in (("a", "b"), ("b", "a"))
    ]
    swaps += [
        "-difference as difference",
        "-difference_hi as difference_lo",
        "-difference_lo as difference_hi",
        "tost_upper_p as tost_lower_p",
        "tost_lower_p as tost_upper_p",
    ]
    return (
        f"select * from {quoted(view)} union all by name "
        f"select * replace ({', '.join(swaps)}) from {quoted(view)}"
    )


def _query(view: str, one: str, other: str, spec: CompareSpec) -> str:
    wanted = {
        "dataset": spec.dataset,
        "metric": spec.metric,
        "setting_id_a": spec.setting_a,
        "setting_id_b": spec.setting_b,
    }
    given = [f"{name} = {literal(value)}" for name, value in wanted.items() if value is not None]
    given += [f"k = {spec.k}"] if spec.k is not None else []
    given += [f"lm_id_a = {literal(one)}", f"lm_id_b = {literal(other)}"]
    pairing = "settings" if one == other else "language_models"
    if one != other and (spec.setting_a or spec.setting_b):
        pairing = "board"
    given.append(f"pairing = {literal(pairing)}")
    once = one == other and spec.setting_a is None and spec.setting_b is None
    rows = f"select * from {quoted(view)}" if once else turned(view)
    return (
        f"select * from ({rows}) where {' and '.join(given)} "
        "order by dataset, release_id, pairing, setting_a, setting_b, metric = 'pass_at_k' desc, "
        "metric, k"
    )


def _why_none(reader: Reader, view: str, one: str, other: str, spec: CompareSpec) -> str:
    """Return why there is no row: which names do not fit, or why two entries are not compared."""
    asked = {"dataset": spec.dataset, "metric": spec.metric, "k": spec.k}
    for name, value in asked.items():
        known = [
            str(row[0])
            for row in reader.one(f"select distinct {name} from {quoted(view)} order by all").rows
        ]
        if value is not None and str(value) not in known:
            return f"no comparison has the {name} {text(value)!r}{known_names(str(value), known)}"
    for setting in filter(None, (spec.setting_a, spec.setting_b)):
        named = f"select 1 from ({turned(view)}) where setting_id_a = {literal(setting)} limit 1"
        if not reader.one(named).rows:
            return f"no comparison has the setting {text(setting)!r} (see headline_setting)"
    whole = reader.one(
        f"select distinct dataset, metric, k from ({turned(view)}) "
        f"where lm_id_a = {literal(one)} and lm_id_b = {literal(other)} order by all"
    ).rows
    if whole:
        there = ", ".join(f"{_metric(metric, k)} on {text(name)}" for name, metric, k in whole)
        return f"nothing is selected: these two are compared by {there}"
    if one == other:
        return f"{text(spec.a)} has one setting per dataset and task: there is nothing to compare"
    return (
        f"{text(spec.a)} and {text(spec.b)} are not compared: under their headline settings they "
        "need one release of a dataset, the same task and the same kind of prompt (see "
        "headline_setting), and both real or both simulated"
    )


def problems_query(view: str, one: str, other: str, spec: CompareSpec) -> str:
    """Return the query of one row per problem of both, with the right samples of each."""
    return f"""
with compared as (
    select distinct dataset, release_id, lm_id_a, setting_id_a, lm_id_b, setting_id_b
    from ({_query(view, one, other, spec)})
),

problems as (
    select
        release_id, lm_id, setting_id, problem_id, task_id,
        count(*) as n, count(*) filter (verdict = 'passed') as n_passed,
        list(verdict order by sample_index) as verdicts,
        list(generation_id order by sample_index) as generation_ids
    from generation_verdicts_v1
    where verdict is not null and set_aside is null
    group by all
)

select
    compared.*, a.task_id,
    a.n_passed as n_passed_a, a.n as n_a, b.n_passed as n_passed_b, b.n as n_b,
    if(a.n = 1, a.verdicts[1], null) as verdict_a,
    if(b.n = 1, b.verdicts[1], null) as verdict_b,
    a.generation_ids as generation_ids_a, b.generation_ids as generation_ids_b
from compared
inner join problems as a
    on compared.release_id = a.release_id and compared.lm_id_a = a.lm_id
    and compared.setting_id_a = a.setting_id
inner join problems as b
    on compared.release_id = b.release_id and compared.lm_id_b = b.lm_id
    and compared.setting_id_b = b.setting_id and a.problem_id = b.problem_id
""".strip()


def _flips(view: str, one: str, other: str, spec: CompareSpec) -> str:
    """Return the query of the problems whose share of right samples differs, widest first."""
    return f"""
select * exclude (dataset) from (
{problems_query(view, one, other, spec)}
)
where n_passed_a * n_b != n_passed_b * n_a
order by
    release_id, lm_id_a, setting_id_a, lm_id_b, setting_id_b,
    n_passed_a / n_a - n_passed_b / n_b desc, task_id
""".strip()


def described(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is printed of one comparison: labels and numbers."""
    names = entry_names(row)
    for side, name in zip("ab", names, strict=True):
        left_out = row[f"n_dropped_{side}"]
        more = f", {left_out} more problems left out" if left_out else ""
        yield name, f"{_value(row, f'value_{side}', ' %')}{more}"
    if row["null_reason"]:
        yield "difference", f"none: {REASONS[row['null_reason']]}"
        return
    yield "difference", f"{_change(row, 'difference')}{_unit(row)}, {_interval(row)}"
    if row["p_value"] is not None:
        yield f"p, {TESTS[row['test']]}", p(row["p_value"])
        family = f"of {row['n_family']} comparisons"
        yield f"corrected, {family}", f"Holm {p(row['holm_p'])}, BH {p(row['bh_p'])}"
        yield "other tests", f"t {p(row['t_p'])}, random signs {p(row['permutation_p'])}"
    if row["mcnemar_null_reason"] is None:
        yield "solved by one alone", f"{names[0]} {row['n_only_a']}, {names[1]} {row['n_only_b']}"
        yield "solved by both, neither", f"{row['n_both']}, {row['n_neither']}"
    if row["minimum_detectable_effect"] is not None:
        least = _value(row, "minimum_detectable_effect", " points")
        yield "detectable difference, 80 % power", least
        margin = _value(row, "equivalence_margin", " points")
        yield f"equivalent within {margin}", "yes" if row["equivalent"] else "not established"
    if row["variance_null_reason"] is None:
        shares = f"{row['var_problem']:.4f}, {row['var_sampling']:.4f}"
        yield "variance of problems, of samples", shares


def _is_score(row: dict[str, Any]) -> bool:
    """Tell whether a metric is printed as it is; others are printed in percent."""
    return str(row["metric"]).startswith(BRIER)


def _unit(row: dict[str, Any]) -> str:
    return "" if _is_score(row) else " points"


def _value(row: dict[str, Any], name: str, unit: str) -> str:
    shown = number(row[name], SCORE if _is_score(row) else PERCENT)
    return shown if _is_score(row) or row[name] is None else f"{shown}{unit}"


def _change(row: dict[str, Any], name: str) -> str:
    return number(row[name], CHANGE if _is_score(row) else POINTS)


def _interval(row: dict[str, Any]) -> str:
    reason = row["interval_null_reason"]
    if reason:
        return f"no interval: {REASONS[reason]}"
    return f"95 % interval [{_change(row, 'difference_lo')}, {_change(row, 'difference_hi')}]"


def p(value: float | None) -> str:
    """Return a p value as printed: two digits, never 0."""
    if value is None:
        return "--"
    return f"{value:.2g}" if value >= 1e-15 else "< 1e-15"


def title(row: dict[str, Any]) -> str:
    """Return what a comparison is of: dataset, metric, problems."""
    metric = _metric(row["metric"], row["k"])
    aside = ", simulated" if row["simulated"] else ""
    return f"{text(row['dataset'])}{aside}: {metric} over {row['n_common']} problems of both"


def _metric(metric: str, k: int) -> str:
    if metric.startswith(BRIER):
        return f"Brier score of {metric.removeprefix(BRIER)} (lower is better)"
    return METRICS.get(metric, metric).format(k=k)


def entry_names(row: dict[str, Any]) -> Sequence[str]:
    """Return what to call both entries: by revision or setting where the name is the same."""
    names = [text(f"{row[f'lm_{side}']}") for side in "ab"]
    if names[0] != names[1]:
        return names
    told = "setting" if row["lm_id_a"] == row["lm_id_b"] else "revision"
    return [
        f"{name} ({text(row[f'{told}_{side}'])})" for name, side in zip(names, "ab", strict=True)
    ]


def flip_lines(row: dict[str, Any]) -> Iterator[str]:
    """Yield the problems that differ: verdicts, or how many samples are right, and generations."""
    yield f"  {'problem':20}  {'A':13}  {'B':13}  {'generation of A':32}  generation of B"
    for each in row["flips"]:
        cells = [
            each[f"verdict_{side}"] or f"{each[f'n_passed_{side}']} of {each[f'n_{side}']}"
            for side in "ab"
        ]
        known = [each[f"generation_ids_{side}"] for side in "ab"]
        ids = [keys[0] if len(keys) == 1 else f"{len(keys)} samples" for keys in known]
        yield (
            f"  {text(each['task_id']):20}  {cells[0]:13}  {cells[1]:13}  {text(ids[0]):32}  "
            f"{text(ids[1])}"
        )
