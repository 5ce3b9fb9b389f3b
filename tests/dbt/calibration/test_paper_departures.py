"""What differs from the calibration paper is said in every view of version 1, by row and measure.

A language model for each condition; the codes follow from raw rows, by an oracle in plain Python.
"""

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from tests.support.oracles.published.departures import departures
from tests.support.sql import rows_of
from tests.support.steps import build, calibrate
from tests.support.worlds.calibration.subjects import CalibrationWorld
from warehouse.store.connection import reading

VIEWS_READ = (
    "+calibration_by_correctness_v1 +calibration_raw_v1 +calibration_scaled_v1 "
    "+reliability_bins_v1 +reliability_points_v1 +reproduction_v1 +roc_v1"
)

pytestmark = pytest.mark.long(seconds=40)

AS_PRINTED = {"task": "synthesis", "style": "completion", "temperature": 0.0}
CHAT = AS_PRINTED | {"style": "solution"}
HOLE = "    return x\n"
HEADED = "def f(x):\n    return x\n"
FENCED = "Sure:\n```python\ndef f(x):\n    return x\n```\n"
# language model: setting, rule, kept text, kept tokens, samples of the first problem
ANSWERS: dict[str, tuple[dict[str, Any], str, str, list[str], int]] = {
    "GPT-3.5-turbo-instruct": (AS_PRINTED, "function_end_v1", HOLE, [HOLE], 1),
    "code-davinci-002": (AS_PRINTED, "function_end_v1", HOLE, [HOLE], 1),
    "warm": (AS_PRINTED | {"temperature": 0.8}, "function_end_v1", HOLE, [HOLE], 1),
    "unknown": (AS_PRINTED | {"temperature": None}, "function_end_v1", HOLE, [HOLE], 1),
    "several": (AS_PRINTED, "function_end_v1", HOLE, [HOLE], 2),
    "other_rule": (AS_PRINTED, "function_end_v2", HOLE, [HOLE], 1),
    "headed_completion": (AS_PRINTED, "function_end_v1", HEADED, [HEADED], 1),
    "repair": (AS_PRINTED | {"task": "repair"}, "fixed_line_v1", HOLE, [HOLE], 1),
    "chat": (CHAT, "fenced_v1", HOLE, [HOLE], 1),
    "header": (CHAT, "fenced_v1", HEADED, [HEADED], 1),
    "fence": (CHAT, "whole", FENCED, [FENCED], 1),
    "fence_in_tokens": (CHAT, "fenced_v1", HOLE, ["    return x", "\n``", "`"], 1),
    "all_of_it": (CHAT | {"temperature": 0.8}, "whole", FENCED, [FENCED], 3),
}
N_PROBLEMS = 12
VIEWS = {
    "calibration_raw_v1": 7,
    "calibration_scaled_v1": 7,
    "reliability_bins_v1": 6,
    "reliability_points_v1": 6,
    "roc_v1": 6,
    "calibration_by_correctness_v1": 7,
}
"""Each view, and how many measures it has."""


def departing_world() -> CalibrationWorld:
    world = CalibrationWorld()
    problems = world.problems("humaneval1", "humaneval", N_PROBLEMS, [20, 80])
    for lm, (asked, rule, kept_text, kept, n_samples) in ANSWERS.items():
        world.lm(lm)
        world.setting(f"s.{lm}")
        world.raw["setting"][-1] |= asked
        for place, problem in enumerate(problems):
            for index in range(1 if place else n_samples):
                p = (place + 1) / (N_PROBLEMS + 1)
                name = world.answer(lm, problem, index, "passed" if place % 3 else "failed")
                world.judged[name]["setting_id"] = f"s.{lm}"
                # one of the answers is enough
                said = (kept_text, kept) if place == 0 else (HOLE, [HOLE])
                text = next(r for r in world.raw["generation_text"] if r["generation_id"] == name)
                text |= {"kept_text": said[0], "kept_rule": rule, "raw_text": FENCED}
                world.add(
                    "token_logprob", name, generation_id=name, tokens=[*said[1], "\n```\n"],
                    logprobs=[-p] * len(said[1]) + [-0.1], kept=[True] * len(said[1]) + [False],
                )  # fmt: skip
                world.states(name, "verbalized_v1", [p])
                world.says_true_or_false(name, [[("True", -p), ("False", -1.0)]])
    return world


@pytest.fixture(scope="module")
def world() -> CalibrationWorld:
    return departing_world()


@pytest.fixture(scope="module")
def views(
    world: CalibrationWorld, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[duckdb.DuckDBPyConnection]:
    home = tmp_path_factory.mktemp("departures")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        world.write(home / "warehouse.duckdb")
        calibrate(seeds=1, replicates=40, workers=1, progress=False)
        build(select=VIEWS_READ)
        with reading() as con:
            yield con


def test_what_is_planted_is_what_the_oracle_finds(world: CalibrationWorld) -> None:
    text = {lm: departures(lm, "total_prob", world.raw) for lm in ANSWERS}
    assert text == {
        "GPT-3.5-turbo-instruct": None,
        "code-davinci-002": None,
        "warm": "temperature",
        "unknown": "temperature",
        "several": "samples",
        "other_rule": "kept_rule",
        "headed_completion": None,
        "repair": None,
        "chat": "kept_rule, chat",
        "header": "kept_rule, chat, copied_prompt",
        "fence": "kept_rule, chat, fence, copied_prompt",
        "fence_in_tokens": "kept_rule, chat, fence",
        "all_of_it": "temperature, samples, kept_rule, chat, fence, copied_prompt",
    }
    assert departures("GPT-3.5-turbo-instruct", "ask_tf", world.raw) is None
    assert departures("code-davinci-002", "ask_tf_normalized", world.raw) == "top_5"
    assert departures("fence", "verbalized", world.raw) == "kept_rule, chat"


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_says_it_by_row_and_measure(
    views: duckdb.DuckDBPyConnection, world: CalibrationWorld, view: str
) -> None:
    found = {
        (row["lm"], row["measure"]): row["paper_departures"]
        for row in rows_of(views, f"select distinct lm, measure, paper_departures from {view}")
    }
    expected = {(lm, measure): departures(lm, measure, world.raw) for lm, measure in found}
    assert found == expected
    # repaired lines are all of one class: they have no curve
    lms = [lm for lm in ANSWERS if view != "roc_v1" or lm != "repair"]
    assert {lm for lm, _ in found} == {*lms}
    assert len(found) == VIEWS[view] * len(lms)


def test_ours_beside_the_papers_numbers_say_it_too(
    views: duckdb.DuckDBPyConnection, world: CalibrationWorld
) -> None:
    rows = rows_of(views, "select distinct lm, measure, paper_departures from reproduction_v1")
    found = {(row["lm"], row["measure"]): row["paper_departures"] for row in rows}
    assert {lm for lm, _ in found} == {"GPT-3.5-turbo-instruct", "code-davinci-002"}
    assert found == {(lm, measure): departures(lm, measure, world.raw) for lm, measure in found}
    assert set(found.values()) == {None, "top_5"}
