"""TF-IDF by its formula in plain Python, and what is fitted."""

from itertools import combinations

import numpy as np
import pytest

from runners.measuring.pairs.base import Material, NoFeature
from runners.measuring.pairs.tfidf import Tfidf
from tests.support.oracles.similarity.scores import tfidf_cosine
from warehouse.facts.measuring import ReleaseReferences

REFERENCES = [
    "def f(a):\n    return a + 1\n",
    "def f(a, b):\n    total = a + b\n    return total\n",
    "def f(a):\n    for x in a:\n        print(x)\n",
]
SOURCES = [
    "def f(a):\n    return 1 + a\n",
    "def f(b):\n    unheard = b\n    return unheard\n",
    "def f(a):\n    for x in a:\n        return x\n",
    "def f(a):\n    return a + 1\n",
]


def release(sources: list[str], release_id: str = "r1") -> ReleaseReferences:
    return ReleaseReferences(release_id, "toy", "1", sources)


def test_scores_are_those_of_the_formula() -> None:
    (scorer,) = Tfidf.scorers(Material([release(REFERENCES)]))
    pairs = np.array([*combinations(range(4), 2), (2, 2)])
    found = scorer.compare(scorer.features(SOURCES), pairs[:, 0], pairs[:, 1])
    wanted = [tfidf_cosine(SOURCES[a], SOURCES[b], REFERENCES) for a, b in pairs]
    assert found == pytest.approx(wanted, abs=1e-12)
    assert min(found) > 0
    assert max(found) == 1


def test_only_the_references_decide_who_the_scorer_is() -> None:
    first, again, other = (
        next(Tfidf.scorers(Material([release(sources)])))
        for sources in (REFERENCES, REFERENCES[::-1], REFERENCES[:2])
    )
    assert first.scorer_id == again.scorer_id != other.scorer_id
    assert (first.name, first.detail["n_references"]) == ("toy 1", 3)


def test_without_references_there_is_no_scorer() -> None:
    assert list(Tfidf.scorers(Material([release(["", "# nothing"])]))) == []


def test_what_has_no_vector_has_a_reason() -> None:
    (scorer,) = Tfidf.scorers(Material([release(REFERENCES)]))
    found = scorer.features(["", "'''doc'''", "ψ", "def"])
    reasons = ["empty_code", "empty_code", "no_known_token"]
    assert found[:3] == [NoFeature(reason) for reason in reasons]
    assert found[3].nnz == 1
