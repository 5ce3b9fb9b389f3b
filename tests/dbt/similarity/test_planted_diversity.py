"""Under every measure the view's interval covers the diversity that was planted."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from runners.measuring.pairs import PAIR_MEASURES
from runners.measuring.pairs.base import Material, PairMeasure
from tests.runners.measuring.pairs.encoders import WORDS, saved_encoder
from tests.support.sql import rows_of
from tests.support.steps import build, rate, similarity_pairs
from tests.support.worlds.similarity import styles
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=60)

WIDEST, SHIFT = 0.1, 0.15
JUDGES = {"judge_v1": "pair_judge_v1", "judge_v2": "pair_judge_v2"}
VECTORS = np.random.default_rng(0).normal(size=(len(WORDS), 8)).tolist()
BY_FORMULA: dict[str, styles.Score] = {
    "overlap_ratio": styles.overlap,
    "clone_70": lambda one, other: float(styles.overlap(one, other) >= 0.7),
    "clone_80": lambda one, other: float(styles.overlap(one, other) >= 0.8),
    "clone_90": lambda one, other: float(styles.overlap(one, other) >= 0.9),
    "tfidf_v1": styles.tfidf,
    "tree_edit_v1": styles.tree_edit,
    "structure_v1": styles.structure,
    "embedding_v1": styles.embedding(dict(zip(WORDS, VECTORS, strict=True))),
    "judge_v1": styles.overlap,
    "judge_v2": styles.judged_often,
    "human_v1": styles.rated,
    "behaviour_v1": styles.behaviour,
}
SCORES = {name: styles.measured(name) for name in PAIR_MEASURES if name not in BY_FORMULA}
SCORES |= BY_FORMULA

NEIGHBOURS: dict[str, styles.Score] = {
    "scc_clone_80": styles.scc_clone,
    "embedding_v1": styles.embedding(dict(zip(WORDS, VECTORS, strict=True)), least=-1.0),
    "judge_v1": SCORES["judge_v1"],
}
"""What version 1 shows. Its tokens are words, so two styles of three are one; a cosine below 0
stays as it is."""

OTHER_SHARES = (0.71, 0.17, 0.12)
"""Two samples are of one style with a chance of 0.5474 in place of 0.38."""


Shown = dict[str, dict[str, Any]]


def rows_shown(home: Path, *, asks_judges: bool, **planted: Any) -> Shown:
    """Measure every pair of a world and return the rows of its samples by similarity."""
    styles.styled_world(**planted).write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        encoder = saved_encoder(home / "encoder")
        similarity_pairs(progress=False, encoder=encoder, pair_measures=tuple(PAIR_MEASURES))
        for template in JUDGES.values() if asks_judges else ():
            asked = {"lm": "critic", "template": template, "pairs": "all"}
            rate(backend="planted", progress=False, options={"seed": 1}, **asked)
        build(select="+sim_at_k")
        with reading() as con:
            query = "select * from sim_at_k_v{} where lm = 'stylist' and scope = 'first_k'"
            found = [row for v in (1, 2) for row in rows_of(con, query.format(v))]
    return {
        row["similarity"] + "/v1" * row["view_version"].endswith("_v1"): row
        for row in found
        if row["n_sim"]
    }


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    return rows_shown(tmp_path_factory.mktemp("styles"), asks_judges=True, seed=1)


def test_every_measure_is_planted(shown: Shown) -> None:
    assert set(SCORES) | {f"{name}/v1" for name in NEIGHBOURS} == set(shown)


@pytest.mark.parametrize("similarity", sorted(NEIGHBOURS))
def test_so_does_that_of_neighbours(shown: Shown, similarity: str) -> None:
    """Version 1 has five pairs of a problem: the same mean, and a wider interval."""
    row, score = shown[f"{similarity}/v1"], NEIGHBOURS[similarity]
    truth = styles.expected(score)
    assert row["n_sim"] == styles.N_PROBLEMS
    assert row["sim_lo"] <= truth <= row["sim_hi"], (truth, row["sim"])
    assert row["sim_hi"] - row["sim_lo"] <= 2 * WIDEST


@pytest.mark.parametrize("similarity", sorted(SCORES))
def test_the_interval_covers_the_planted_diversity(shown: Shown, similarity: str) -> None:
    row, score = shown[similarity], SCORES[similarity]
    right = [kind for kind in styles.KINDS if kind.is_right]
    csim = styles.expected(score, right)
    truth = {
        "sim": styles.expected(score),
        "csim": csim,
        "dpass": styles.expected_dpass(csim),
    }
    assert row["n_sim"] == styles.N_PROBLEMS
    assert row["n_pairs_no_score"] == 0
    for name, planted in truth.items():
        low, high = row[f"{name}_lo"], row[f"{name}_hi"]
        assert low <= planted <= high, (name, planted, row[name])
        assert not low <= planted + SHIFT <= high, name
        assert not low <= planted - SHIFT <= high, name
    assert row["sim_hi"] - row["sim_lo"] <= WIDEST


def test_samples_of_other_chances_are_found_out(tmp_path: Path) -> None:
    """No interval covers the truth of chances that were not planted."""
    assert sum(share**2 for share in OTHER_SHARES) - styles.expected(styles.structure) > SHIFT
    found = rows_shown(tmp_path, asks_judges=False, seed=1, shares=OTHER_SHARES)
    for similarity in SCORES.keys() - JUDGES:
        truth, row = styles.expected(SCORES[similarity]), found[similarity]
        assert not row["sim_lo"] <= truth <= row["sim_hi"], similarity
    truth, row = styles.expected(styles.scc_clone), found["scc_clone_80/v1"]
    assert not row["sim_lo"] <= truth <= row["sim_hi"]


class Lengths(PairMeasure):
    """A toy measure: the shorter text over the longer."""

    measure = "lengths_v1"
    identity = "characters"
    detail: ClassVar[dict[str, Any]] = {}

    @classmethod
    def scorers(cls, material: Material) -> Iterator[PairMeasure]:
        yield cls()

    def features(self, sources: Sequence[str]) -> list[Any]:
        return [len(source) for source in sources]

    def compare(self, features: Sequence[Any], first: Any, second: Any) -> Any:
        lengths = np.array(features)
        one, other = lengths[first], lengths[second]
        return np.minimum(one, other) / np.maximum(one, other)


def test_a_measure_is_one_file_and_one_line_of_the_registry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PAIR_MEASURES, Lengths.measure, f"{__name__}:Lengths")
    row = rows_shown(tmp_path, asks_judges=False, seed=1)[Lengths.measure]
    truth = styles.expected(styles.measured(Lengths.measure))
    assert row["sim_lo"] <= truth <= row["sim_hi"]
    assert row["sim_hi"] - row["sim_lo"] <= WIDEST
    assert truth < 0.95
