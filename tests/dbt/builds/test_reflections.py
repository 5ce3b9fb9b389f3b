"""What a language model said of an answer, in builds of what is new."""

import math
from collections import Counter
from pathlib import Path

import pytest

from tests.support.builds.nights import append
from tests.support.builds.relations import same_as_all
from tests.support.steps import build
from tests.support.worlds.calibration.subjects import CalibrationWorld
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=60)


def reflected_world() -> CalibrationWorld:
    """A language model that was asked in three ways about each of its four answers."""
    world = CalibrationWorld()
    lm = world.lm("one")
    for problem in world.problems("toy1", "toy", 8, [20])[:4]:
        name = world.answer(lm, problem, 0, "passed", logprobs=[-0.1])
        world.states(name, "verbalized_v1", [0.7])
        world.states(name, "verbalized_v2", [None, 0.8])
        world.says_true_or_false(name, [[("True", -0.5), ("False", -1.5)]])
    return world


def confidences(path: Path) -> list[tuple[float, float]]:
    with reading(path) as con:
        return con.execute(
            "select verbalized, ask_tf from confidence_v2 order by generation_id"
        ).fetchall()


@pytest.mark.usefixtures("few_views", "small_parts")
@pytest.mark.parametrize("what_comes", ["an answer", "a reflection"])
def test_what_was_said_of_old_answers_stays(
    what_comes: str, done: Counter[str], tmp_path: Path
) -> None:
    world = reflected_world()
    path = world.write(tmp_path / "warehouse.duckdb")
    build(path)
    done.clear()
    night = CalibrationWorld()
    night.raw.clear()
    if what_comes == "an answer":
        night.answer("one", "toy1.5", 0, "passed")
        expected = [(0.8, math.exp(-0.5))] * 4 + [(None, None)]
    else:
        [old] = [row for row in world.judged.values() if row["problem_id"] == "toy1.0"]
        night.judged = {old["generation_id"]: old}
        night.setting("s.again", task="reflection", temperature=1.0)
        night.raw["setting"][-1] |= {"prompt_kind": "verbalized_v2", "style": "solution"}
        # asked three times under another setting, which then counts: before it was asked twice
        night.states(old["generation_id"], "verbalized_v2", [None] * 4 + [0.1])
        night.raw = {table: rows[-3:] for table, rows in night.raw.items()}
        for row in night.raw["generation"]:
            row["setting_id"] = "s.again"
        expected = [(0.1, math.exp(-0.5))] + [(0.8, math.exp(-0.5))] * 3
    append(path, night.raw)
    build(path)
    assert done["_replace"] > 0
    assert done["_send_all"] == done["_run_dbt"] == 0
    assert confidences(path) == [pytest.approx(row) for row in expected]
    same_as_all(path)
