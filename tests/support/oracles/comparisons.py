"""Comparisons of entries once more, from raw rows: SciPy's tests and plain loops, no SQL."""

import hashlib
import math
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from scipy import stats

from tests.support.oracles import boards, execution, headlines
from tests.support.oracles.execution import Raw

LEAST, FEWEST, MARGIN, POWER_Z = 10, 20, 0.05, 0.8416212335729143
LEAST_DIFFERING = 5
Entry = tuple[str, str, str]  # language model, dataset, setting
Values = dict[str, tuple[float, float | None, int]]
"""By problem: the value, the variance of drawing samples, and the samples."""


@dataclass(frozen=True)
class EntryPair:
    """Two entries of a release, and what they are two of."""

    pairing: str
    a: Entry
    b: Entry


def pairs(raw: Raw) -> list[EntryPair]:
    """Return the pairs that are compared, each once."""
    found = execution.samples(raw)
    releases = {entry: next(iter(cells)).rpartition(".")[0] for entry, cells in found.items()}
    settings = execution.by(raw["setting"], "setting_id")
    lms = execution.by(raw["language_model"], "lm_id")
    shown = {
        (lm, dataset, ranks[0][0].setting)
        for (family, lm, dataset), ranks in headlines.ranked(raw).items()
        if family == "leaderboard"
    }
    placed = boards.board_entries(raw)
    here: list[EntryPair] = []
    for one, other in combinations(sorted(found), 2):
        first, second = placed[one], placed[other]
        if first.board == second.board and not first.unranked_reason and not second.unranked_reason:
            ends = sorted((one, other), key=lambda e: (e[0], _words(settings, e)))
            here.append(EntryPair("board", *ends))
        asked, asked_too = settings[one[2]], settings[other[2]]
        if releases[one] != releases[other] or asked["task"] != asked_too["task"]:
            continue
        if one[0] == other[0]:
            here.append(
                EntryPair("settings", *sorted((one, other), key=lambda e: _words(settings, e)))
            )
        elif (
            {one, other} <= shown
            and lms[one[0]]["simulated"] == lms[other[0]]["simulated"]
            and asked["prompt_kind"] == asked_too["prompt_kind"]
        ):
            here.append(EntryPair("language_models", one, other))
    return here


def _words(settings: dict[Any, Any], entry: Entry) -> tuple[str, str]:
    """Sort settings as their words do: prompt, then temperature."""
    row = settings[entry[2]]
    prompt = "" if row["prompt_kind"] == "original" else f", {row['prompt_kind']} prompt"
    resampled = ", resampled" if row["resampled"] else ""
    words = f"{row['style']}{prompt}, T={row['temperature']}, top_p={row['top_p']}"
    return f"{words}, max_tokens={row['max_tokens']}{resampled}", entry[2]


def pass_values(raw: Raw, k: int) -> dict[Entry, Values]:
    """Return pass@k of each problem of each entry that has it."""
    values: dict[Entry, Values] = {}
    for entry, cells in execution.samples(raw).items():
        values[entry] = {}
        for problem, samples in cells.items():
            verdicts = [one["verdict"] for one in samples if one["verdict"]]
            n, c = len(verdicts), verdicts.count("passed")
            left_out = execution.set_aside(raw, problem) or execution.replaced(raw, entry[2])
            value = execution.pass_at_k(n, c, k)
            if value is not None and not left_out:
                values[entry][problem] = (value, variance(n, c, k), n)
    return values


def variance(n: int, c: int, k: int) -> float | None:
    """Estimate the variance of pass@k over draws of n samples, without bias."""
    if n < 2 * k:
        return None
    wrong = math.comb(n - c, k) / math.comb(n, k)
    return wrong**2 - math.comb(n - c, 2 * k) / math.comb(n, 2 * k)


def signs(n_places: int) -> list[list[int]]:
    """Return, for each replicate, a sign per place."""
    found = []
    for replicate in range(execution.REPLICATES):
        row: list[int] = []
        for word in range(-(-n_places // 64)):
            text = f"{execution.SEED}:flip:{replicate}:{word}".encode()
            digest = hashlib.md5(text, usedforsecurity=False).digest()
            bits = int.from_bytes(digest[8:16], "little")
            row += [1 if bits & (1 << bit) else -1 for bit in range(64)]
        found.append(row[:n_places])
    return found


def flipped_p(differences: dict[int, float], flips: Sequence[Sequence[int]]) -> float:
    """Return the p value of the sign-flip test; differences by place from 0."""
    observed = abs(math.fsum(differences.values()))
    hits = sum(
        abs(math.fsum(row[at] * value for at, value in differences.items())) >= observed - 1e-9
        for row in flips
    )
    return (1 + hits) / (1 + len(flips))


def exact_p(differences: Sequence[float]) -> float:
    """Return the p value over all signs of the differences that are not 0."""
    sizes = [abs(each) for each in differences if abs(each) > 1e-9]
    chances = {0.0: 1.0}
    for size in sizes:
        reached: dict[float, float] = defaultdict(float)
        for total, chance in chances.items():
            for other in (total + size, total - size):
                reached[round(other, 11)] += chance / 2
        chances = reached
    observed = abs(math.fsum(differences))
    return math.fsum(c for total, c in chances.items() if abs(total) >= observed - 1e-9)


def compare(
    a: Values, b: Values, place: dict[Any, int], flips: Any, *, solved: bool = True
) -> dict[str, Any]:
    """Return what the view has of two entries, by its columns; corrections come later.

    ``solved``: a value of 1 means a problem that is solved.
    """
    common = sorted(a.keys() & b.keys(), key=place.__getitem__)
    n = len(common)
    row: dict[str, Any] = {
        "n_common": n, "n_dropped_a": len(a) - n, "n_dropped_b": len(b) - n,
        "null_reason": None if n else "no_common_problems",
        "test_null_reason": ["no_common_problems", "one_problem", None][min(n, 2)],
    }  # fmt: skip
    left, right = [a[p][0] for p in common], [b[p][0] for p in common]
    d = [x - y for x, y in zip(left, right, strict=True)]
    row["n_differing"] = sum(abs(each) > 1e-9 for each in d)
    for name, values in (("value_a", left), ("value_b", right), ("difference", d)):
        row[name] = math.fsum(values) / n if n else None
    _count(row, a, b, common, solved)
    spread = math.sqrt(sum((x - row["difference"]) ** 2 for x in d) / (n - 1)) if n > 1 else 0.0
    row["standard_error"] = spread / math.sqrt(n) if spread > 1e-9 else None
    _bound(row, d)
    if n < 2:
        row |= dict.fromkeys(("test", "p_value", "t_p", "permutation_p", "n_permutations"))
    else:
        drawn = row["n_differing"] >= FEWEST and row["standard_error"] is not None
        row["n_permutations"] = len(flips) if drawn else None
        at = {place[p]: x for p, x in zip(common, d, strict=True)}
        row["permutation_p"] = flipped_p(at, flips) if drawn else exact_p(d)
        row["t_p"] = None if row["n_differing"] else 1.0
        if row["standard_error"] is not None:
            row["t_p"] = float(stats.ttest_rel(left, right).pvalue)
        many = row["n_differing"] >= FEWEST and row["t_p"] is not None
        row["test"] = "t" if many else "permutation"
        if row["mcnemar_p"] is not None:
            row["test"] = "mcnemar"
        row["p_value"] = row[f"{row['test']}_p"]
    _split(row, d, [a[p][1] for p in common], [b[p][1] for p in common])
    return row


def _count(row: dict[str, Any], a: Values, b: Values, common: list[str], solved: bool) -> None:
    """Add the counts of solved problems and McNemar's test, or why there are none."""
    reason = row["test_null_reason"]
    if reason is None and not solved:
        reason = "not_applicable"
    if reason is None and {x[p][2] for x in (a, b) for p in common} != {1}:
        reason = "several_samples"
    if reason is None and not {x[p][0] for x in (a, b) for p in common} <= {0.0, 1.0}:
        reason = "not_binary"
    row["mcnemar_null_reason"] = reason
    cells = [(a[p][0], b[p][0]) for p in common]
    names = {"n_only_a": (1, 0), "n_only_b": (0, 1), "n_both": (1, 1), "n_neither": (0, 0)}
    for name, cell in names.items():
        row[name] = None if reason else cells.count(cell)
    discordant = 0 if reason else row["n_only_a"] + row["n_only_b"]
    row["mcnemar_p"] = None if reason else 1.0
    if discordant:
        row["mcnemar_p"] = float(stats.binomtest(row["n_only_a"], discordant).pvalue)


def _bound(row: dict[str, Any], d: list[float]) -> None:
    """Add the interval and what else needs a standard error, or why there is none."""
    reason = row["test_null_reason"]
    if reason is None and row["n_differing"] == 0:
        reason = "no_difference"
    if reason is None and row["standard_error"] is None:
        reason = "zero_variance"
    if reason is None and len(d) < LEAST:
        reason = "problems_lt_min"
    if reason is None and _n_off_median(d) < LEAST_DIFFERING:
        reason = "differing_lt_min"
    row["interval_null_reason"] = reason
    names = ("difference_lo", "difference_hi", "minimum_detectable_effect", "equivalent")
    row |= dict.fromkeys((*names, "tost_lower_p", "tost_upper_p"))
    if reason is None:
        found = stats.ttest_1samp(d, 0).confidence_interval(0.95)
        row["difference_lo"], row["difference_hi"] = float(found.low), float(found.high)
        row["minimum_detectable_effect"] = (stats.norm.ppf(0.975) + POWER_Z) * row["standard_error"]
        above = float(stats.ttest_1samp(d, -MARGIN, alternative="greater").pvalue)
        below = float(stats.ttest_1samp(d, MARGIN, alternative="less").pvalue)
        row |= {
            "tost_lower_p": above,
            "tost_upper_p": below,
            "equivalent": max(above, below) < 0.05,
        }


def _n_off_median(d: list[float]) -> int:
    middle = statistics.median(d)
    return sum(abs(each - middle) > 1e-9 for each in d)


def _split(row: dict[str, Any], d: list[float], a: list[Any], b: list[Any]) -> None:
    """Add what of the variance comes from drawing samples, and what is left."""
    reason = row["test_null_reason"]
    if reason is None and None in (*a, *b):
        reason = "n_lt_2k"
    row["variance_null_reason"] = reason
    row["var_sampling"] = row["var_problem"] = None
    if reason is None:
        row["var_sampling"] = sum(a + b) / len(d)
        mean = sum(d) / len(d)
        row["var_problem"] = sum((x - mean) ** 2 for x in d) / (len(d) - 1) - row["var_sampling"]


def holm(ps: Sequence[float]) -> list[float]:
    """Correct p values, in their order, by Holm's procedure."""
    order = sorted(range(len(ps)), key=ps.__getitem__)
    found, highest = [0.0] * len(ps), 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[at]))
        found[at] = highest
    return found


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """Correct p values as SciPy does."""
    return [float(p) for p in stats.false_discovery_control(ps)] if ps else []


def correct(rows: dict[Any, dict[str, Any]], family: Any) -> None:
    """Add the corrected p values of each family; ``family`` names that of a key."""
    families: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for key, row in rows.items():
        families[family(key)].append(row)
    for members in families.values():
        tested = [row for row in members if row["p_value"] is not None]
        ps = [row["p_value"] for row in tested]
        for row in members:
            row |= {"n_family": len(tested), "holm_p": None, "bh_p": None}
        for row, strict, loose in zip(tested, holm(ps), benjamini_hochberg(ps), strict=True):
            row |= {"holm_p": strict, "bh_p": loose}
