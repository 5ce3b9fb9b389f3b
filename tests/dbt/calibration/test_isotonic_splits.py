"""Isotonic curves need 1,000 rows in every training fold of every split that counts."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from models.words import MOST_SPLITS
from runners.measuring.calibration.fit import MIN_ISOTONIC
from runners.measuring.calibration.folds import grouped_folds
from runners.steps.calibrate import splits_of
from tests.support.oracles.calibration import ScoredPair
from tests.support.sql import rows_in
from tests.support.steps import build, calibrate
from tests.support.worlds.calibration.subjects import published_world

PROBLEMS = [f"toy1.{number}" for number in range(12)]


def answers(seed: int) -> list[ScoredPair]:
    """Some 1,270 answers to twelve problems; a fold holds two or three of them."""
    rng = random.Random(seed)
    sizes = [rng.randint(80, 130) for _ in PROBLEMS]
    pairs = []
    for problem, size in zip(PROBLEMS, sizes, strict=True):
        rate = rng.random()
        for _ in range(size):
            y = rng.random() < rate
            p = round(rng.betavariate(3, 2) if y else rng.betavariate(2, 3), 3)
            pairs.append(ScoredPair(min(max(p, 0.01), 0.99), y, 1.0, problem))
    return pairs


def least_rows(pairs: list[ScoredPair]) -> list[int]:
    """Return of each split how many rows its smallest training fold has."""
    names = sorted(PROBLEMS)
    right = Counter(q.problem for q in pairs if q.y)
    count = Counter(q.problem for q in pairs)
    tally = np.array([[count[name] - right[name], right[name]] for name in names], float)
    folds = grouped_folds(tally, splits_of(len(pairs), MOST_SPLITS))
    sizes = tally.sum(axis=1)
    return [int(len(pairs) - np.bincount(split, sizes).max()) for split in folds.T]


@pytest.mark.long
def test_a_call_with_fewer_splits_first_changes_no_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first splits have rows enough, a later one has not: no split has isotonic curves."""
    pairs = next(
        found
        for found in map(answers, range(5000))
        if min(least_rows(found)[:3]) >= MIN_ISOTONIC > min(least_rows(found))
    )
    found = {}
    for name in ("at once", "fewer first"):
        home = tmp_path / name
        path = published_world({"many": pairs}).write(home / "warehouse.duckdb")
        monkeypatch.setenv("ASSAY_HOME", str(home))
        if name == "fewer first":
            calibrate(seeds=3, replicates=50, progress=False)
        calibrate(replicates=50, progress=False)
        build(path)
        found[name] = [
            [round(value, 9) if isinstance(value, float) else value for value in row.values()]
            for row in rows_in(path, "select * from calibration_scaled_v2 order by all")
        ]
    assert found["fewer first"] == found["at once"]
    reasons = rows_in(
        path,
        """
        select distinct null_reason, ece_hi
        from calibration_scaled_v2
        where lm = 'many' and rescaler = 'isotonic' and measure = 'avg_prob'
        """,
    )
    assert reasons == [{"null_reason": "n_lt_min", "ece_hi": None}]
