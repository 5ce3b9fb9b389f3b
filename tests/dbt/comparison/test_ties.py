"""Boards known by hand: ties that are no runs, bands beside ranks, few common problems."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.sql import rows_of
from tests.support.steps import build
from tests.support.worlds.comparison.entries import ComparedWorld
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=25)

N = 100
Solved = dict[str, tuple[set[int], set[int]]]
"""By language model: the problems that it solves, and those that it did not answer."""
BOARDS: dict[str, tuple[int, Solved]] = {
    # a solves 15 more than b; c is behind both, but solves others: a alone 46, c alone 30
    "runs": (N, {
        "a": (set(range(70)), set()),
        "b": (set(range(55)), set()),
        "c": ({*range(24), *range(70, 100)}, set()),
    }),
    # a and b differ in 4 of their common problems, b and c in 5, a and c in 9
    "chain": (N, {
        "a": (set(range(50)), {90, 91, 92}),
        "b": (set(range(46)), {93, 94}),
        "c": (set(range(41)), {95, 96, 97, 98}),
    }),
    # behind did not answer ten problems that ahead solved; it alone solves six of the others
    "apart": (N, {
        "ahead": ({*range(21), *range(90, 100)}, set()),
        "behind": (set(range(27)), set(range(90, 100))),
    }),
    # small answered ten problems, all right
    "floor": (N, {
        "big": (set(range(50)), set()),
        "big_too": (set(range(50)), set()),
        "less": (set(range(41)), set()),
        "small": (set(range(10)), set(range(10, N))),
    }),
    # each of twelve left out another problem
    "none_common": (12, {f"m{at:02}": (set(range(at)), {at}) for at in range(12)}),
    "few_common": (20, {f"m{at:02}": (set(range(at)), {at}) for at in range(12)}),
}  # fmt: skip


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    world = ComparedWorld()
    world.settings()
    for lm in sorted({lm for _, solved in BOARDS.values() for lm in solved}):
        world.lm(lm, simulated=False)
    for dataset, (n, answered) in BOARDS.items():
        problems = world.problems(f"{dataset}1", dataset, n)
        for lm, (solved, missing) in answered.items():
            right = {name: [at in solved] for at, name in enumerate(problems) if at not in missing}
            world.answers(lm, "s1", right)
    home = tmp_path_factory.mktemp("ties")
    world.write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        build(select="+comparison_to_best_v1 +leaderboard_v2")
        with reading() as con:
            yield con


@pytest.fixture(scope="module")
def rows(con: Any) -> dict[tuple[str, str], Any]:
    """The board's rows by dataset and language model."""
    found = rows_of(con, "select * from leaderboard_v2")
    return {(row["dataset"], row["lm"]): row for row in found}


def groups(rows: Any, dataset: str) -> dict[str, str]:
    return {lm: row["tied_groups"] for (name, lm), row in rows.items() if name == dataset}


def test_a_group_of_ties_need_not_be_a_run_of_the_ranking(rows: Any) -> None:
    assert [rows["runs", lm]["rank"] for lm in "abc"] == [1, 2, 3]
    assert groups(rows, "runs") == {"a": "1", "b": "2", "c": "1, 2"}
    assert [rows["runs", lm]["rank_worst"] for lm in "abc"] == [2, 3, 3]


def test_ties_are_not_passed_on(rows: Any) -> None:
    assert groups(rows, "chain") == {"a": "1", "b": "1, 2", "c": "2"}
    bands = [(rows["chain", lm]["rank_best"], rows["chain", lm]["rank_worst"]) for lm in "abc"]
    assert bands == [(1, 2), (1, 3), (2, 3)]


def test_a_band_holds_the_rank_also_where_the_test_says_otherwise(rows: Any) -> None:
    ahead, behind = (rows["apart", lm] for lm in ("ahead", "behind"))
    assert (ahead["pass_at_1"], behind["pass_at_1"]) == (0.31, 0.3)
    assert (ahead["rank"], ahead["rank_best"], ahead["rank_worst"]) == (1, 1, 2)
    assert (behind["rank"], behind["rank_best"], behind["rank_worst"]) == (2, 1, 2)
    assert (ahead["rank_common"], behind["rank_common"]) == (2, 1)
    assert groups(rows, "apart") == {"ahead": "1", "behind": "2"}, "they differ all the same"


@pytest.mark.parametrize(
    ("dataset", "n_common", "reason"),
    [("none_common", 0, "no_common_problems"), ("few_common", 8, "problems_lt_min")],
)
def test_few_problems_of_all_rank_nobody(
    rows: Any, dataset: str, n_common: int, reason: str
) -> None:
    found = [row for (name, _), row in rows.items() if name == dataset]
    assert len(found) == 12
    for row in found:
        assert row["rank"] is not None
        assert (row["rank_common"], row["n_common"]) == (None, n_common)
        assert row["common_null_reason"] == reason
        assert (row["pass_at_1_common"] is None) == (n_common == 0)


def test_an_entry_of_few_problems_is_not_the_best(con: Any) -> None:
    found = rows_of(con, "select * from comparison_to_best_v1 where dataset = 'floor' order by lm")
    assert [(row["lm"], row["value"], row["n_problems"]) for row in found] == [
        *(("big", 0.5, N), ("big_too", 0.5, N), ("less", 0.41, N), ("small", 1.0, 10)),
    ]
    assert {(row["best_lm"], row["best_value"]) for row in found} == {("big", 0.5)}
    reasons = [(row["null_reason"], row["unranked_reason"]) for row in found]
    assert reasons == [
        ("is_best", None),
        (None, None),
        (None, None),
        ("unranked", "coverage_lt_min"),
    ]
    assert [row["difference"] for row in found] == [None, 0.0, pytest.approx(-0.09), None]
    assert found[2]["holm_p"] == pytest.approx(3 * 2**-8), "of the three pairs of the board"
