"""Calibration and comparisons of claimed verdicts: plain Python, planted flips, golden files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runners.measuring.calibration import estimates
from runners.measuring.calibration.bootstrap import resample
from runners.measuring.calibration.estimates import Estimated, SubjectRows, of_claims
from tests.data import ROOT, data_root, json_rows, shared
from tests.support.claims import measures_oracle as oracle
from tests.support.claims.measures import N_FLIPS, N_TASKS, world_of_measures
from tests.support.commands import assay, refused
from tests.support.goldens import check_golden
from tests.support.oracles.calibration import ScoredPair
from tests.support.sql import rows_of, same
from tests.support.steps import build, calibrate, import_claims
from tests.support.worlds.world import World
from warehouse.facts.measuring import claimed_subjects
from warehouse.parameters import BadValue
from warehouse.store.connection import reading, writing

pytestmark = pytest.mark.long(seconds=25)

HELM = (
    "bridges/helm/commonsense-dataset=hellaswag,method=multiple_choice_joint,"
    "model=eleutherai_pythia-1b-v0"
)
REPLICATES = 50
SEEDS = ("gpt-3.5-turbo-0613", "codellama")
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def world() -> World:
    return world_of_measures(5)


@pytest.fixture(scope="module", autouse=True)
def home(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("measures")
    world.write(folder / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder))
        if data_root().exists():
            import_real_claims(folder)
        build()
        yield folder


def import_real_claims(folder: Path) -> None:
    """Import the two examples of docs/claims.md beside the world, about datasets it has not."""
    import_claims(shared(HELM), format="helm", not_here=True)
    for lm in SEEDS:
        claims = folder / f"{lm}.jsonl"
        lines = (
            json.dumps({"task_id": row["task_id"], "passed": row["is_solved"]})
            for row in json_rows(f"generations/ldb_seeds/humaneval/{lm}.jsonl")
        )
        claims.write_text("\n".join(lines), encoding="utf-8")
        named = {"dataset": "humaneval", "lm": lm, "claimant": "LDB"}
        import_claims(claims, format="generic", not_here=True, **named)


def found_in(view: str, order: str, where: str = "dataset in ('toy', 'few', 'elsewhere')") -> Rows:
    with reading() as con:
        return rows_of(con, f"select * from {view} where {where} order by {order}")


@pytest.fixture(scope="module")
def calibrations(home: Path) -> Rows:
    return found_in("claimed_calibration_v1", "claim_source_id, metric, setting_id, measure")


@pytest.fixture(scope="module")
def comparisons(home: Path) -> Rows:
    return found_in("claimed_comparison_v1", "dataset, metric, lm_a, claimant_a, lm_b, claimant_b")


def differ(ours: Any, theirs: Any) -> bool:
    return not same(ours, theirs) if isinstance(theirs, float) else ours != theirs


def test_calibration_is_that_of_plain_python(world: World, calibrations: Rows) -> None:
    expected = oracle.calibrations(world.raw)
    found = {(row["claim_source_id"], row["metric"], row["measure"]): row for row in calibrations}
    assert len(found) == len(calibrations)
    assert found.keys() >= expected.keys()
    for key, row in found.items():
        if key not in expected:
            assert row["n_used"] == 0 or row["measure"] == "length" or "stop" in row["measure"]
            continue
        for name, value in expected[key].items():
            assert not differ(row[name], value), (key, name, row[name], value)
    assert {row["null_reason"] for row in calibrations} == {None, "empty", "single_class"}
    assert {row["interval_null_reason"] for row in calibrations} == {None, "problems_lt_min"}
    strangers = {row["measure"] for row in calibrations if row["lm"] == "nobody"}
    assert strangers == {"claimed"}, "ours are of samples that are here"


def test_comparisons_are_those_of_plain_python(world: World, comparisons: Rows) -> None:
    expected = oracle.compared(world.raw)
    found = {
        (row["metric"], row["claim_source_id_a"], row["claim_source_id_b"]): row
        for row in comparisons
    }
    assert len(found) == len(comparisons)
    assert found.keys() == expected.keys()
    for key, wanted in expected.items():
        for name, value in wanted.items():
            assert not differ(found[key][name], value), (key, name, found[key][name], value)
    assert {row["pairing"] for row in comparisons} == {"language_models", "claimants"}


def test_planted_flips_come_back(comparisons: Rows) -> None:
    """Of a dataset that is not here: one fails six tasks that the other passes."""
    (row,) = [row for row in comparisons if row["dataset"] == "elsewhere"]
    assert (row["lm_a"], row["lm_b"], row["claimed_otherwise"]) == (
        "nobody",
        "somebody",
        "claimant",
    )
    assert (row["n_common"], row["n_only_a"], row["n_only_b"]) == (N_TASKS, N_FLIPS, 0)
    assert row["difference"] == N_FLIPS / N_TASKS
    assert row["test"] == "mcnemar"
    assert same(row["p_value"], 2 * 0.5**N_FLIPS)
    assert row["difference_lo"] < row["difference"] < row["difference_hi"]


def test_claims_are_compared_by_command() -> None:
    given = ("compare", "somebody", "nobody", "--claimed", "--warehouse")
    (row,) = json.loads(assay(*given, "--dataset", "elsewhere", "--flips", "--json").stdout)
    assert (row["lm_a"], row["n_only_b"]) == ("somebody", N_FLIPS)
    assert row["difference"] == -N_FLIPS / N_TASKS
    assert {flip["task_id"] for flip in row["flips"]} == {f"elsewhere/{n}" for n in range(N_FLIPS)}
    shown = assay(*given, "--dataset", "elsewhere", "--flips").stdout
    assert "elsewhere: claimed base over 30 problems of both" in shown
    assert "claimed, not judged here, by" in shown
    assert "absent_too; absent" in shown
    assert "0 of 1" in shown
    twins = assay("compare", "sure", "sure", "--claimed", "--warehouse").stdout
    assert "sure (harness)" in twins
    assert "sure (lab)" in twins


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("sure", "who"), "unknown language model 'who'"),
        (("sure", "somebody"), "nobody claims results of sure and somebody on one dataset"),
        (("sure", "nobody", "--metric", "bas"), "no comparison has the metric 'bas'"),
        (("sure", "nobody", "--k", "1"), "claims have none: leave it out with --claimed"),
    ],
)
def test_what_claims_do_not_have(arguments: tuple[str, ...], reason: str) -> None:
    assert reason in refused("compare", *arguments, "--claimed", "--warehouse", code=3)


def test_the_examples_of_the_page_on_claims() -> None:
    shared(HELM)
    page = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    (row,) = found_in(
        "claimed_calibration_v1", "metric", "dataset = 'hellaswag' and metric = 'exact_match'"
    )
    numbers = [
        f"{row['base_rate']:.3f} [{row['base_rate_lo']:.3f}, {row['base_rate_hi']:.3f}]",
        f"{row['mean_score']:.3f}",
        f"{row['brier']:.3f} [{row['brier_lo']:.3f}, {row['brier_hi']:.3f}]",
        *(f"{row['ece']:.3f}", f"{row['skill_score']:.3f}", f"{row['auroc']}"),
    ]
    assert f"| `exact_match` | {row['n_used']} | {' | '.join(numbers)} |" in page
    shown = assay("compare", *SEEDS, "--claimed", "--warehouse").stdout.splitlines()
    printed = [line for line in page.split("```text\n")[1].split("```")[0].splitlines() if line]
    assert set(printed) <= set(shown)


def test_golden_files(calibrations: Rows, comparisons: Rows) -> None:
    check_golden("claimed_calibration_v1", calibrations)
    check_golden("claimed_comparison_v1", comparisons)
    check_golden("claimed_pairs_v1", found_pairs("claim_source_id in ('harness', 'alone')"))


def found_pairs(where: str = "dataset in ('toy', 'few', 'elsewhere')") -> Rows:
    """Return the rows of claimed_pairs with the columns that name their subject."""
    query = f"""
        from claimed_pairs_v1 inner join claimed_calibration_v1 using (subject_key)
        select claim_source_id, metric, measure, claimed_pairs_v1.*
        where {where} order by all
    """
    with reading() as con:
        return rows_of(con, query)


def test_pairs_are_those_of_plain_python(world: World) -> None:
    found: dict[tuple[str, ...], list[tuple[Any, ...]]] = {}
    for row in found_pairs():
        key = row["claim_source_id"], row["metric"], row["measure"]
        found.setdefault(key, []).append((row["task_id"], row["y"], row["p"], row["w"]))
    expected = {key: pairs for key, pairs in oracle.used_pairs(world.raw).items() if pairs}
    assert found.keys() >= expected.keys()
    for key, pairs in expected.items():
        theirs = sorted((pair.problem, pair.y, pair.p, pair.w) for pair in pairs)
        for ours, wanted in zip(sorted(found[key]), theirs, strict=True):
            assert ours[:2] == wanted[:2]
            assert all(map(same, ours[2:], wanted[2:])), (key, ours, wanted)


OLDER = """
update raw.estimate set method = 'older', estimate_id = md5(estimate_id) where statistic = 'auroc'
"""


def test_intervals_of_claims_are_estimated(world: World, calibrations: Rows) -> None:
    """They are those of the rows in plain Python; a second call finds nothing to do."""
    assert {row["ece_interval_null_reason"] for row in calibrations} == {None, "not_estimated"}
    n_due = n_interrupted(3)
    assert calibrate(progress=False, replicates=REPLICATES, workers=1).n_claimed == n_due - 3
    assert calibrate(progress=False, replicates=REPLICATES, workers=1).n_claimed == 0
    build()
    used = oracle.used_pairs(world.raw)
    reasons = set()
    for row in found_in("claimed_calibration_v1", "claim_source_id, metric, measure"):
        reasons |= {row["auroc_interval_null_reason"], row["ece_interval_null_reason"]}
        key = (row["claim_source_id"], row["metric"], row["measure"])
        if not used.get(key):
            continue
        expected = {made.statistic: made for made in estimated(used[key], row["seed"])}
        assert row["interval_method"] == expected["ece"].method
        assert row["n_replicates"] == REPLICATES
        for name in ("skill_score", "ece", "auroc"):
            found = row[f"{name}_lo"], row[f"{name}_hi"], row[f"{name}_interval_null_reason"]
            interval = expected[name].interval
            assert interval is not None
            for ours, theirs in zip(found, vars(interval).values(), strict=True):
                assert row[name] is None or not differ(ours, theirs), (key, name, found, interval)
    assert {None, "single_class", "no_variation"} <= reasons
    planted = found_in("claimed_calibration_v1", "metric", "measure = 'claimed' and lm = 'modest'")
    assert all(row["ece_lo"] < 0.1 for row in planted if row["metric"] == "base"), "calibrated"
    with writing() as con:
        con.execute(OLDER)
    assert calibrate(progress=False, replicates=REPLICATES, workers=1).n_claimed == n_due
    assert calibrate(progress=False, replicates=REPLICATES, workers=1).n_claimed == 0


def test_claims_of_what_is_not_here_are_calibrated() -> None:
    """Language model and dataset are known by claims alone; nothing is left after one run."""
    given: dict[str, Any] = {"replicates": REPLICATES, "workers": 1}
    for named in ({"lm": "nobody"}, {"dataset": "few"}):
        calibrate(progress=False, **given, **named)
        assert calibrate(progress=False, **given, **named).n_claimed == 0
    with pytest.raises(BadValue, match="did you mean elsewhere"):
        calibrate(progress=False, **given, dataset="elsewere")


def n_interrupted(after: int) -> int:
    """Interrupt a calibration after so many subjects of claims; return how many were due."""
    with reading() as con:
        subjects = claimed_subjects(con, None, None)
    rows = iter([of_claims] * after)

    def interrupted(*given: Any) -> list[Estimated]:
        return next(rows, stop)(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimates, "of_claims", interrupted)
        with pytest.raises(KeyboardInterrupt):
            calibrate(progress=False, replicates=REPLICATES, workers=1)
    return len(subjects)


def stop(*_: Any) -> list[Estimated]:
    raise KeyboardInterrupt


def estimated(pairs: list[ScoredPair], seed: int) -> list[Estimated]:
    """Return the estimates of pairs, which are resampled with this seed."""
    tasks = sorted({pair.problem for pair in pairs})
    pairs = sorted(pairs, key=lambda pair: (pair.problem, pair.p, pair.y))
    resamples = resample(tasks, REPLICATES)
    assert resamples.seed == seed
    rows = SubjectRows(
        np.array([pair.p for pair in pairs]),
        np.array([pair.y for pair in pairs], dtype=bool),
        np.array([pair.w for pair in pairs]),
        np.array([tasks.index(pair.problem) for pair in pairs]),
    )
    return of_claims(rows, resamples)
