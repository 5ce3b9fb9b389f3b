"""Two entries beside each other, and the problems that one of them solves alone."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from models.words import LEAST_CLUSTERS
from warehouse.errors import BadInput, known_names
from warehouse.reports.display import ShownColumn, number, text
from warehouse.reports.metric_words import SCORES, is_score, metric_name
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.query import query
from warehouse.reports.specs import CompareSpec
from warehouse.snapshot.query import QueryResult, Reader, opened

RESAMPLED = ("auroc_", "ece_", "skill_")
NAMES = ("lm_id", "setting_id", "forward_lm_id", "forward_setting_id")
TESTS = {
    "mcnemar": "exact McNemar test",
    "t": "paired t test",
    "permutation": "signs",
    "bootstrap": "paired bootstrap",
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
    "not_applicable": "1 does not mean solved",
    "single_class": "all answers are right, or all wrong",
    "no_variation": "the value is the same in every resample",
}
PERCENT = ShownColumn("value", "value", 0, True, fraction=True, decimals=1)
POINTS = ShownColumn("difference", "difference", 0, True, fraction=True, decimals=1, signed=True)
SCORE = ShownColumn("value", "value", 0, True, decimals=4)
CHANGE = ShownColumn("difference", "difference", 0, True, decimals=4, signed=True)


@dataclass(frozen=True)
class AskedPair:
    """Two entries and a measure of confidence, whose differences are resampled."""

    entry_a: int
    entry_b: int
    measure: str
    subject_no_a: int
    subject_no_b: int
    n_problems_a: int
    n_problems_b: int


Resample = Callable[[Sequence[AskedPair], Any], list[dict[str, Any]]]
"""Takes pairs and an Arrow table of their answers; returns a row per pair and metric."""


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
        ends = (f"{name}_{side}" for name in NAMES for side in "ab")
        names = (*ends, "release_id", "metric", "k")
        flips = [dict(zip(self.flips.columns, row, strict=True)) for row in self.flips.rows]
        for row in found:
            mine = [each for each in flips if all(each[name] == row[name] for name in names)]
            row["flips"] = [
                {name: value for name, value in each.items() if name not in names} for each in mine
            ]
        return found


def compare(spec: CompareSpec, resample: Resample | None = None) -> Comparison:
    """Return the comparisons of two language models, or of the settings of one.

    ``resample`` takes differences that are no means over problems, of pairs that the view lacks.
    Raises BadInput for a name that is unknown or means several, and when nothing is compared.
    """
    with opened(warehouse=spec.warehouse) as reader:
        view = versioned(reader, "comparison", 1)
        one, other = (lm_key(reader, name) for name in (spec.a, spec.b))
        chosen = selected(reader, view, one, other, spec, resample)
        rows = reader.one(chosen)
        if not rows.rows:
            raise BadInput(_why_none(reader, view, one, other, spec))
        flips = reader.one(_flips(chosen)) if spec.flips else None
        source = reader.snapshot.snapshot_id if reader.snapshot else "the warehouse"
    return Comparison(rows, flips, f"{view}, {source}")


def lm_key(reader: Reader, name: str) -> str:
    """Return the key of a language model with entries: by name, name and revision, or key.

    Raises BadInput for a name that is unknown or means several.
    """
    known = reader.one(query("comparison/language_models")).rows
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


def selected(
    reader: Reader,
    view: str,
    one: str,
    other: str,
    spec: CompareSpec,
    resample: Resample | None = None,
) -> str:
    """Return the query of the comparisons asked for.

    Pairs of a family are rows of the view, with p values corrected for it. Any others are computed.
    """
    chosen = _selected(_of_family(view, one, other, spec), one, other, spec)
    if reader.one(chosen, max_rows=1).rows:
        return chosen
    settings = [
        (a, b)
        for a in _settings(reader, one, spec.setting_a)
        for b in _settings(reader, other, spec.setting_b)
        if (one, a) != (other, b)
    ]
    is_resampled = f"{spec.metric}_".startswith(RESAMPLED)
    macro = "resampled_v1" if is_resampled else "compared_v1"
    if not settings or not reader.one(query("comparison/computes", macro=macro)).rows:
        return chosen
    asked = {"lm_id": one, "other_lm_id": other, "settings": settings}
    if not is_resampled:
        return _selected(query("comparison/of_any_two", **asked), one, other, spec)
    found = _resampled(reader, spec, asked, resample) if resample else []
    if not found:
        return chosen
    return _selected(query("comparison/resampled/differences", differences=found), one, other, spec)


def _resampled(
    reader: Reader, spec: CompareSpec, asked: dict[str, Any], resample: Resample
) -> list[dict[str, Any]]:
    """Return the differences of two entries that are resampled, of the measures asked for.

    Raises BadInput for a snapshot, which leaves single answers out.
    """
    pairs = [
        AskedPair(*row) for row in reader.one(query("comparison/resampled/subjects", **asked)).rows
    ]
    pairs = [
        pair
        for pair in pairs
        if spec.metric in _groups() or spec.metric.partition("_")[2] == pair.measure
    ]
    if not pairs:
        return []
    if "calibration_pairs" not in reader.versions():
        raise BadInput(
            f"{spec.metric} of these two is resampled from single answers, which a snapshot "
            "leaves out: add --warehouse"
        )
    subjects = sorted({no for pair in pairs for no in (pair.subject_no_a, pair.subject_no_b)})
    return resample(pairs, reader.arrow(query("comparison/resampled/answers", subjects=subjects)))


def _groups() -> dict[str, str]:
    """Return the names that ask for a metric of every measure, each with its prefix."""
    return {prefix.removesuffix("_"): prefix for prefix in SCORES}


def _settings(reader: Reader, lm_id: str, setting_id: str | None) -> list[str]:
    """Return the setting asked for, or those under which the leaderboard shows it."""
    if setting_id is not None:
        return [setting_id]
    found = reader.one(query("comparison/settings", lm_id=lm_id))
    return [str(setting) for (setting,) in found.rows]


def _of_family(view: str, one: str, other: str, spec: CompareSpec) -> str:
    """Return the query of the view's rows with the language model named first as a."""
    once = one == other and spec.setting_a is None and spec.setting_b is None
    pairing = "settings" if one == other else "language_models"
    if one != other and (spec.setting_a or spec.setting_b):
        pairing = "board"
    return query("comparison/of_family", view=view, once=once, pairing=pairing)


def _selected(rows: str, one: str, other: str, spec: CompareSpec) -> str:
    group = _groups().get(spec.metric)
    wanted = {
        "dataset": spec.dataset,
        "metric": None if group else spec.metric,
        "setting_id_a": spec.setting_a,
        "setting_id_b": spec.setting_b,
        "k": spec.k,
    }
    given = {name: value for name, value in wanted.items() if value is not None}
    asked = {"lm_id": one, "other_lm_id": other, "given": given, "group": group}
    return query("comparison/selected", rows=rows, **asked)


def _why_none(reader: Reader, view: str, one: str, other: str, spec: CompareSpec) -> str:
    """Return why there is no row: which names do not fit, or why two entries are not compared."""
    metric = None if spec.metric in _groups() else spec.metric
    asked = {"dataset": spec.dataset, "metric": metric, "k": spec.k}
    for name, value in asked.items():
        stored = reader.one(query("comparison/values", view=view, column=name)).rows
        known = [str(found) for (found,) in stored]
        if value is not None and str(value) not in known:
            return f"no comparison has the {name} {text(value)!r}{known_names(str(value), known)}"
    for lm_id, setting in ((one, spec.setting_a), (other, spec.setting_b)):
        if setting is not None and not _has_entry(reader, lm_id, setting):
            return f"no entry has the setting {text(setting)!r} (see compared_entries)"
    asked_about = query("comparison/compared_by", view=view, lm_id=one, other_lm_id=other)
    whole = reader.one(asked_about).rows
    if whole:
        there = ", ".join(f"{metric_name(metric, k)} on {text(name)}" for name, metric, k in whole)
        return f"nothing is selected: these two are compared by {there}"
    if one == other:
        return f"{text(spec.a)} has one setting per dataset and task: there is nothing to compare"
    return (
        f"{text(spec.a)} and {text(spec.b)} did not answer one release of a dataset "
        "(see compared_entries)"
    )


def _has_entry(reader: Reader, lm_id: str, setting_id: str) -> bool:
    return bool(reader.one(query("comparison/entry", lm_id=lm_id, setting_id=setting_id)).rows)


def problems_query(chosen: str) -> str:
    """Return the query of one row per problem of both: their values, verdicts and generations."""
    return query("comparison/problems", rows=chosen)


def _flips(chosen: str) -> str:
    """Return the query of the problems whose values differ, widest first."""
    return query("comparison/flips", rows=problems_query(chosen))


def described(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is printed of one comparison: labels and numbers."""
    names = entry_names(row)
    for side, name in zip("ab", names, strict=True):
        left_out = row[f"n_dropped_{side}"]
        more = f", {left_out} more problems left out" if left_out else ""
        yield name, f"{_value(row, f'value_{side}', ' %')}{more}"
    if row["asked_otherwise"]:
        yield "asked otherwise", text(row["asked_otherwise"])
    if row["null_reason"]:
        yield "difference", f"none: {REASONS[row['null_reason']]}"
        return
    yield "difference", f"{_change(row, 'difference')}{_unit(row)}, {_interval(row)}"
    if row["p_value"] is not None:
        yield f"p, {TESTS[row['test']]}", p(row["p_value"])
        family = f"of {row['n_family']} comparison{'s' * (row['n_family'] != 1)}"
        yield f"corrected, {family}", f"Holm {p(row['holm_p'])}, BH {p(row['bh_p'])}"
        if row["test"] != "bootstrap":
            yield "other tests", f"t {p(row['t_p'])}, signs {p(row['permutation_p'])}"
    if row["mcnemar_null_reason"] is None:
        yield "solved by one alone", f"{names[0]} {row['n_only_a']}, {names[1]} {row['n_only_b']}"
        yield "solved by both, neither", f"{row['n_both']}, {row['n_neither']}"
    if row["minimum_detectable_effect"] is not None:
        least = _value(row, "minimum_detectable_effect", " points")
        yield "detectable difference, 80 % power", least
    if row["equivalent"] is not None:
        margin = _value(row, "equivalence_margin", " points")
        yield f"equivalent within {margin}", "yes" if row["equivalent"] else "not established"
    if row["variance_null_reason"] is None:
        shares = f"{row['var_problem']:.4f}, {row['var_sampling']:.4f}"
        yield "variance of problems, of samples", shares


def _unit(row: dict[str, Any]) -> str:
    return "" if is_score(row["metric"]) else " points"


def _value(row: dict[str, Any], name: str, unit: str) -> str:
    shown = number(row[name], SCORE if is_score(row["metric"]) else PERCENT)
    return shown if is_score(row["metric"]) or row[name] is None else f"{shown}{unit}"


def _change(row: dict[str, Any], name: str) -> str:
    return number(row[name], CHANGE if is_score(row["metric"]) else POINTS)


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
    metric = metric_name(row["metric"], row["k"])
    aside = ", simulated" if row["simulated"] else ""
    return f"{text(row['dataset'])}{aside}: {metric} over {row['n_common']} problems of both"


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
    """Yield the problems that differ: verdicts, right samples or values, and generations."""
    yield f"  {'problem':20}  {'A':13}  {'B':13}  {'generation of A':32}  generation of B"
    for each in row["flips"]:
        cells = [_flipped(row, each, side) for side in "ab"]
        known = [each[f"generation_ids_{side}"] or [] for side in "ab"]
        ids = [keys[0] if len(keys) == 1 else f"{len(keys)} samples" for keys in known]
        yield (
            f"  {text(each['task_id']):20}  {cells[0]:13}  {cells[1]:13}  {text(ids[0]):32}  "
            f"{text(ids[1])}"
        )


def _flipped(row: dict[str, Any], flip: dict[str, Any], side: str) -> str:
    """Return what is printed of one side of a problem."""
    if row["metric"] != "pass_at_k":
        return number(flip[f"value_{side}"], SCORE)
    return flip[f"verdict_{side}"] or f"{flip[f'n_passed_{side}']} of {flip[f'n_{side}']}"
