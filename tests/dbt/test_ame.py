"""Mutation effects: published examples, and random worlds against oracles."""

import itertools
import json
import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest
from scipy.stats import binomtest, spearmanr, ttest_1samp

from tests.support.oracles import ame as ame_oracles
from tests.support.oracles import ame_statistics, headlines
from tests.support.oracles import execution as oracles
from tests.support.oracles.ame import PairScores
from tests.support.oracles.comparisons import exact_p
from tests.support.oracles.statistics.intervals import of_ratio
from tests.support.sql import macro, same
from tests.support.worlds.ame import (
    OPERATORS,
    PairWorld,
    random_pair_world,
)
from tests.support.worlds.ame_views import (
    AWAY,
    LEAST_PROBLEMS,
    RULES,
    SINGLE,
    VIEWS,
    built,
    check_interval,
)

# --- published examples -------------------------------------------------------------------------


def score(problem: int, original: float, mutated: float, m: int = 10) -> PairScores:
    first = (bool(original), bool(mutated)) if m == 1 else None
    return PairScores(
        f"p{problem}", "swap", 1, 1, "[]", None, original, mutated, None, None, first, m
    )  # fmt: skip


def test_published_example() -> None:
    """Hooda et al. 2024: six pairs by the caption of Table 2, five by sections 4.3 and 5.1."""
    rates = [(1, 1), (1, 0.4), (0.2, 0.5), (0, 0), (0, 0.3), (0.9, 0.9)]
    rows = [score(i, a, b) for i, (a, b) in enumerate(rates)]
    table = {name: ame_oracles.value(r) for name, r in ame_oracles.table_rule(rows).items()}
    assert table["ame"] == pytest.approx(0.225)
    assert table["ame_either"] == pytest.approx(0.24)
    assert table["accuracy_drop"] == pytest.approx(0.075)
    signed = ame_oracles.value(ame_oracles.better_rule(rows)["accuracy_drop"])
    assert signed == pytest.approx(0.0)
    single = [
        score(i, a, b, 1) for i, (a, b) in enumerate([(1, 1), (1, 0), (0, 1), (0, 0), (1, 1)])
    ]
    text = {name: ame_oracles.value(r) for name, r in ame_oracles.text_rule(single).items()}
    assert text["ame"] == pytest.approx(0.5)
    assert text["accuracy_drop"] == pytest.approx(0.0)


def test_mcnemar_is_exact() -> None:
    rng = random.Random(20240208)
    cases = [(0, 0), (0, 1), (3, 3), (3, 9), (0, 40), (1500, 1600), (5, 900), (2500, 2700)]
    cases += [(rng.randrange(200), rng.randrange(200)) for _ in range(200)]
    sql = macro("mcnemar.sql", "mcnemar_p('b', 'c')")
    for b, c in cases:
        (found,) = duckdb.sql(f"select {sql} from (select {b} as b, {c} as c)").fetchall()[0]
        truth = binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
        assert math.isclose(found, truth, rel_tol=1e-9), (b, c)


# --- random worlds ------------------------------------------------------------------------------


@pytest.mark.long
def test_views_agree_with_oracles(tmp_path: Path) -> None:
    """Some hundred entries, each a separate small world: gaps, faults, releases, editions."""
    world = random_pair_world(20240208, n_lms=110)
    found = built(world, tmp_path, VIEWS)
    assert all(found[view] == [] for view in AWAY)
    entries = ame_oracles.scores(world.raw)
    assert len(entries) > 300
    settings = oracles.by(world.raw["setting"], "setting_id")
    seen: Counter[str] = Counter()
    for view, (edition, rule) in RULES.items():
        ours = {(r["lm_id"], r["dataset"], r["setting_id"], r["mutation"]): r for r in found[view]}
        assert len(ours) == len(found[view])
        theirs = {
            (*key, mutation): [r for r in rows if (r.mutation, r.edition) == (mutation, edition)]
            for key, rows in entries.items()
            for mutation in {r.mutation for r in rows if r.edition == edition}
        }
        assert set(ours) == set(theirs)
        for key, rows in theirs.items():
            cold = settings[key[2]]["temperature"] == 0
            _check_row(view, ours[key], rows, rule, cold, seen)
    # what the worlds were drawn for is there
    for reason in ("reference_fails", "not_generated", "samples_missing", *ame_oracles.FAULTS):
        assert seen[reason] > 20, reason
    for what in ("no_pairs", "not_applicable", "one problem", "no interval", "interval", "floor"):
        assert seen[what] > 20, what
    assert seen["version 2"] > 20
    _check_pairs(entries, found["ame_pairs_v1"])
    _check_verdicts(world, *(found[view] for view in SINGLE))
    _check_yield(world, found["mutation_yield_v1"])
    _check_losses(world, found["mutation_losses_v1"])
    for version in (1, 2):
        _check_baselines(entries, version, found[f"mutation_baseline_v{version}"])
    headlines.check(world.raw, found["headline_setting_v1"])
    _check_operators(entries, found["operator_effect_v1"])
    _check_pooled(world, entries, found["mutation_correlation_v1"])
    _check_correlations(entries, found["mutation_correlation_v2"], settings)


def _check_pairs(entries: Any, ours: list[dict[str, Any]]) -> None:
    theirs = Counter(
        (*key, score.problem, score.mutation, score.version, score.edition, score.operators,
         score.m, score.original, score.mutated, score.repeated, score.reason)
        for key, rows in entries.items()
        for score in rows
    )  # fmt: skip
    names = "lm_id dataset setting_id problem_id mutation mutation_version edition operators"
    names += " n_completions original_accuracy mutated_accuracy repeat_accuracy null_reason"
    assert Counter(tuple(row[name] for name in names.split()) for row in ours) == theirs


def _check_verdicts(
    world: PairWorld,
    pairs: list[dict[str, Any]],
    verdicts: list[dict[str, Any]],
    confidences: list[dict[str, Any]],
) -> None:
    """Every completion has one verdict or reason, and pairs count those of their variants."""
    settings = oracles.by(world.raw["setting"], "setting_id")
    told = ame_oracles.completions(world.raw)
    asked = {
        row["generation_id"]: told[row["generation_id"]]
        for row in world.raw["generation"]
        if settings[row["setting_id"]]["task"] == "counterfactual"
    }
    found = {
        row["generation_id"]: row["null_reason"] or ("passed" if row["passed"] else "wrong")
        for row in verdicts
    }
    assert found == asked
    assert {row["generation_id"] for row in confidences} == set(asked)
    sides: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in verdicts:
        sides.setdefault((row["lm_id"], row["setting_id"], row["variant_id"]), []).append(row)
    for pair in pairs:
        m = pair["n_completions"] or 0
        for side, first, last in (("original", 0, m), ("repeat", m, 2 * m), ("mutated", 0, m)):
            variant = pair["mutated_variant_id" if side == "mutated" else "original_variant_id"]
            mine = [
                row
                for row in sides.get((pair["lm_id"], pair["setting_id"], variant), [])
                if first <= row["sample_index"] < last
            ]
            assert pair[f"n_{side}"] == len(mine)
            assert pair[f"n_{side}_passed"] == sum(row["passed"] or False for row in mine)


def _check_row(
    view: str,
    ours: dict[str, Any],
    rows: list[PairScores],
    rule: Any,
    cold: bool,
    seen: Counter[str],
) -> None:
    (version,) = {row.version for row in rows}
    assert ours["mutation_version"] == version
    seen[f"version {version}"] += 1
    assert ours["n_pairs"] == len(rows)
    reasons = Counter(row.first_reason if view == "ame_greedy_v1" else row.reason for row in rows)
    if view == "ame_greedy_v1" and not cold:
        rows, reasons = [], Counter()
        assert ours["n_null_not_applicable"] == ours["n_pairs"]
        assert ours["null_reason"] == "not_applicable"
        seen["not_applicable"] += 1
    for reason in ("reference_fails", "errata", "not_generated", "samples_missing",
                   *ame_oracles.FAULTS):  # fmt: skip
        assert ours[f"n_null_{reason}"] == reasons[reason], (view, reason)
        seen[reason] += reasons[reason]
    assert ours["n_used"] == reasons[None]
    for name, ratio in rule(rows).items():
        assert same(ours[name], ame_oracles.value(ratio)), (view, name, ours, rows)
        if name != "ame_either":
            kind = "difference" if name in ("accuracy_drop", "ame_excess") else "share"
            parts = [(top, ratio[1][problem]) for problem, top in ratio[0].items()]
            (low, high), why = of_ratio(parts, kind)
            assert same(ours[f"{name}_lo"], low), (view, name)
            assert same(ours[f"{name}_hi"], high), (view, name)
            if name == "ame":
                assert ours["interval_null_reason"] == why
                seen["no interval" if low is None else "interval"] += 1
                assert ours["n_problems"] == sum(b > 0 for b in ratio[1].values())
                seen["one problem"] += ours["n_problems"] == 1
                if "n_kept" in ours:
                    assert ours["n_kept"] == sum(ratio[1].values())
            if name == "accuracy_drop":
                assert ours["accuracy_drop_interval_null_reason"] == why
            seen["floor"] += name == "ame_aa" and ours[name] is not None
    if ours["ame"] is None and ours["null_reason"] != "not_applicable":
        assert ours["null_reason"] == "no_pairs"
        seen["no_pairs"] += 1
    if view == "ame_v2":
        table = Counter(row.first for row in rows if row.first is not None)
        cells = [(True, True), (True, False), (False, True), (False, False)]
        names = ("n_both", "n_original_only", "n_mutated_only", "n_neither")
        counts = [table[cell] if cold else None for cell in cells]
        assert [ours[name] for name in names] == counts
        assert same(ours["accuracy_drop_p"], drop_p(rows))
        seen["drop tested"] += ours["accuracy_drop_p"] is not None
        if cold and table:
            b, c = counts[1], counts[2]
            truth = binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
            assert same(ours["mcnemar_p"], truth)
        else:
            assert ours["mcnemar_p"] is None
    else:
        assert not rows or ours["n_kept"] <= ours["n_used"]


def drop_p(rows: list[PairScores]) -> float | None:
    """P value of the mean drop of problems; None for one problem."""
    used = [(r.problem, r.original, r.mutated) for r in rows if r.reason is None]
    drops = list(ame_oracles.over_problems([(p, o - c) for p, o, c in used])[0].values())  # type: ignore[operator]
    if len(drops) < 2:
        return None
    if sum(abs(drop) > 1e-9 for drop in drops) < 20 or max(drops) - min(drops) < 1e-9:
        return exact_p(drops)
    return float(ttest_1samp(drops, 0).pvalue)


def _check_yield(world: PairWorld, ours: list[dict[str, Any]]) -> None:
    theirs = ame_oracles.yields(world.raw)
    assert len(ours) == len(theirs) > 50
    kept = 0
    for row in ours:
        expected = theirs[row["release_id"], row["edition"], row["mutation"]]
        for name, value in expected.items():
            told = json.loads(row[name]) if name.endswith("_by_code") else row[name]
            assert told == value, (name, row)
        kept += row["n_kept"]
    assert kept > 50


def _check_losses(world: PairWorld, ours: list[dict[str, Any]]) -> None:
    theirs = ame_statistics.losses(world.raw)
    assert len(ours) == len(theirs) > 50
    for row in ours:
        for name, value in theirs[row["release_id"], row["edition"], row["mutation"]].items():
            assert row[name] == value, (name, row)
    assert min(sum(row[f"n_{group}"] for row in ours) for group in ("invalid", "unjudged")) > 20


def _check_baselines(entries: Any, version: int, ours: list[dict[str, Any]]) -> None:
    asked = {key: [row for row in rows if row.edition == version] for key, rows in entries.items()}
    theirs = {key: ame_statistics.baseline(rows, version) for key, rows in asked.items() if rows}
    assert len(ours) == len(theirs) > 100
    for row in ours:
        rate, size, most = theirs[row["lm_id"], row["dataset"], row["setting_id"]]
        assert same(row["original_accuracy"], rate)
        assert (row["n_weighed"], row["n_completions"]) == (size, most)
        assert row["null_reason"] == (None if size else "no_pairs")
    assert sum(row["original_accuracy"] is None for row in ours) > 2


def _check_operators(entries: Any, ours: list[dict[str, Any]]) -> None:
    theirs = {
        (*key, operator): [r for r in rows if r.edition == 1 and r.operators == f'["{operator}"]']
        for key, rows in entries.items()
        for operator in OPERATORS
    }
    theirs = {
        key: [r for r in rows if r.mutation == "if_else_flip"] for key, rows in theirs.items()
    }
    theirs = {key: rows for key, rows in theirs.items() if rows}
    assert {(r["lm_id"], r["dataset"], r["setting_id"], r["operator"]) for r in ours} == set(theirs)
    assert len(ours) == len(theirs) > 100
    for row in ours:
        rows = theirs[row["lm_id"], row["dataset"], row["setting_id"], row["operator"]]
        used = [r for r in rows if r.reason is None]
        assert (row["n_pairs"], row["n_used"]) == (len(rows), len(used))
        ratio = ame_oracles.over_pairs([(r.problem, r.original - r.mutated) for r in used])
        assert same(row["accuracy_drop"], ame_oracles.value(ratio))
        parts = [(top, ratio[1][problem]) for problem, top in ratio[0].items()]
        (low, high), why = of_ratio(parts, "difference")
        assert row["interval_null_reason"] == why
        assert same(row["accuracy_drop_lo"], low)
        assert same(row["accuracy_drop_hi"], high)
        printed = {"==": 3.9, "!=": 1 / 3.9, "<": 2.2, ">=": 1 / 2.2}
        assert same(row["published_frequency_ratio"], printed.get(row["operator"]))
        drops = {"==": 0.1321, "!=": 0.0737, "<": 0.05, ">=": 0.0}
        assert same(row["published_accuracy_drop"], drops.get(row["operator"]))


def _check_pooled(
    world: PairWorld,
    entries: Any,
    ours: list[dict[str, Any]],
) -> None:
    simulated = {row["lm_id"]: row["simulated"] for row in world.raw["language_model"]}
    theirs: dict[Any, tuple[list[float], list[float], list[str]]] = {}
    for (lm, _, setting), rows in entries.items():
        effects = ame_oracles.effects_of(rows)
        release = rows[0].problem.rpartition(".")[0] if rows else None
        for a, b in itertools.combinations(sorted(effects), 2):
            xs, ys, drawn = theirs.setdefault((simulated[lm], release, setting, a, b), ([], [], []))
            for problem in effects[a].keys() & effects[b].keys():
                drawn.append(problem)
                xs.append(effects[a][problem])
                ys.append(effects[b][problem])
    assert len(ours) == len(theirs)
    told = Counter(row["null_reason"] for row in ours)
    assert told[None] > 5
    assert told["n_lt_min"] > 5
    reasons = Counter(row["interval_null_reason"] for row in ours)
    assert reasons["problems_lt_min"] > 2
    for row in ours:
        key = [row[name] for name in ("simulated", "release_id", "setting_id")]
        xs, ys, drawn = theirs[(*key, row["mutation_a"], row["mutation_b"])]
        r, reason = ame_statistics.pearson(xs, ys)
        assert (row["n"], row["null_reason"]) == (len(xs), reason)
        assert same(row["pearson"], r)
        assert row["n_problems"] == len(set(drawn))
        low = high = None
        if reason is None and len(set(drawn)) >= LEAST_PROBLEMS:
            low, high = ame_oracles.jackknife(drawn, xs, ys)
        check_interval(row, low, high, len(set(drawn)))


def _check_correlations(entries: Any, ours: list[dict[str, Any]], settings: Any) -> None:
    theirs = {}
    for key, rows in entries.items():
        cold = settings[key[2]]["temperature"] == 0
        first, second = ame_oracles.drops_of(rows, cold)
        for a, b in itertools.combinations(sorted(first), 2):
            theirs[(*key, a, b)] = first[a], second[b]
    assert len(ours) == len(theirs)
    told = Counter(row["null_reason"] for row in ours)
    assert told[None] > 10
    assert told["n_lt_min"] > 10
    for row in ours:
        key = tuple(
            row[name] for name in ("lm_id", "dataset", "setting_id", "mutation_a", "mutation_b")
        )
        first, second = theirs[key]
        shared = sorted(first.keys() & second.keys())
        xs, ys = [first[p] for p in shared], [second[p] for p in shared]
        r, reason = ame_statistics.pearson(xs, ys)
        assert (row["n"], row["null_reason"]) == (len(xs), reason)
        assert same(row["pearson"], r)
        if reason is None:
            rho = float(spearmanr(xs, ys).statistic)
            assert same(row["spearman"], rho)
            low, high = ame_statistics.fisher(rho, len(xs))
            assert same(row["spearman_lo"], low)
            assert same(row["spearman_hi"], high)
            low = high = None
            if len(shared) >= LEAST_PROBLEMS:
                low, high = ame_oracles.jackknife(shared, xs, ys)
            check_interval(row, low, high, len(shared))
