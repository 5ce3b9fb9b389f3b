"""The views against slow oracles on random worlds."""

from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.support.oracles import execution as oracles
from tests.support.oracles import headlines
from tests.support.oracles.similarity import baselines
from tests.support.oracles.statistics.intervals import of_mean
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.world import World, random_world
from warehouse.store.connection import reading

VIEWS_READ = "+execution_health +generation_verdicts +leaderboard +limit_sensitivity"
VIEWS_READ += " +pass_at_k_curve +sim_at_k"

INTERVAL_REASONS = {
    "sim": "interval_null_reason",
    "csim": "csim_interval_null_reason",
    "dpass": "dpass_interval_null_reason",
}
UNSCORED = (
    ("scc_clone_80",),
    ("overlap_ratio", "clone_70", "clone_80", "clone_90", oracles.BEHAVIOUR),
)
"""The similarities without a scorer of each version of Sim@k."""

NOTHING = {
    "embedding_v1": "no_encoder",
    "judge_v1": "no_judge",
    "judge_v2": "no_judge",
    "human_v1": "no_people",
}
"""Why an entry has no value of a measure, where there is a separate word."""


@settings(
    max_examples=3,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@pytest.mark.long
@given(seed=st.integers(0, 2**31))
def test_views_agree_with_oracles(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    world = random_world(seed)
    path = world.write(tmp_path_factory.mktemp("world") / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        build(path, select=VIEWS_READ)
    with reading(path) as con:
        passes = rows_of(con, "select * from pass_at_k_v1")
        curves = rows_of(con, "select * from pass_at_k_curve_v1")
        adjacent = rows_of(con, "select * from sim_at_k_v1")
        all_pairs = rows_of(con, "select * from sim_at_k_v2")
        health = rows_of(con, "select * from execution_health_v1")
        sensitivity = rows_of(con, "select * from limit_sensitivity_v1")
        board = rows_of(con, "select * from leaderboard_v1")
        single = rows_of(con, "select * from generation_verdicts_v1")
        shown = rows_of(con, "select * from headline_setting_v1")
    found = oracles.samples(world.raw)
    assert {(r["lm_id"], r["dataset"], r["setting_id"]) for r in passes} == set(found)
    places = {row["problem_id"]: row["position"] for row in world.raw["problem"]}
    for key, cells in found.items():
        replaced = oracles.replaced(world.raw, key[2])
        entry = _Entry(world, cells, places, replaced)
        mine = [
            [r for r in rows if (r["lm_id"], r["dataset"], r["setting_id"]) == key]
            for rows in (passes, adjacent, all_pairs, health, curves)
        ]
        assert [r["k"] for r in sorted(mine[0], key=lambda r: r["k"])] == [1, 5, 10, 100]
        for row in mine[0]:
            entry.check_pass(row)
        entry.check_curve(mine[4])
        entry.check_similarities(mine[1], 1)
        entry.check_similarities(mine[2], 2)
        assert len(mine[3]) == 1
        entry.check_health(mine[3][0])
        here = [r for r in sensitivity if (r["lm_id"], r["dataset"], r["setting_id"]) == key]
        entry.check_sensitivity(here)
        (first,) = [r["pass_at_k"] for r in mine[0] if r["k"] == 1]
        assert all(same(r["pass_at_1"], first) for r in here if r["factor"] == 1)
    _check_board(world, board, passes, all_pairs)
    _check_single(found, single)
    headlines.check(world.raw, shown)


def _check_single(found: Any, rows: list[dict[str, Any]]) -> None:
    """Views of single generations speak of older releases too."""
    ours: dict[Any, list[Any]] = {}
    for row in rows:
        key = (row["lm_id"], row["dataset"], row["setting_id"]), row["problem_id"]
        ours.setdefault(key, []).append(
            (row["sample_index"], row["verdict"], row["null_reason"], row["candidate_id"])
        )
    for entry, cells in found.items():
        for problem, samples in cells.items():
            theirs = [(s["order"][0], s["verdict"], s["reason"], s["candidate"]) for s in samples]
            assert sorted(ours[entry, problem], key=str) == sorted(theirs, key=str)


class _Entry:
    """One language model, dataset and setting: its cells, and the checks of its rows."""

    def __init__(self, world: World, cells: Any, places: dict[str, int], replaced: bool):
        self.world, self.cells, self.places = world, cells, places
        self.replaced = replaced
        self.pairs = oracles.SharedTokens(world.raw)
        self.aside = {problem: oracles.set_aside(world.raw, problem) for problem in cells}

    def check_sensitivity(self, rows: list[dict[str, Any]]) -> None:
        counted = [
            [sample for sample in samples if sample["verdict"] is not None]
            for problem, samples in self.cells.items()
            if self.aside[problem] is None
        ]
        counted = [samples for samples in counted if samples]
        assert sorted(row["factor"] for row in rows) == ([0.5, 1, 2, 4] if counted else [])
        for row in rows:
            longer = [
                [sample["longer"][row["factor"]] for sample in samples] for samples in counted
            ]
            least = [sum(each is True for each in here) / len(here) for here in longer]
            most = [sum(each is not False for each in here) / len(here) for here in longer]
            everything = [each for here in longer for each in here]
            assert row["n_problems"] == len(counted)
            assert row["n_scored"] == len(everything)
            assert row["n_passed"] == everything.count(True)
            assert row["n_unknown"] == everything.count(None)
            assert row["n_alone"] == sum(s["alone"] for samples in counted for s in samples)
            if self.replaced:
                assert (row["pass_at_1"], row["null_reason"]) == (None, "not_applicable")
                continue
            known = None not in everything
            assert same(row["pass_at_1_least"], sum(least) / len(least))
            assert same(row["pass_at_1_most"], sum(most) / len(most))
            assert same(row["pass_at_1"], sum(least) / len(least) if known else None)
            assert row["null_reason"] == (None if known else "not_tried_longer")

    def check_pass(self, row: dict[str, Any]) -> None:
        k, values, reasons = row["k"], {}, []
        for problem, samples in self.cells.items():
            verdicts = [s["verdict"] for s in samples if s["verdict"]]
            n, c = len(verdicts), verdicts.count("passed")
            reason = self.aside[problem]
            if reason is None and n < k:
                reason = "n_lt_k" if len(samples) < k else oracles.why_unscored(samples)
            if self.replaced:
                reason = "not_applicable"
            values[problem] = None if reason else oracles.pass_at_k(n, c, k)
            if reason:
                reasons.append(reason)
        assert same(row["pass_at_k"], oracles.mean(list(values.values())))
        _check_counts(row, values, "n_used", reasons)
        assert row["n_null_not_applicable"] == reasons.count("not_applicable")
        assert row["few_clusters"] == (len(values) - len(reasons) < 20)
        known = [value for value in values.values() if value is not None]
        (low, high), why = of_mean(known, "share")
        assert row["interval_method"] == ("wilson_clustered" if low is not None else None)
        assert row["interval_null_reason"] == why
        assert same(row["pass_at_k_lo"], low)
        assert same(row["pass_at_k_hi"], high)

    def check_curve(self, rows: list[dict[str, Any]]) -> None:
        counts = [
            (len(verdicts), verdicts.count("passed"))
            for problem, samples in self.cells.items()
            if self.aside[problem] is None and not self.replaced
            for verdicts in [[s["verdict"] for s in samples if s["verdict"]]]
        ]
        most = max((n for n, _ in counts), default=0)
        assert sorted(row["k"] for row in rows) == list(range(1, most + 1))
        for row in rows:
            k = row["k"]
            values = [x for n, c in counts if (x := oracles.pass_at_k(n, c, k)) is not None]
            assert row["n_used"] == len(values)
            assert same(row["pass_at_k"], oracles.mean(values))
            (low, high), why = of_mean(values, "share")
            assert row["interval_null_reason"] == why
            assert same(row["pass_at_k_lo"], low)
            assert same(row["pass_at_k_hi"], high)

    def check_similarities(self, rows: list[dict[str, Any]], version: int) -> None:
        scored = [[s["candidate"] for s in cell if s["verdict"]] for cell in self.cells.values()]
        shown = self.pairs.shown(rows[0]["lm_id"], rows[0]["setting_id"], scored)
        unscored = UNSCORED[version - 1]
        if version == 1:
            shown = {each for each in shown if each[0] in ("embedding_v1", "judge_v1")}
        wanted = {*((name, "") for name in unscored), *shown}
        found = [(row["scope"], row["similarity"], row["scorer_id"]) for row in rows]
        assert sorted(found) == sorted((k, *each) for each in wanted for k in ("all", "first_k"))
        least = (-1.0, 0.0)[version - 1]
        for row in rows:
            if row["similarity"] in unscored:
                score = partial(self.pairs.unscored, row["similarity"])
                why = None
            else:
                score = partial(self.pairs.scored, row["scorer_id"], least)
                why = None if row["scorer_id"] else NOTHING.get(row["measure"], "not_measured")
            assert row["similarity_null_reason"] == why
            self.check_sim(row, score, (oracles.neighbours, oracles.all_pairs)[version - 1])

    def check_sim(self, row: dict[str, Any], score: Any, pair_up: Any) -> None:
        values: dict[str, dict[str, float | None]] = {}
        reasons, counts, pairs, passing = [], {}, {}, {}
        unmeasured = row["similarity_null_reason"] is not None
        for problem, samples in self.cells.items():
            scored = [s for s in samples if s["verdict"]]
            least = oracles.SIM_K if row["scope"] == "first_k" else 1
            reason = self.aside[problem]
            if reason is None and len(scored) < least:
                short = len(samples) < least
                reason = "n_lt_k" if short else oracles.why_unscored(samples)
            if reason:
                reasons.append(reason)
                scored = []
            elif row["scope"] == "first_k":
                scored = scored[: oracles.SIM_K]
            passed = [s["verdict"] == "passed" for s in scored]
            drawn = [s["candidate"] for s in scored]
            values[problem] = oracles.diversity(drawn, passed, score, pair_up)
            if self.replaced or unmeasured:
                values[problem] |= {"dpass": None, "dpair": None}
            if scored:
                counts[problem] = (len(scored), sum(passed))
            pairs[problem] = [score(x, y) for x, y in pair_up(drawn)]
            right = [s["candidate"] for s in scored if s["verdict"] == "passed"]
            passing[problem] = [score(x, y) for x, y in pair_up(right)]
        few_passing = _leave_few_out(row, values, pairs, passing)
        _check_pairs(row, pairs)
        self.check_baselines(row, {problem: pairs[problem] for problem in counts}, score)
        names = ["sim", "csim", "dpass"] + (["dpair"] if "dpair" in row else [])
        for name in names:
            mine = {problem: value[name] for problem, value in values.items()}
            assert same(row[name], oracles.mean(list(mine.values()))), name
            assert row[f"n_{name}"] == sum(v is not None for v in mine.values())
            (low, high), why = of_mean(list(mine.values()), "share")
            assert name == "dpair" or row[INTERVAL_REASONS[name]] == why
            assert same(row[f"{name}_lo"], low), name
            assert same(row[f"{name}_hi"], high), name
        _check_counts(row, values, None, reasons)
        shares: list[float | None] = [c / n for n, c in counts.values()]
        hits: list[float | None] = [float(c > 0) for _, c in counts.values()]
        for name, of_problems in (("pass_at_1", shares), ("pass_at_k", hits)):
            mine = dict(zip(counts, of_problems, strict=True))
            mine = dict.fromkeys(counts) if self.replaced else mine
            (low, high), _ = of_mean(list(mine.values()), "share")
            found = (row[name], row[f"{name}_lo"], row[f"{name}_hi"])
            assert all(map(same, found, (oracles.mean(list(mine.values())), low, high))), name
        assert row["n_dpass_null_not_applicable"] == (len(counts) if self.replaced else 0)
        _check_right_samples(row, values, counts, few_passing or unmeasured)
        assert row["n_sim_null_no_pairs"] == sum(n < 2 for n, _ in counts.values())
        largest = max((n for n, _ in counts.values()), default=None)
        assert row["k"] == (oracles.SIM_K if row["scope"] == "first_k" else largest)

    def check_baselines(self, row: dict[str, Any], pairs: dict[str, list[Any]], score: Any) -> None:
        """Check what is beside Sim@k, from the pairs of each problem that counts."""
        by_place = {self.places[problem]: values for problem, values in pairs.items()}
        spread = {place: baselines.squares(values) for place, values in by_place.items()}
        known = {place: part for place, part in spread.items() if part is not None}
        _check_estimate(row, "sim_spread", baselines.ratio(known, "skewed").root())
        firsts = {
            self.places[problem]: next((s["candidate"] for s in samples if s["verdict"]), None)
            for problem, samples in self.cells.items()
        }
        between = baselines.between(firsts, score)
        shown = {place: between[place] for place in by_place if place in between}
        parts = {place: (value, 1.0) for place, value in shown.items()}
        _check_estimate(row, "sim_between", baselines.ratio(parts, "share"))
        assert row["n_sim_between"] == len(shown)
        if "sim_rescaled" in row:
            means = {place: oracles.mean_of_all(by_place[place]) for place in shown}
            parts = {
                place: (mean - shown[place], 1 - shown[place])
                for place, mean in means.items()
                if mean is not None
            }
            _check_estimate(row, "sim_rescaled", baselines.ratio(parts, "skewed"))

    def check_health(self, row: dict[str, Any]) -> None:
        samples = [s for cell in self.cells.values() for s in cell]
        assert row["n_generations"] == len(samples)
        for verdict in ("passed", "failed", "error", "timeout", "out_of_memory", "tampered"):
            assert row[f"n_{verdict}"] == sum(s["verdict"] == verdict for s in samples)
        for reason in ("not_executed", "harness_fault", "canary_failed"):
            assert row[f"n_{reason}"] == sum(s["reason"] == reason for s in samples)
        right = {s["verdict"] == "passed" for s in samples if s["verdict"]}
        levels = {"none": False in right, "ns+seccomp": True in right}
        assert (row["isolation_levels"] or "") == ", ".join(name for name in levels if levels[name])
        near = [s for s in samples if s["verdict"] == "passed" and s["cpu_share"] > 0.5]
        assert row["n_passed_near_limit"] == len(near)
        parses = {c["candidate_id"]: c["parses"] for c in self.world.raw["candidate"]}
        known = [parses[s["candidate"]] for s in samples if s["candidate"]]
        assert row["n_parse_known"] == row["n_evaluated"] == len(known)
        assert same(row["parse_rate"], sum(known) / len(known) if known else None)
        distinct = {(p, s["candidate"]) for p, cell in self.cells.items() for s in cell}
        assert row["n_programs"] == sum(candidate is not None for _, candidate in distinct)


def _check_estimate(row: Any, name: str, estimate: baselines.BaselineEstimate) -> None:
    assert same(row[name], estimate.value), name
    assert same(row[f"{name}_lo"], estimate.low), name
    assert same(row[f"{name}_hi"], estimate.high), name


def _check_counts(row: Any, values: Any, used: str | None, reasons: list[str]) -> None:
    assert row["n_total"] == len(values)
    if used:
        assert row[used] == sum(value is not None for value in values.values())
    for reason in (
        "n_lt_k",
        "not_executed",
        "harness_fault",
        "canary_failed",
        "reference_fails",
        "errata",
    ):
        assert row[f"n_null_{reason}"] == reasons.count(reason), reason


def _leave_few_out(row: Any, values: Any, pairs: Any, passing: Any) -> bool:
    """Take away means of few pairs; return whether those of right samples are among them."""
    few, few_passing = (oracles.few_scored(list(each.values())) for each in (pairs, passing))
    assert (row["few_pairs_scored"], row["few_passing_pairs_scored"]) == (few, few_passing)
    if few:
        for problem, scores in pairs.items():
            values[problem]["sim"] = None
            pairs[problem] = [None if each is None else oracles.NO_SCORE for each in scores]
    if few_passing:
        for value in values.values():
            value |= {"csim": None, "dpass": None, "dpair": None}
    return few_passing


def _check_right_samples(row: Any, values: Any, counts: Any, unknown: bool) -> None:
    csim = {problem: values[problem]["csim"] for problem in counts}
    zeros = [0.0 if counts[p][1] < 2 else value for p, value in csim.items()]
    assert same(row["csim_null_as_zero"], None if unknown else oracles.mean(zeros))
    tens = [value for p, value in csim.items() if counts[p][1] >= 10]
    assert same(row["csim_c10"], oracles.mean(tens))
    assert row["n_csim_c10"] == sum(v is not None for v in tens)
    assert row["n_csim_null_no_pairs"] == sum(c < 2 for _, c in counts.values())
    assert row["n_single_correct"] == sum(c == 1 for _, c in counts.values())


def _check_pairs(row: Any, pairs: dict[str, list[Any]]) -> None:
    """Problems without sim have a reason; pairs without a score are counted in the others."""
    missing = [values for values in pairs.values() if values and None in values]
    whole = [values for values in pairs.values() if values and None not in values]
    used = [
        values
        for values in whole
        if set(values) != {oracles.NO_SCORE} and oracles.NO_MEAN not in values
    ]
    assert row["n_sim_null_pairs_missing"] == len(missing)
    assert row["n_sim_null_no_score"] == len(whole) - len(used)
    assert row["n_pairs"] == sum(len(values) for values in used)
    assert row["n_pairs_no_score"] == sum(values.count(oracles.NO_SCORE) for values in used)


def _check_board(world: World, board: Any, passes: Any, sims: Any) -> None:
    entries: dict[Any, dict[str, Any]] = {}
    for row in passes:
        if row["k"] == 1:
            key = (row["lm_id"], row["dataset"])
            replaced = oracles.replaced(world.raw, row["setting_id"])
            order = (replaced, -row["n_samples"], -row["n_total"], row["setting_id"])
            if key not in entries or order < entries[key]["order"]:
                entries[key] = {"order": order, **row}
    assert {(r["lm_id"], r["dataset"]) for r in board} == set(entries)
    for row in board:
        headline = entries[row["lm_id"], row["dataset"]]
        assert row["setting_id"] == headline["setting_id"]
        assert same(row["pass_at_1"], headline["pass_at_k"])
        assert row["n_null_not_applicable"] == headline["n_null_not_applicable"]
        rivals = [
            other["pass_at_1"]
            for other in board
            if (other["dataset"], other["simulated"]) == (row["dataset"], row["simulated"])
            and other["pass_at_1"] is not None
        ]
        ahead = None
        if row["pass_at_1"] is not None:
            ahead = 1 + sum(value > row["pass_at_1"] for value in rivals)
        assert row["rank"] == ahead
        same_setting = [
            s
            for s in sims
            if (s["lm_id"], s["dataset"], s["setting_id"])
            == (row["lm_id"], row["dataset"], row["setting_id"])
            and (s["scope"], s["similarity"]) == ("first_k", "clone_80")
        ]
        assert len(same_setting) == 1
        for measure in ("sim", "csim", "dpass", "dpair"):
            assert same(row[f"{measure}_at_10"], same_setting[0][measure]), measure
