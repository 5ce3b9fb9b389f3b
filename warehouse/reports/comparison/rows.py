"""The comparisons of two entries that somebody asks for, and the problems that differ."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warehouse.errors import BadInput, known_names
from warehouse.parameters import BadValue
from warehouse.reports.display import text
from warehouse.reports.metric_words import METRICS, SCORES, metric_name
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.query import query
from warehouse.reports.specs import CompareSpec
from warehouse.snapshot.query import QueryResult, Reader, opened

RESAMPLED = ("auroc_", "ece_", "skill_")
NAMES = ("lm_id", "setting_id", "forward_lm_id", "forward_setting_id")
KEYS = (*(f"{name}_{side}" for name in NAMES for side in "ab"), "release_id", "metric", "k")
CLAIMED_KEYS = ("claim_source_id_a", "claim_source_id_b", "metric")
PASS = "pass_at_k"


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
    keys: Sequence[str] = KEYS

    def named(self) -> list[dict[str, Any]]:
        """Return the rows by column, each with its problems that differ if they were asked for."""
        found = [dict(zip(self.rows.columns, row, strict=True)) for row in self.rows.rows]
        if self.flips is None:
            return found
        names = self.keys
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
    if spec.claimed:
        return _compare_claims(spec)
    with opened(warehouse=spec.warehouse) as reader:
        view = versioned(reader, "comparison", 1)
        one, other = (lm_key(reader, name) for name in (spec.a, spec.b))
        chosen = selected(reader, view, one, other, spec, resample)
        rows = reader.one(chosen)
        if not rows.rows:
            raise BadInput(_why_none(reader, view, one, other, spec))
        flips = reader.one(_flips(chosen)) if spec.flips else None
    return Comparison(rows, flips, f"{view}, {reader.source}")


def _compare_claims(spec: CompareSpec) -> Comparison:
    with opened(warehouse=spec.warehouse) as reader:
        view = versioned(reader, "claimed_comparison", 1)
        if not reader.one(query("comparison/claimed/language_models")).rows:
            raise BadInput("there are no claims: `assay claims` imports them, then `assay build`")
        one, other = (lm_key(reader, name, "claimed/language_models") for name in (spec.a, spec.b))
        asked = {"dataset": spec.dataset, "metric": spec.metric}
        given = {name: value for name, value in asked.items() if value is not None}
        chosen = query(
            "comparison/claimed/pairs", view=view, lm_id=one, other_lm_id=other, given=given
        )
        rows = reader.one(chosen)
        if not rows.rows:
            raise BadInput(
                unknown_value(reader, view, asked)
                or f"nobody claims results of {text(spec.a)} and {text(spec.b)} on one dataset "
                "and metric (see claimed_comparison)"
            )
        flips = reader.one(query("comparison/claimed/flips", rows=chosen)) if spec.flips else None
    return Comparison(rows, flips, f"{view}, {reader.source}", CLAIMED_KEYS)


def lm_key(reader: Reader, name: str, among: str = "language_models") -> str:
    """Return the key of a language model with entries: by name, name and revision, or key.

    Raises BadInput for a name that is unknown or means several. ``among`` is the query of these.
    """
    known = reader.one(query(f"comparison/{among}")).rows
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
    Raises BadValue for a number of replicates where nothing is resampled.
    """
    is_resampled = f"{spec.metric}_".startswith(RESAMPLED)
    if spec.replicates is not None and not is_resampled:
        fault = "goes with --metric auroc, ece or skill: nothing else resamples"
        raise BadValue("replicates", fault)
    chosen = _selected(_of_family(view, one, other, spec), one, other, spec)
    if reader.one(chosen, max_rows=1).rows:
        if spec.replicates is not None:
            raise BadValue(
                "replicates",
                f"{view} has this pair, with the replicates of `assay calibrate`: leave it out",
            )
        return chosen
    settings = [
        (a, b)
        for a in _settings(reader, one, spec.setting_a)
        for b in _settings(reader, other, spec.setting_b)
        if (one, a) != (other, b)
    ]
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
    found = reader.one(query("comparison/resampled/subjects", **asked)).rows
    measure = None if spec.metric in _groups() else (spec.metric or PASS).partition("_")[2]
    pairs = [pair for pair in (AskedPair(*row) for row in found) if measure in (None, pair.measure)]
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
    group = _groups().get(spec.metric or PASS)
    wanted = {
        "dataset": spec.dataset,
        "metric": None if group else spec.metric or PASS,
        "setting_id_a": spec.setting_a,
        "setting_id_b": spec.setting_b,
        "k": spec.k,
    }
    given = {name: value for name, value in wanted.items() if value is not None}
    asked = {"lm_id": one, "other_lm_id": other, "given": given, "group": group}
    return query("comparison/selected", rows=rows, **asked)


def _why_none(reader: Reader, view: str, one: str, other: str, spec: CompareSpec) -> str:
    """Return why there is no row: which names do not fit, or why two entries are not compared."""
    metric = None if spec.metric in _groups() else spec.metric or PASS
    asked = {"dataset": spec.dataset, "metric": metric, "k": spec.k}
    if unknown := unknown_value(reader, view, asked):
        return unknown
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


def unknown_value(reader: Reader, view: str, asked: Mapping[str, Any]) -> str | None:
    """Return what is said of the first value asked for that no comparison has."""
    for name, value in asked.items():
        stored = reader.one(query("comparison/values", view=view, column=name)).rows
        known = [str(found) for (found,) in stored]
        if value is not None and str(value) not in known:
            # a metric that these data lack is no slip of the pen: all that they have are listed
            meant = "" if value in METRICS else str(value)
            return f"no comparison has the {name} {text(value)!r}{known_names(meant, known)}"
    return None


def _has_entry(reader: Reader, lm_id: str, setting_id: str) -> bool:
    return bool(reader.one(query("comparison/entry", lm_id=lm_id, setting_id=setting_id)).rows)


def problems_query(chosen: str) -> str:
    """Return the query of one row per problem of both: their values, verdicts and generations."""
    return query("comparison/problems", rows=chosen)


def _flips(chosen: str) -> str:
    """Return the query of the problems whose values differ, widest first."""
    return query("comparison/flips", rows=problems_query(chosen))
