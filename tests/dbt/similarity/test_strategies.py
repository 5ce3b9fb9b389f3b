"""Prompting strategies: separate entries, with their planted pass@1, and one view of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from runners.tasks.strategies import STRATEGIES
from tests.support.goldens import check_golden
from tests.support.sql import rows, rows_of
from tests.support.steps import build, execute, generate, ingest_dataset, similarity_pairs
from tests.support.worlds.world import random_world
from warehouse.store.connection import reading

VIEWS_READ = "+pass_at_k_v1 +sim_at_k_v1 +strategies"

pytestmark = pytest.mark.long(seconds=60)

PASS_RATE, EXAMPLE_GAIN, TELLING, GUESS = 0.5, 0.3, 0.4, 0.1
PLANTED = {
    "synthesis_chat_v1": PASS_RATE,
    "synthesis_chat_few_shot_cot_v1": PASS_RATE + EXAMPLE_GAIN,
    "synthesis_chat_planning_v1": TELLING * PASS_RATE + (1 - TELLING) * GUESS,
}
N_PROBLEMS, N_SAMPLES, N_STYLES = 48, 4, 2
PROMPTS = {
    "s1": ("synthesis_program_chat_planning_v1", "planning"),
    "s2": ("synthesis_chat_few_shot_cot_v1", "few_shot_cot"),
    "s4": ("original", "vanilla"),
    "other": ("cot", None),
}
"""Of each setting of a random world: its prompt, and the strategy that this is."""

WITHIN = 3.3 * 0.5 / (N_PROBLEMS * N_SAMPLES) ** 0.5


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("strategies")
    asked: dict[str, Any] = {
        "backend": "planted",
        "lm": "planner",
        "dataset": "starter",
        "n": N_SAMPLES,
        "temperature": 0.2,
        "options": {
            "chat": True,
            "pass_rate": PASS_RATE,
            "example_gain": EXAMPLE_GAIN,
            "telling": TELLING,
            "guess": GUESS,
            "n_styles": N_STYLES,
            "seed": 5,
        },
        "progress": False,
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        ingest_dataset("starter")
        for prompt in PLANTED:
            generate(**asked, prompt=prompt)
        execute(progress=False)
        similarity_pairs(progress=False, pair_measures=[], text_measures=[])
        build(select=VIEWS_READ)
    return home


def found(monkeypatch: pytest.MonkeyPatch, home: Path, query: str) -> list[tuple[Any, ...]]:
    monkeypatch.setenv("ASSAY_HOME", str(home))
    return rows(query)


def test_each_strategy_has_its_own_pass_at_1_and_sim(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = found(
        monkeypatch,
        built,
        "select prompt_kind, pass_at_1, sim, csim, k, k_min, n_sim from sim_at_k_v1 "
        "join raw.setting using (setting_id) "
        "where scope = 'all' and similarity = 'scc_clone_80'",
    )
    assert {row[0] for row in told} == {*PLANTED}
    assert len(told) == len(PLANTED)
    for prompt, pass_at_1, sim, csim, k, k_min, n_sim in told:
        assert pass_at_1 == pytest.approx(PLANTED[prompt], abs=WITHIN)
        assert (k, k_min, n_sim) == (N_SAMPLES, N_SAMPLES, N_PROBLEMS)
        assert csim == pytest.approx(1 / N_STYLES, abs=0.25)
        assert 0 < sim < 1


def test_pass_at_k_has_the_same_entries_and_no_step_of_a_plan(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = found(
        monkeypatch,
        built,
        "select prompt_kind, pass_at_k from pass_at_k_v1 join raw.setting using (setting_id) "
        "where k = 1",
    )
    assert {row[0] for row in told} == {*PLANTED}
    for prompt, pass_at_1 in told:
        assert pass_at_1 == pytest.approx(PLANTED[prompt], abs=WITHIN)


def test_the_view_names_each_strategy(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = found(
        monkeypatch,
        built,
        "select strategy, prompt_kind, temperature, pass_at_1, pass_at_1_lo, pass_at_1_hi, "
        "sim_lo <= sim and sim <= sim_hi from strategies_v1 "
        "join raw.setting using (setting_id, temperature) "
        "where scope = 'all' and similarity = 'scc_clone_80' and difficulty = 'all'",
    )
    assert len(told) == len(PLANTED)
    for strategy, prompt, temperature, pass_at_1, low, high, ordered in told:
        assert prompt in STRATEGIES.load(strategy).prompts
        assert temperature == 0.2
        assert pass_at_1 == pytest.approx(PLANTED[prompt], abs=WITHIN)
        assert low < pass_at_1 < high
        assert ordered


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    world = random_world(11)
    for row in world.raw["problem"]:
        row["difficulty"] = ("easy", "hard", None)[row["position"] % 3]
    world.setting("other")
    for row in world.raw["setting"]:
        row["prompt_kind"] = PROMPTS.get(row["setting_id"], (row["prompt_kind"],))[0]
    asked = [row for row in world.raw["generation"] if row["setting_id"] == "s1"]
    for row in asked:
        if row["lm_id"] == min(each["lm_id"] for each in asked):
            row["setting_id"] = "other"
    home = tmp_path_factory.mktemp("strategies_views")
    world.write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        build(select=VIEWS_READ)
        with reading() as con:
            yield con


@pytest.mark.parametrize("version", [1, 2])
def test_the_view_holds_all_problems_and_each_difficulty(con: Any, version: int) -> None:
    view = f"strategies_v{version}"
    told = rows_of(con, f"select * from {view}")
    whole = rows_of(con, f"select 'all' as difficulty, * from sim_at_k_v{version}")
    parts = rows_of(con, f"select * from diversity_by_difficulty_v{version}")
    key = ("lm_id", "release_id", "setting_id", "difficulty", "scope", "similarity", "scorer_id")
    wanted = {
        tuple(row[name] for name in key): row
        for row in whole + parts
        if PROMPTS[row["setting_id"]][1] is not None
    }
    assert {row["setting_id"] for row in whole} == {*PROMPTS}, "one of another strategy"
    assert {row["difficulty"] for row in told} == {"all", "easy", "hard"}
    assert len(told) == len(wanted) > 50
    for row in told:
        source = wanted[tuple(row[name] for name in key)]
        assert row["strategy"] == PROMPTS[row["setting_id"]][1]
        own = {"strategy", "temperature", "view_version"}
        assert {name: row[name] for name in row if name not in own} == {
            name: source[name] for name in row if name not in own
        }
    shown = [
        row
        for row in told
        if row["scope"] == "first_k" and row["similarity"] in ("scc_clone_80", "clone_80")
    ]
    check_golden(view, sorted(shown, key=lambda row: [str(row[name]) for name in key]))
