"""Scores of pairs through the step: planted truth, kept features, and work that is cut off."""

from pathlib import Path

import numpy as np
import pytest

from models.words import UNKEPT_CANDIDATE, UNKEPT_PROGRAM
from runners.measuring.pairs import scores
from runners.measuring.pairs.structure import Structure
from runners.measuring.pairs.tree_edit import TreeEdit
from tests.runners.measuring.pairs.encoders import saved_encoder
from tests.support.sql import rows
from tests.support.steps import similarity_pairs
from tests.support.worlds.world import World
from warehouse.errors import Interrupted
from warehouse.parameters import BadValue

A = "def f(x):\n    a = 1\n    b = x + 2\n    return a + b\n"
RENAMED = "def f(y):\n    q = y + 5\n    p = 7\n    return p + q\n"  # and two lines swapped
OTHER = "def f(x):\n    for i in x:\n        print(i)\n"
BROKEN = "def f(x:\n"
SOURCES = {"c0": A, "c1": RENAMED, "c2": OTHER, "c3": BROKEN, "c4": ""}


@pytest.fixture
def home_with_pairs(home: Path) -> Path:
    world = World()
    world.run("r0", 0)
    first, second = world.release("toy", "toy", 2, "r0")
    lm, setting = world.lm("lm"), world.setting("s1")
    for problem, names in ((first, ["c0", "c1", "c2", "c0"]), (second, ["c2", "c3", "c4"])):
        admission = world.admission(problem, "calibrated", "split", "r0")
        for index, name in enumerate(names):
            generation = world.generation(lm, setting, problem, index)
            program = world.program(f"{name}.{problem}", problem, admission)
            world.evaluation(generation, problem, name, program, "r0")
    for name in SOURCES:
        world.add("candidate", name, candidate_id=name, parses=True, n_characters=1)
    for row in world.raw["candidate"]:
        row["source"] = SOURCES.get(row["candidate_id"], "")
    world.write(home / "warehouse.duckdb")
    return home


def found(measure: str) -> dict[tuple[str, str], float | str]:
    table = rows(
        "select candidate_a, candidate_b, value, null_reason from facts.pair_scored "
        f"inner join raw.scorer using (scorer_id) where measure = '{measure}'"
    )
    assert all((value is None) != (reason is None) for _, _, value, reason in table)
    return {(a, b): reason or value for a, b, value, reason in table}


def test_planted_structures_are_found_and_the_rest_has_its_reason(home_with_pairs: Path) -> None:
    report = similarity_pairs(measures=[])
    # three candidates, one of them given twice; and three more pairs of the second problem
    assert report.pairs == dict.fromkeys(("tfidf_v1", "tree_edit_v1", "structure_v1"), 7)
    structure = found("structure_v1")
    assert {
        pair: structure[pair] for pair in structure if "c3" not in pair and "c4" not in pair
    } == {
        ("c0", "c0"): 1.0,
        ("c0", "c1"): 1.0,
        ("c0", "c2"): 0.0,
        ("c1", "c2"): 0.0,
    }
    assert structure["c2", "c3"] == structure["c3", "c4"] == "no_parse"
    assert structure["c2", "c4"] == "empty_code"
    trees = found("tree_edit_v1")
    assert trees["c0", "c0"] == 1
    assert 0 < trees["c0", "c2"] < trees["c0", "c1"] < 1
    assert found("tfidf_v1")["c3", "c4"] == "empty_code"
    assert report.unscored == {
        "tfidf_v1: empty_code": 2,
        "tree_edit_v1: no_parse": 2,
        "tree_edit_v1: empty_code": 1,
        "structure_v1: no_parse": 2,
        "structure_v1: empty_code": 1,
    }
    assert similarity_pairs(measures=[]).pairs == {}


def test_a_text_that_is_not_kept_is_the_reason_beside_any_other() -> None:
    pairs = scores.PairsOfProblem(
        candidate_ids=["a", UNKEPT_CANDIDATE],
        sources=["", UNKEPT_PROGRAM],
        known=[None, None],
        first=np.array([0, 1]),
        second=np.array([1, 0]),
    )
    assert scores.score_problem(Structure(), pairs).null_reasons == ["text_not_kept"] * 2


def test_kept_features_are_not_computed_again(
    home_with_pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    similarity_pairs(measures=[], pair_measures=["structure_v1"], max_samples=2)
    asked: list[str] = []
    monkeypatch.setattr(
        Structure, "features", lambda self, sources: asked.extend(sources) or ["new"] * len(sources)
    )
    similarity_pairs(measures=[], pair_measures=["structure_v1"])
    assert asked == [""]  # the fifth program alone is new
    known = dict(rows("select candidate_id, digest from raw.candidate_feature"))
    assert known["c0"] == known["c1"] != "new"


def test_a_sample_that_is_judged_twice_is_one_of_the_first_samples(home: Path) -> None:
    world = World()
    world.run("r0", 0)
    [problem] = world.release("toy", "toy", 1, "r0")
    lm, setting = world.lm("lm"), world.setting("s1")
    for index, name in enumerate(["c0", "c1", "c2"]):
        generation = world.generation(lm, setting, problem, index)
        for policy in ("calibrated", "compat"):
            admission = world.admission(problem, policy, "split", "r0")
            program = world.program(name, problem, admission)
            world.evaluation(generation, problem, name, program, "r0")
    world.write(home / "warehouse.duckdb")
    similarity_pairs(pair_measures=[], max_samples=2)
    assert rows("select distinct candidate_a, candidate_b from facts.pair_counted") == [
        ("c0", "c1")
    ]


@pytest.mark.long
def test_a_program_of_a_megabyte_has_a_score_or_a_reason(home: Path) -> None:
    """The longest text that a row may hold, beside a short one."""
    world = World()
    world.run("r0", 0)
    [problem] = world.release("toy", "toy", 1, "r0")
    lm, setting = world.lm("lm"), world.setting("s1")
    admission = world.admission(problem, "calibrated", "split", "r0")
    texts = {"c0": A, "c1": "x = 1\n" * (1_000_000 // 6)}
    for index, name in enumerate(texts):
        generation = world.generation(lm, setting, problem, index)
        world.evaluation(generation, problem, name, world.program(name, problem, admission), "r0")
    for row in world.raw["candidate"]:
        row["source"] = texts[row["candidate_id"]]
    world.write(home / "warehouse.duckdb")
    similarity_pairs(encoder=saved_encoder(home / "encoder"))
    assert rows("select n_tokens_b from facts.pair_counted where measure = 'tokens_v2'") == [
        (3 * (1_000_000 // 6),)
    ]
    for measure in ("tree_edit_v1", "structure_v1", "embedding_v1"):
        assert found(measure) == {("c0", "c1"): "too_large"}, measure


def test_an_encoder_is_named_and_its_vectors_are_kept(home_with_pairs: Path) -> None:
    encoder = saved_encoder(home_with_pairs / "encoder")
    assert "embedding_v1" not in similarity_pairs(measures=[]).pairs
    report = similarity_pairs(measures=[], encoder=encoder)
    assert report.pairs == {"embedding_v1": 7}
    assert found("embedding_v1")["c2", "c4"] == "empty_code"
    assert -1 <= found("embedding_v1")["c0", "c2"] <= 1
    kept = rows("select len(vector), null_reason from raw.candidate_feature where digest is null")
    assert (8, None) in kept
    assert (None, "empty_code") in kept
    other = saved_encoder(home_with_pairs / "other", seed=1)
    assert similarity_pairs(measures=[], encoder=other).pairs == {"embedding_v1": 7}
    assert len(rows("select 1 from raw.scorer where measure = 'embedding_v1'")) == 2


def test_a_folder_that_is_no_encoder_is_refused_before_anything(home_with_pairs: Path) -> None:
    folder = home_with_pairs / "empty"
    folder.mkdir()
    with pytest.raises(BadValue, match=r"encoder: .*empty: not a known layout"):
        similarity_pairs(encoder=folder)
    assert rows("select count(*) from facts.pair_counted") == [(0,)]


def test_an_interrupted_run_is_resumed(
    home_with_pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scores, "APPEND_EVERY_S", 0.0)
    features = TreeEdit.features
    calls: list[int] = []

    def once(self: TreeEdit, sources: list[str]) -> list[object]:
        calls.append(len(sources))
        if len(calls) > 1:
            raise KeyboardInterrupt
        return features(self, sources)

    monkeypatch.setattr(TreeEdit, "features", once)
    arguments = {"measures": [], "pair_measures": ["tree_edit_v1"]}
    with pytest.raises(
        Interrupted, match=r"\d blocks of scored pairs saved; run the same command again"
    ):
        similarity_pairs(**arguments)
    before = found("tree_edit_v1")
    assert len(before) in (3, 4)
    monkeypatch.setattr(TreeEdit, "features", features)
    assert similarity_pairs(**arguments).pairs == {"tree_edit_v1": 7 - len(before)}
    assert before.items() <= found("tree_edit_v1").items()


@pytest.mark.long
def test_a_second_process_gives_the_same_scores(
    home_with_pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for scored in (TreeEdit, Structure):
        monkeypatch.setattr(scored, "worth_a_pool", 1)
    similarity_pairs(measures=[], workers=2)
    pooled = {name: found(name) for name in ("tfidf_v1", "tree_edit_v1", "structure_v1")}
    scorer = TreeEdit()
    import numpy as np

    features = scorer.features([A, RENAMED])
    (alone,) = scorer.compare(features, np.array([0]), np.array([1]))
    assert pooled["tree_edit_v1"]["c0", "c1"] == alone
    assert all(len(each) == 7 for each in pooled.values())
