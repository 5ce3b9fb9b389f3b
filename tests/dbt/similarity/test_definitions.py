"""Small examples of Sim, CSim, DPass and DPair, worked out by hand and read from the views."""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, count
from typing import Any

import duckdb
import pytest

from tests.support.sql import rows_of
from tests.support.steps import build
from tests.support.worlds.world import World
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=30)

SIMS = {(0, 1): 0.9, (0, 2): 0.1, (0, 3): 0.4, (1, 2): 0.2, (1, 3): 0.5, (2, 3): 0.3}
LEVELS = (1, 3, 5, 2)


def samples(
    world: World, lm: str, problem: str, passed: list[bool], times: list[int] | None = None
) -> list[str]:
    """Add a program for each verdict, sampled so many times, and return their candidates."""
    world.lm(lm)
    admission = world.admission(problem, "calibrated", "split", "r0")
    found: list[str] = []
    places = count()
    for is_right, n_samples in zip(passed, times or [1] * len(passed), strict=True):
        candidate = f"c.{lm}.{problem}.{len(found)}"
        program = world.program(candidate, problem, admission)
        world.outcome(program, 1, "passed" if is_right else "failed", "r0")
        for _ in range(n_samples):
            generation = world.generation(lm, "s1", problem, next(places))
            world.evaluation(generation, problem, candidate, program, "r0")
        found.append(candidate)
    return found


def examples() -> World:
    world = World()
    world.run("r0", 0)
    world.setting("s1")
    one, other = world.release("toy1", "toy", 2, "r0")
    encoder = world.scorer("embedding_v1", "encoder")
    four = samples(world, "four", one, [True, True, False, True])
    for problem in (one, other):
        world.canary("r0", problem)
    for (x, y), value in SIMS.items():
        world.score(encoder, four[x], four[y], value)
    for problem, n_right, within in ((one, 10, 0.8), (other, 2, 0.5)):
        ten = samples(world, "two_problems", problem, [index < n_right for index in range(10)])
        for x, y in combinations(ten, 2):
            world.score(encoder, x, y, within)
    for lm, unscored in (("most", 4), ("half", 3)):
        four = samples(world, lm, one, [True, True, False, True])
        for place, ((x, y), value) in enumerate(SIMS.items()):
            world.score(encoder, four[x], four[y], None if place < unscored else value)
    judge = world.judge("judge_v1", "critic")
    eight = samples(world, "judged", one, [False] * 8)
    for place, level in enumerate(LEVELS):
        first, second = eight[2 * place], eight[2 * place + 1]
        world.rating(judge, one, first, second, 0, level)
    for lm, n_shared, n_other in (("clones", 9, 9), ("renamed", 5, 9), ("shorter", 7, 7)):
        pair = samples(world, lm, one, [True, True])
        world.pair("scc_v1", *pair, n_shared, 9, n_other)
    samples(world, "single", one, [True])
    two = samples(world, "two_texts", one, [True, True], [45, 37])
    for x, y in combinations_with_replacement(two, 2):
        world.score(encoder, x, y, 1.0 if x == y else 0.9)
    return world


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    path = examples().write(tmp_path_factory.mktemp("definitions") / "warehouse.duckdb")
    build(path, select="+int_pair_rated +sim_at_k")
    with reading(path) as con:
        yield con


def row(con: duckdb.DuckDBPyConnection, version: int, lm: str, similarity: str) -> dict[str, Any]:
    where = f"lm = '{lm}' and similarity = '{similarity}' and scope = 'all'"
    [found] = rows_of(con, f"select * from sim_at_k_v{version} where {where}")
    return found


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (1, {"sim": 0.6, "csim": 0.9, "dpass": 0.075}),
        (2, {"sim": 0.4, "csim": 0.6, "dpass": 0.30, "dpair": 0.20}),
    ],
)
def test_four_samples_of_which_three_are_right(
    con: Any, version: int, expected: dict[str, float]
) -> None:
    found = row(con, version, "four", "embedding_v1")
    assert found["pass_at_1"] == 0.75
    assert {name: found[name] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize(("lm", "clone"), [("clones", 1.0), ("renamed", 0.0), ("shorter", 0.0)])
def test_clones_share_eight_of_nine_tokens(con: Any, lm: str, clone: float) -> None:
    """The programs of ``test_scc_published_example``: 9, 5 and 7 shared of at most 9 tokens."""
    assert row(con, 1, lm, "scc_clone_80")["sim"] == clone


def test_two_texts_make_a_thousand_pairs_and_more(con: Any) -> None:
    """45 samples of one text and 37 of another: 1,665 pairs of both, the others are equal."""
    found = row(con, 2, "two_texts", "embedding_v1")
    assert found["n_pairs"] == 82 * 81 // 2
    assert found["sim"] == pytest.approx((990 + 666 + 1665 * 0.9) / 3321)


def test_one_sample_has_no_similarity(con: Any) -> None:
    found = row(con, 1, "single", "scc_clone_80")
    assert [found[name] for name in ("sim", "csim", "n_pairs")] == [None, None, 0]
    assert (found["pass_at_1"], found["dpass"]) == (1.0, 1.0)


@pytest.mark.parametrize("version", [1, 2])
def test_dpass_is_a_mean_of_products_and_no_product_of_means(con: Any, version: int) -> None:
    found = row(con, version, "two_problems", "embedding_v1")
    assert found["pass_at_1"] == pytest.approx((1.0 + 0.2) / 2)
    assert found["csim"] == pytest.approx((0.8 + 0.5) / 2)
    assert found["dpass"] == pytest.approx(0.15)
    assert found["pass_at_1"] * (1 - found["csim"]) == pytest.approx(0.21), "the product of means"


def test_levels_of_a_judge_are_shares_from_nothing_to_all(con: Any) -> None:
    shares = rows_of(con, "select value from intermediate.int_pair_rated order by candidate_a")
    assert [each["value"] for each in shares] == [0.0, 0.5, 1.0, 0.25]
    assert row(con, 1, "judged", "judge_v1")["sim"] == pytest.approx(0.4375)


def test_no_mean_of_the_few_pairs_that_have_a_score(con: Any) -> None:
    """Of six pairs two or three have a score; (0, 1), (0, 3) and (1, 3) are right."""
    most, half = (row(con, 2, lm, "embedding_v1") for lm in ("most", "half"))
    assert (most["sim"], most["n_sim_null_no_score"], most["few_pairs_scored"]) == (None, 1, True)
    assert half["sim"] == pytest.approx((0.2 + 0.5 + 0.3) / 3)
    assert (half["n_pairs"], half["n_pairs_no_score"]) == (6, 3)
    assert not half["few_pairs_scored"]
    for found in (most, half):
        assert found["few_passing_pairs_scored"], "one of three"
        assert [found[name] for name in ("csim", "csim_null_as_zero", "dpass")] == [None] * 3
        assert found["pass_at_1"] == 0.75
    first = row(con, 1, "most", "embedding_v1")  # of two pairs one
    assert (first["sim"], first["few_pairs_scored"]) == (0.3, False)
    assert (first["csim"], first["few_passing_pairs_scored"]) == (None, True)
    assert not row(con, 1, "four", "embedding_v1")["few_passing_pairs_scored"]
