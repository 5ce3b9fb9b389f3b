"""Ratings of pairs once more, slowly, in plain Python from raw rows."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, permutations
from statistics import correlation, mean, median
from typing import Any

Raw = dict[str, list[dict[str, Any]]]
WANTED = {"judge_v1": (1, 1), "judge_v2": (3, 6)}
"""Replies about a program and itself, and about two programs."""


def rated_values(raw: Raw) -> dict[tuple[str, str, str], float | None]:
    """Return the value of (scorer, smaller, larger candidate); None where it has no score."""
    measures = {row["scorer_id"]: row["measure"] for row in raw["scorer"]}
    found: dict[tuple[str, str, str], float | None] = {}
    pairs = defaultdict(list)
    for row in raw["pair_rating"]:
        one, other = sorted([row["candidate_first"], row["candidate_second"]])
        pairs[row["scorer_id"], one, other].append(row)
    for key, rows in pairs.items():
        if measures[key[0]] == "human_v1":
            raters = defaultdict(list)
            for row in rows:
                raters[row["rater"]].append(row["level"])
            found[key] = as_share(mean(Fraction(mean(levels)) for levels in raters.values()))
        elif len(rows) == WANTED[measures[key[0]]][key[1] != key[2]]:
            middles = [median(levels) if levels else None for levels in _levels(rows).values()]
            found[key] = (
                None if None in middles else as_share(Fraction(mean(map(Fraction, middles))))
            )
    return found


def as_share(level: Fraction) -> float:
    """Return a level from 1 to 5 as a similarity from 0 to 1."""
    return float((level - 1) / 4)


def _levels(rows: list[dict[str, Any]]) -> dict[str, list[int]]:
    """Return the levels of each order, by the program that is shown first."""
    found: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        found[row["candidate_first"]] += [row["level"]] if row["level"] is not None else []
    return found


def health(raw: Raw, scorer: str) -> dict[str, Any]:
    """Return what judge_health says of a scorer, without counts of replies."""
    pairs = defaultdict(list)
    for row in raw["pair_rating"]:
        if row["scorer_id"] == scorer:
            pairs[frozenset([row["candidate_first"], row["candidate_second"]])].append(row)
    biases: dict[str, list[float]] = defaultdict(list)
    apart, votes, identical = [], [], []
    for pair, rows in pairs.items():
        levels = _levels(rows)
        for each in levels.values():
            votes += [abs(x - y) for x, y in combinations(each, 2)]
        if len(pair) == 1:
            identical += next(iter(levels.values()))
        if len(pair) == 1 or len(levels) < 2 or [] in levels.values():
            continue
        one, other = levels
        apart.append(abs(median(levels[one]) - median(levels[other])))
        row = next(row for row in rows if row["candidate_first"] == one)
        longer = row["n_characters_first"] - row["n_characters_second"]
        if longer:
            gap = mean(levels[one]) - mean(levels[other])
            biases[row["problem_id"]].append(gap if longer > 0 else -gap)
    return {
        "n_pairs": len(pairs),
        "vote_difference": _mean(votes),
        "n_vote_pairs": len(votes),
        "level_of_identical": _mean(identical),
        "n_levels_of_identical": len(identical),
        "order_difference": _mean(apart),
        "share_differing": _mean([gap > 0 for gap in apart]),
        "n_pairs_both_orders": len(apart),
        "order_bias": _mean([gap for gaps in biases.values() for gap in gaps]),
        "n_pairs_bias": sum(map(len, biases.values())),
        "n_problems_bias": len(biases),
        "biases": [biases[problem] for problem in sorted(biases)],
    }


def agreement(levels: dict[str, dict[Any, float]]) -> tuple[list[float], float | None]:
    """Return Pearson's r of raters with ten common pairs, and Krippendorff's alpha (interval).

    ``levels`` has the level of each pair by each rater. Alpha is computed by its definition, from
    the coincidences of values within pairs (Krippendorff 2011).
    """
    found = []
    for one, other in combinations(sorted(levels), 2):
        both = sorted(levels[one].keys() & levels[other].keys(), key=str)
        x, y = [[levels[who][pair] for pair in both] for who in (one, other)]
        if len(both) >= 10 and len(set(x)) > 1 and len(set(y)) > 1:
            found.append(correlation(x, y))
    units = defaultdict(list)
    for rated in levels.values():
        for pair, level in rated.items():
            units[pair].append(level)
    coincidences: dict[tuple[float, float], float] = defaultdict(float)
    for values in units.values():
        for x, y in permutations(values, 2):
            coincidences[x, y] += 1 / (len(values) - 1)
    totals: dict[float, float] = defaultdict(float)
    for (x, _), weight in coincidences.items():
        totals[x] += weight
    n = sum(totals.values())
    observed = sum(weight * (x - y) ** 2 for (x, y), weight in coincidences.items())
    expected = sum(totals[x] * totals[y] * (x - y) ** 2 for x in totals for y in totals)
    return found, 1 - (n - 1) * observed / expected if expected else None


def _mean(values: list[Any]) -> float | None:
    return sum(values) / len(values) if values else None
