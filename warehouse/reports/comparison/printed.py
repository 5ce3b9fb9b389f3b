"""How two entries beside each other are printed: numbers, tests, and the problems that differ."""

from collections.abc import Iterator, Sequence
from typing import Any

from models.words import LEAST_CLUSTERS, LEAST_OF_A_CLASS
from warehouse.reports.comparison.rows import PASS
from warehouse.reports.display import ShownColumn, number, text
from warehouse.reports.metric_words import is_score, metric_name

TOLD = "setting"
TELLING = ("revision", TOLD, "claimant", "claimant_version", "label", "format")
"""What tells two entries of one name apart: the first of these that differs."""
TESTS = {
    "mcnemar": "exact McNemar test",
    "t": "paired t test",
    "permutation": "signs",
    "bootstrap": "paired bootstrap",
    "interval": "from the interval",
}
REASONS = {
    "no_common_problems": "the two have no problem in common",
    "one_problem": "the two have one problem in common",
    "no_difference": "the values are equal on every problem",
    "zero_variance": "the values differ by the same on every problem",
    "problems_lt_min": f"fewer than {LEAST_CLUSTERS} problems",
    "differing_lt_min": "too few problems differ from the median difference",
    "several_samples": "more than one sample per problem",
    "not_binary": "values between 0 and 1",
    "not_applicable": "1 does not mean solved",
    "single_class": "all answers of an entry are right, or all wrong",
    "class_lt_min": f"right answers to fewer than {LEAST_OF_A_CLASS} problems, or wrong ones",
    "no_variation": "the difference is the same in every resample",
}
NO_MEANS = ("auroc_", "ece_", "skill_")
PERCENT = ShownColumn("value", "value", 0, True, fraction=True, decimals=1)
POINTS = ShownColumn("difference", "difference", 0, True, fraction=True, decimals=1, signed=True)
SCORE = ShownColumn("value", "value", 0, True, decimals=4)
CHANGE = ShownColumn("difference", "difference", 0, True, decimals=4, signed=True)


def described(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is printed of one comparison: labels and numbers."""
    names = entry_names(row)
    if is_claimed(row):
        yield "claimed, not judged here, by", _claimants(row)
    for side, name in zip("ab", names, strict=True):
        left_out = row[f"n_dropped_{side}"]
        more = f", {left_out} more problem{'s' * (left_out != 1)} left out" if left_out else ""
        yield name, f"{_value(row, f'value_{side}', ' %')}{more}"
    for label in ("asked otherwise", "claimed otherwise"):
        if differing := row.get(label.replace(" ", "_")):
            yield label, text(differing)
    if row["null_reason"]:
        yield "difference", f"none: {REASONS[row['null_reason']]}"
        return
    yield "difference", f"{_change(row, 'difference')}{_unit(row)}, {_interval(row)}"
    if row["p_value"] is not None:
        yield f"p, {TESTS[row['test']]}", p(row["p_value"])
        family = f"of {row['n_family']} comparison{'s' * (row['n_family'] != 1)}"
        yield f"corrected, {family}", f"Holm {p(row['holm_p'])}, BH {p(row['bh_p'])}"
        if row["permutation_p"] is not None:
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
    return "" if _is_score(row) else " points"


def is_claimed(row: dict[str, Any]) -> bool:
    """Tell whether a comparison is of claimed verdicts, whose metrics have the claimants' names."""
    return "claimant_a" in row


def _is_score(row: dict[str, Any]) -> bool:
    """Tell whether values are printed as they are."""
    return not is_claimed(row) and is_score(row["metric"])


def _claimants(row: dict[str, Any]) -> str:
    names = [
        " ".join(filter(None, (row[f"claimant_{side}"], row[f"claimant_version_{side}"])))
        for side in "ab"
    ]
    return text("; ".join(dict.fromkeys(names)))


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
    metric = (
        f"claimed {text(row['metric'])}"
        if is_claimed(row)
        else metric_name(row["metric"], row["k"])
    )
    aside = ", simulated" if row["simulated"] else ""
    return f"{text(row['dataset'])}{aside}: {metric} over {row['n_common']} problems of both"


def entry_names(row: dict[str, Any]) -> Sequence[str]:
    """Return what to call both entries: by what differs of them where the name is the same."""
    names = [text(f"{row[f'lm_{side}']}") for side in "ab"]
    if names[0] != names[1]:
        return names
    told = next((name for name in TELLING if row.get(f"{name}_a") != row.get(f"{name}_b")), TOLD)
    return [
        f"{name} ({text(row[f'{told}_{side}'])})" for name, side in zip(names, "ab", strict=True)
    ]


def flip_lines(row: dict[str, Any]) -> Iterator[str]:
    """Yield the problems that differ: verdicts, right samples or values, and generations.

    What is claimed has no generations.
    """
    if not row["flips"]:
        no_mean = row["metric"].startswith(NO_MEANS)
        yield "  no problem has a value: it is no mean" if no_mean else "  no problem differs"
        return
    lines = [
        ["problem", "A", "B", *(() if is_claimed(row) else ("generation of A", "generation of B"))]
    ]
    for each in row["flips"]:
        cells = [text(each["task_id"]), *(_flipped(row, each, side) for side in "ab")]
        if not is_claimed(row):
            known = [each[f"generation_ids_{side}"] or [] for side in "ab"]
            cells += [text(ids[0]) if len(ids) == 1 else f"{len(ids)} samples" for ids in known]
        lines.append(cells)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = (f"{cell:{width}}" for cell, width in zip(line, widths, strict=True))
        yield "  ".join(("", *padded)).rstrip()


def _flipped(row: dict[str, Any], flip: dict[str, Any], side: str) -> str:
    """Return what is printed of one side of a problem."""
    if row["metric"] != PASS and not is_claimed(row):
        return number(flip[f"value_{side}"], SCORE)
    verdict = flip.get(f"verdict_{side}")
    return verdict or f"{flip[f'n_passed_{side}']} of {flip[f'n_{side}']}"
