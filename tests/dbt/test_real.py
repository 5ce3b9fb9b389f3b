"""11,000 real samples, with the verdicts they were given elsewhere, through the views."""

from pathlib import Path

import pytest

from tests.data import LABELS, json_rows
from tests.support.sql import rows
from tests.support.steps import build
from tests.support.worlds.world import World

pytestmark = pytest.mark.long  # real samples


def test_published_pass_rates_of_real_samples(home: Path) -> None:
    """pass@1, pass@10 and pass@100 in percent, and the problems behind CSim."""
    world = World()
    world.run("r0", 0)
    lm, setting = world.lm("codegen-16B", simulated=False), world.setting("s1")
    labels = json_rows(LABELS)
    names = list(dict.fromkeys(label["task_id"] for label in labels))
    tasks = dict(zip(names, world.release("humaneval", "humaneval", len(names), "r0"), strict=True))
    admissions = {}
    for problem in tasks.values():
        admissions[problem] = world.admission(problem, "calibrated", "split", "r0")
        world.canary("r0", problem)
    for label in labels:
        problem = tasks[label["task_id"]]
        candidate = f"c.{problem}.{label['sample']}"
        generation = world.generation(lm, setting, problem, label["sample"])
        program = world.program(candidate, problem, admissions[problem])
        world.evaluation(generation, problem, candidate, program, "r0")
        passed = label["status_raw"] == "passed"
        world.outcome(program, 1, "passed" if passed else "failed", "r0")
    world.write(home / "warehouse.duckdb")
    build(select="+int_problem_scoped +pass_at_k +sim_at_k_v1")
    rates = rows(
        "select k, pass_at_k, n_used, pass_at_k_lo, pass_at_k_hi from pass_at_k order by k"
    )
    counts = rows("select n_csim_null_pairs_missing, n_total from sim_at_k_v1 where scope = 'all'")
    tens = rows(
        "select count(*) from intermediate.int_problem_scoped where scope = 'all' and c >= 10"
    )
    found = {k: rate for k, rate, *_ in rates}
    assert 100 * found[1] == pytest.approx(21.727, abs=5e-4)
    assert 100 * found[10] == pytest.approx(46.964, abs=5e-4)
    assert 100 * found[100] == pytest.approx(66.364, abs=5e-4)
    assert {n_used for _, _, n_used, *_ in rates} == {110}
    assert all(low < rate < high for _, rate, _, low, high in rates)
    assert tens == [(43,)]
    # no pair was measured here: CSim is unknown where two samples are right, and says so
    assert counts[0][1] == 110
    assert 43 <= counts[0][0] <= 73
