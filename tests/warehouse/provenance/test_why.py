"""``assay why``: what it counts behind a number is what a plain count of the raw rows finds."""

import json
from collections import Counter
from typing import Any

import pytest

from tests.support.builds.explained import WORLDS, WorldHomes, parts, some_rows, why
from tests.support.oracles import ame as ame_oracles
from tests.support.oracles import execution as oracles
from tests.support.worlds.world import World
from warehouse.reports.why.links import LINKS, UNLINKED

pytestmark = pytest.mark.long(seconds=120)

CORRECTNESS = ("synthesis", "line_completion")


def test_each_mart_can_be_explained(homes: WorldHomes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row of every mart that has one in any world: inputs add up, and JSON holds all."""
    explained = set()
    for name in WORLDS:
        homes.enter(name, monkeypatch)
        for view in ({**LINKS, **UNLINKED}).keys() - explained:
            for row in some_rows(view, 1):
                explained.add(view)
                found = why(view, row)
                assert {value.name: value.value for value in found.values} == row
                assert bool(found.inputs.none) == (view in UNLINKED)
                assert json.loads(json.dumps(found.as_dict(), default=str))["view"]["name"] == view
                assert len(found.inputs.generations) == found.inputs.n_generations
                for part in found.inputs.counts:
                    whole = [p["n"] for p in found.inputs.reasons if p["role"] == part["role"]]
                    assert sum(whole) == part["n"]
    assert len(explained) >= 60, "the others are of projects, published numbers and difficulties"


SAMPLED = (
    *("pass_at_k_v1", "pass_at_k_curve_v1", "execution_health_v1", "limit_sensitivity_v1"),
    *("leaderboard_v1", "leaderboard_v2", "sim_at_k_v1", "sim_at_k_v2", "distinct_solutions_v1"),
    *("measure_agreement_v1", "headline_setting_v1"),
)


def answers_of(world: World, row: dict[str, Any], side: str = "") -> Counter[Any]:
    """Count the answers of an entry by verdict and reason, from raw rows alone."""
    key = (row[f"lm_id{side}"], row["dataset"], row[f"setting_id{side}"], row["release_id"])
    by_problem = oracles.samples_by_release(world.raw, CORRECTNESS).get(key, {})
    counted: Counter[Any] = Counter()
    for problem, samples in by_problem.items():
        aside = oracles.set_aside(world.raw, problem)
        for sample in samples:
            verdict = None if aside else sample["verdict"]
            counted[verdict, aside or sample["reason"]] += 1
    return counted


@pytest.mark.parametrize("view", SAMPLED)
@pytest.mark.parametrize("world", ["samples"], indirect=True)
def test_the_answers_of_an_entry(world: World, view: str) -> None:
    chosen = some_rows(view, 2, "family = 'leaderboard'" if view.startswith("headline") else "true")
    assert len(chosen) == 2
    for row in chosen:
        expected = answers_of(world, row)
        assert sum(expected.values()) > 0
        found = why(view, row)
        assert parts(found, "answers") == expected
        if "n_samples" in row and not view.startswith("headline"):
            assert row["n_samples"] == found.inputs.n_generations


@pytest.mark.parametrize("world", ["samples"], indirect=True)
def test_both_entries_of_a_comparison(world: World) -> None:
    for row in some_rows("comparison_v1", 4):
        found = why("comparison_v1", row)
        for side in "ab":
            assert parts(found, f"answers of {side}") == answers_of(world, row, f"_{side}")


@pytest.mark.parametrize("world", ["samples"], indirect=True)
def test_what_execution_health_counts(world: World) -> None:
    for row in some_rows("execution_health_v1", 4):
        counted = parts(why("execution_health_v1", row), "answers")
        aside = sum(n for (_, why_not), n in counted.items() if why_not == "reference_fails")
        for verdict in ("passed", "failed", "error", "timeout", "out_of_memory", "tampered"):
            assert counted[verdict, None] <= row[f"n_{verdict}"] <= counted[verdict, None] + aside
        assert sum(counted.values()) == row["n_generations"]


@pytest.mark.parametrize("world", ["samples"], indirect=True)
def test_what_judge_health_and_execution_runs_count(world: World) -> None:
    for row in some_rows("judge_health_v1"):
        counted = parts(why("judge_health_v1", row), "ratings")
        mine = [r for r in world.raw["pair_rating"] if r["scorer_id"] == row["scorer_id"]]
        expected: Counter[Any] = Counter()
        for rating in mine:
            level = None if rating["level"] is None else f"level {rating['level']}"
            expected[level, rating["null_reason"]] += 1
        assert counted == expected
        assert sum(expected.values()) == row["n_replies"]
    for row in some_rows("execution_runs_v1"):
        found = why("execution_runs_v1", row)
        mine = [r for r in world.raw["outcome"] if r["run_id"] == row["run_id"]]
        assert parts(found, "attempts") == Counter((r["verdict"], None) for r in mine)
        canaries = [r for r in world.raw["canary"] if r["run_id"] == row["run_id"]]
        assert parts(found, "canaries") == Counter((r["verdict"], None) for r in canaries)


def searched(world: World, mutant: dict[str, Any]) -> bool:
    """Whether a mutant is of a search by the newest rules."""
    sites = oracles.by(world.raw["mutation_site"], "site_id")
    newest = {scan["scan_id"] for scan in ame_oracles.searches(world.raw)}
    return sites[mutant["site_id"]]["scan_id"] in newest


@pytest.mark.parametrize("world", ["pairs"], indirect=True)
@pytest.mark.parametrize("view", ["ame_v1", "ame_v2", "ame_greedy_v1"])
def test_the_completions_of_pairs(world: World, view: str) -> None:
    edition = 2 if view.endswith("_v2") else 1
    mutants = oracles.by(world.raw["mutant"], "mutant_id")
    problems = oracles.by(world.raw["problem"], "problem_id")
    valid = ame_oracles.validity(world.raw)
    said = ame_oracles.completions(world.raw)
    assert some_rows(view)
    for row in some_rows(view):
        sides: dict[str, set[str]] = {"original side": set(), "mutated side": set()}
        for pair in world.raw["mutation_pair"]:
            problem = problems[pair["problem_id"]]
            mutation = mutants[pair["mutant_id"]]["mutation"]
            if (
                valid[pair["pair_id"]] == "valid"
                and searched(world, mutants[pair["mutant_id"]])
                and pair["edition"] == edition
                and problem["release_id"] == row["release_id"]
                and row.get("mutation") in (None, mutation)
            ):
                sides["original side"].add(pair["original_variant_id"])
                sides["mutated side"].add(pair["mutated_variant_id"])
        found = why(view, row)
        for role, variants in sides.items():
            mine = [
                g["generation_id"]
                for g in world.raw["generation"]
                if (g["lm_id"], g["setting_id"]) == (row["lm_id"], row["setting_id"])
                and g["variant_id"] in variants
                and g["parent_generation_id"] is None
            ]
            listed = [e["generation_id"] for e in found.inputs.generations if e["role"] == role]
            assert sorted(listed) == sorted(mine)
            n_passed = sum(
                n for (verdict, _), n in parts(found, role).items() if verdict == "passed"
            )
            assert n_passed == sum(said[name] == "passed" for name in mine)


@pytest.mark.parametrize("world", ["pairs"], indirect=True)
def test_what_mutation_yield_counts(world: World) -> None:
    problems = oracles.by(world.raw["problem"], "problem_id")
    mutants = oracles.by(world.raw["mutant"], "mutant_id")
    for row in some_rows("mutation_yield_v1", 4):
        found = why("mutation_yield_v1", row)
        places = parts(found, "places")
        assert sum(n for (_, declined), n in places.items() if declined) == row["n_declined"]
        expected: Counter[str | None] = Counter()
        for pair in world.raw["mutation_pair"]:
            mutant = mutants[pair["mutant_id"]]
            if (
                problems[mutant["problem_id"]]["release_id"] == row["release_id"]
                and searched(world, mutant)
                and (mutant["mutation"], mutant["mutation_version"])
                == (row["mutation"], row["mutation_version"])
                and pair["edition"] == row["edition"]
            ):
                expected[pair["decline_code"]] += 1
        counted: Counter[str | None] = Counter()
        for (_, declined), n in parts(found, "mutants").items():
            counted[declined] += n
        assert counted == expected


@pytest.mark.parametrize("world", ["edits"], indirect=True)
@pytest.mark.parametrize("view", ["rtc_synthesis_v2", "rtc_editing_v2"])
def test_the_generations_of_round_trips(world: World, view: str) -> None:
    problems = oracles.by(world.raw["problem"], "problem_id")
    generations = oracles.by(world.raw["generation"], "generation_id")
    comments = {v["variant_id"] for v in world.raw["variant"] if v["kind"] == "comment"}
    assert len(some_rows(view)) > 2
    for row in some_rows(view):
        told_by = (row["forward_lm_id"], row["forward_setting_id"])
        expected: Counter[str] = Counter()
        for each in generations.values():
            if problems[each["problem_id"]]["release_id"] != row["release_id"]:
                continue
            who = (each["lm_id"], each["setting_id"])
            parent = generations.get(each["parent_generation_id"])
            if who == told_by:
                expected["descriptions"] += 1
            elif who == (row["lm_id"], row["setting_id"]) and each["variant_id"] not in comments:
                if parent is None:
                    expected["baseline"] += 1
                elif (parent["lm_id"], parent["setting_id"]) == told_by:
                    expected["programs"] += 1
        found = why(view, row)
        assert {part["role"]: part["n"] for part in found.inputs.counts} == expected
        assert expected["descriptions"] >= row["n_descriptions"]


@pytest.mark.parametrize("world", ["lines", "samples"], indirect=True)
@pytest.mark.parametrize("view", ["calibration_raw_v1", "calibration_raw_v2"])
def test_what_calibration_counts_by_reason(world: World, view: str) -> None:
    """The counts of the view are proved elsewhere; here they come from the answers once more."""
    chosen = some_rows(view, 8, "measure != 'unskilled'")
    assert {row["notion"] for row in chosen} <= {"all_pass", "exact_match"}
    assert len(chosen) == 8
    for row in chosen:
        found = why(view, row)
        assert found.inputs.n_generations == row["n_total"], row
        reasons = Counter[str]()
        for part in found.inputs.reasons:
            reasons[part["null_reason"] or ""] += part["n"]
        assert reasons.pop("", 0) == row["n_used"], row
        assert reasons == Counter(
            {n.removeprefix("n_null_"): row[n] for n in row if n.startswith("n_null_") and row[n]}
        )


@pytest.mark.parametrize("world", ["samples"], indirect=True)
def test_runs_releases_and_programs(world: World) -> None:
    for row in some_rows("pass_at_k_v1", 4):
        inputs = why("pass_at_k_v1", row).inputs
        ids = {each["generation_id"] for each in inputs.generations}
        problems = {p["problem_id"] for p in world.raw["problem"]
                    if p["release_id"] == row["release_id"]}  # fmt: skip
        candidates = {
            (e["candidate_id"], e["problem_id"])
            for e in world.raw["evaluation"]
            if e["generation_id"] in ids and e["problem_id"] in problems
        }
        programs = {
            p["program_id"]: p
            for p in world.raw["program"]
            if (p["candidate_id"], p["problem_id"]) in candidates
        }
        assert sum(each["n"] for each in inputs.programs) == len(programs)
        outcomes = [o for o in world.raw["outcome"] if o["program_id"] in programs]
        assert sum(run["n_outcomes"] for run in inputs.runs) == len(outcomes)
        told_runs = {run["run_id"] for run in inputs.runs}
        assert {o["run_id"] for o in outcomes} <= told_runs
        assert {"r0"} <= told_runs
        (release,) = inputs.releases
        assert (release["id"], release["name"]) == (row["release_id"], row["dataset"])
        assert all(run["kind"] and run["started_utc"] for run in inputs.runs)
