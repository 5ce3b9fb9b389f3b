"""Three ways of asking one planted language model are three entries, each with its planted pass@1."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.sql import rows
from tests.support.steps import build, execute, generate, ingest_dataset, similarity_pairs

pytestmark = pytest.mark.long(seconds=60)

PASS_RATE, EXAMPLE_GAIN, TELLING, GUESS = 0.5, 0.3, 0.4, 0.1
PLANTED = {
    "synthesis_chat_v1": PASS_RATE,
    "synthesis_chat_few_shot_cot_v1": PASS_RATE + EXAMPLE_GAIN,
    "synthesis_chat_planning_v1": TELLING * PASS_RATE + (1 - TELLING) * GUESS,
}
N_PROBLEMS, N_SAMPLES, N_STYLES = 48, 4, 2
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
        build(select="path:models/staging +sim_at_k +pass_at_k", tests=False)
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
