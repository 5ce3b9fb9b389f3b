"""The jackknife of Pearson's r in SQL beside slow loops, where it has an interval and where not."""

import duckdb
import numpy as np
import pandas as pd
import pytest

from tests.support.oracles.ame import jackknife
from tests.support.sql import macro, same

INTERVAL = macro(
    "correlation.sql", "correlation_interval('given', ['number'])", "listed.sql", "student_t.sql"
)
N_SETS = 60


def drawn(kind: str, number: int) -> tuple[list[int], list[float], list[float]]:
    """Return the problem, a and b of each row of a data set."""
    rng = np.random.default_rng(number)
    n = int(rng.integers(2, 40))
    problems = np.repeat(np.arange(1, n + 1), rng.integers(1, 4, n))
    a = rng.normal(size=len(problems))
    b = 0.6 * a + rng.normal(size=len(problems))
    if kind == "few values":
        a, b = (rng.choice([-1, 0, 0, 0, 1], len(problems)).astype(float) for _ in range(2))
    if kind == "on a line":
        b = 3 * a - 1
    if kind == "one differs":
        a, b = ((problems == 1) * value for value in (rng.normal(), rng.normal()))
    if kind == "one off the line":
        b = np.where(problems == n, 5.0, 2 * a)
    return problems.tolist(), a.tolist(), b.tolist()


@pytest.mark.parametrize(
    ("kind", "has_some"),
    [
        ("spread", True),
        ("few values", True),
        ("on a line", False),
        ("one differs", False),
        ("one off the line", False),
    ],
)
def test_intervals_are_those_of_slow_loops(kind: str, has_some: bool) -> None:
    sets = [drawn(kind, number) for number in range(N_SETS)]
    rows = [(i, *row) for i, each in enumerate(sets) for row in zip(*each, strict=True)]
    given = pd.DataFrame(rows, columns=["number", "problem_index", "a", "b"])
    with duckdb.connect() as con:
        con.register("given", given)
        found = con.execute(f"with {INTERVAL} select number, low, high from intervals").fetchall()
    ends = {number: (low, high) for number, low, high in found}
    for number, (problems, a, b) in enumerate(sets):
        low, high = jackknife([f"{p:03d}" for p in problems], a, b)
        ours = ends.get(number, (None, None))
        assert same(ours[0], low), (kind, number)
        assert same(ours[1], high), (kind, number)
    assert (len(found) > N_SETS // 2) == has_some
    assert has_some or not found
