"""Formulas of comparisons: Student's t, corrections, the variance of pass@k, and their power."""

import math
from functools import cache

import duckdb
import numpy as np
import pytest
from scipy import stats

from tests.support.oracles import boards, execution
from tests.support.oracles import comparisons as oracles
from tests.support.sql import macro, same

DFS = (1, 2, 3, 4, 9, 10, 19, 20, 49, 163, 164, 973, 9999)


@pytest.mark.parametrize("df", DFS)
def test_p_values_of_t(df: int) -> None:
    ts = (0.0, 1e-9, 0.3, -1.0, 1.96, -2.8, 4.999, 5.0, 5.001, -8.0, 40.0, 1e6)
    sql = macro("student_t.sql", "student_t_p('t', 'df')", "correlation.sql")
    rows = ", ".join(f"({t!r}::double, {df})" for t in ts)
    found = duckdb.sql(f"select t, {sql} from (values {rows}) as v(t, df)").fetchall()
    for t, ours in found:
        theirs = float(2 * stats.t.sf(abs(t), df))
        # up to 5 it is 1 less a sum, whose last digits are lost; beyond, all terms are positive
        lost = 1e-12 if abs(t) <= 5 else 1e-300
        assert math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=lost), (t, ours, theirs)


def test_no_degree_of_freedom_has_no_p_value() -> None:
    sql = macro("student_t.sql", "student_t_p('t', 'df')", "correlation.sql")
    rows = "(1.0, 0), (cast(null as double), 9)"
    assert duckdb.sql(f"select {sql} from (values {rows}) as v(t, df)").fetchall() == [(None,)] * 2


def corrected(ps: list[float | None]) -> list[tuple[float | None, float | None]]:
    strict, loose = (
        macro("adjusted_p.sql", f"{name}('p', 'm', 'place', ['family'])")
        for name in ("holm_p", "bh_p")
    )
    values = ", ".join(f"({at}, {'null' if p is None else p}::double)" for at, p in enumerate(ps))
    return duckdb.sql(
        f"select {strict}, {loose} from (select *, 1 as family, count(p) over () as m, "
        f"row_number() over (order by p nulls last, i) as place from (values {values}) v(i, p)) "
        "order by i"
    ).fetchall()


@pytest.mark.parametrize(
    "ps",
    [
        [0.04],
        [0.01, 0.04, 0.03, 0.005],
        [0.5, 0.5, 0.5, 0.01, 0.01, 1.0],
        [0.9, 0.8, 0.0001],
        [1.0, 1.0],
    ],
)
def test_corrections(ps: list[float | None]) -> None:
    known = [p for p in ps if p is not None]
    truths = zip(oracles.holm(known), oracles.benjamini_hochberg(known), strict=True)
    for ours, theirs in zip(corrected(ps), truths, strict=True):
        assert all(map(same, ours, theirs))
    # a test without a p value is in no family
    assert corrected([*ps, None]) == [*corrected(ps), (None, None)]


def test_corrections_of_a_textbook() -> None:
    """Holm's steps by hand: 4 * .005, 3 * .01, 2 * .03, and .06 again."""
    strict = [row[0] for row in corrected([0.01, 0.04, 0.03, 0.005])]
    assert [round(p or 0, 12) for p in strict] == [0.03, 0.06, 0.06, 0.02]


@pytest.mark.parametrize(("n", "k"), [(2, 1), (10, 1), (10, 3), (10, 5), (11, 5), (20, 10)])
def test_the_variance_of_pass_at_k_is_unbiased(n: int, k: int) -> None:
    """Over all numbers of right samples, weighed by their chance, it is the variance itself."""
    sql = macro("pass_at_k.sql", "pass_at_k_variance('n', 'c', 'k')")
    ours = duckdb.sql(
        f"select {sql} from (select {n} as n, unnest(range({n} + 1)) as c, {k} as k) order by c"
    ).fetchall()
    for p in (0.0, 0.03, 0.3, 0.5, 0.9, 1.0):
        weights = stats.binom.pmf(range(n + 1), n, p)
        values = np.array([execution.pass_at_k(n, c, k) for c in range(n + 1)], dtype=float)
        truth = weights @ values**2 - (weights @ values) ** 2
        assert math.isclose(weights @ np.array(ours)[:, 0], truth, abs_tol=1e-12), p


def test_too_few_samples_tell_no_variance() -> None:
    sql = macro("pass_at_k.sql", "pass_at_k_variance('n', 'c', 'k')")
    rows = "(1, 1, 1), (9, 3, 5), (100, 3, 100)"
    found = duckdb.sql(f"select {sql} from (values {rows}) as v(n, c, k)").fetchall()
    assert found == [(None,)] * 3
    ((one,),) = duckdb.sql(f"select {sql} from (values (10, 3, 1)) as v(n, c, k)").fetchall()
    assert same(one, 0.3 * 0.7 / 9)


def test_signs_are_fair_and_depend_on_the_place_alone() -> None:
    longer, shorter = np.array(oracles.signs(130)), np.array(oracles.signs(70))
    assert (longer[:, :70] == shorter).all()
    assert abs(longer.mean()) < 4 / math.sqrt(longer.size)
    between = longer.T @ longer / len(longer)
    assert abs(between - np.eye(130)).max() < 5 / math.sqrt(len(longer))


def test_flipped_signs_agree_with_scipy() -> None:
    rng = np.random.default_rng(3)
    for n, shift in ((12, 0.0), (40, 0.1), (40, 0.3)):
        d = np.round(rng.normal(shift, 0.5, n), 1)
        ours = oracles.flipped_p(dict(enumerate(map(float, d))), oracles.signs(n))
        theirs = stats.permutation_test(
            (d,), np.mean, permutation_type="samples", n_resamples=9999, rng=rng
        ).pvalue
        assert abs(ours - theirs) < 4 * math.sqrt(theirs * (1 - theirs) / 2000) + 1e-3


def enumerated(lists: list[list[float]]) -> list[float | None]:
    """Return the exact p value of each list of differences, as the macro has it."""
    rows = ", ".join(f"({at}, {d!r}::double)" for at, each in enumerate(lists) for d in each)
    ctes = macro("sign_flips.sql", "exact_signs('v', ['i'])", "listed.sql")
    sql = f"with v(i, difference) as (values {rows}), {ctes} select i, permutation_p"
    found = dict(duckdb.sql(f"{sql} from signs_enumerated").fetchall())
    return [found.get(at) for at in range(len(lists))]


def test_signs_of_few_differences_are_all_taken() -> None:
    rng = np.random.default_rng(4)
    lists = [[0.5, 0.5], [0.5, -0.5], [0.1, 0.2, -0.3], [0.0, 0.7, 0.0, 0.1]]
    lists += [list(map(float, np.round(rng.normal(0.1, 0.4, n), 1))) for n in range(3, 20)]
    lists += [list(map(float, rng.normal(0.1, 0.4, n))) for n in (2, 9, 12)]
    for each, ours in zip(lists, enumerated(lists), strict=True):
        differing = np.array([d for d in each if d])
        theirs = stats.permutation_test(
            (differing,), np.sum, permutation_type="samples", n_resamples=np.inf
        ).pvalue if len(differing) < 14 else oracles.exact_p(each)  # fmt: skip
        assert ours is not None
        assert math.isclose(ours, min(1, theirs), rel_tol=1e-9), each
    assert enumerated([[0.1] * 20, [0.0] * 3]) == [None, None], "many differences, or none"


def test_a_board_of_fifteen_can_find_fourteen_differing_problems() -> None:
    """Holm's first step is 105 times p: 2,001 draws end at .052, signs at .0128."""
    (p,) = enumerated([[0.1] * 14])
    assert p == 2**-13
    assert p * math.comb(15, 2) < 0.05 < math.comb(15, 2) / 2001


def largest_groups(ties: list[list[int]]) -> list[list[int]]:
    rows = ", ".join(f"(7, {at}::bigint, {each}::bigint[])" for at, each in enumerate(ties, 1))
    ctes = macro("maximal_groups.sql", "maximal_groups('ties', 'board_no')")
    sql = f"with ties(board_no, place, tied) as (values {rows}), {ctes}"
    return [
        row[0]
        for row in duckdb.sql(f"{sql} select members from maximal_groups order by 1").fetchall()
    ]


def test_groups_of_ties_are_maximal_cliques() -> None:
    assert largest_groups([[]]) == [[1]]
    assert largest_groups([[2], [1, 3], [2]]) == [[1, 2], [2, 3]]
    assert largest_groups([[3], [3], [1, 2]]) == [[1, 3], [2, 3]], "no run of the ranking"
    rng = np.random.default_rng(6)
    for n in (2, 5, 9, 14):
        for share in (0.1, 0.5, 0.9):
            pairs = {(x, y) for x in range(n) for y in range(x + 1, n) if rng.random() < share}
            ties = [
                [y + 1 for y in range(n) if y != x and (min(x, y), max(x, y)) not in pairs]
                for x in range(n)
            ]
            truth = [[place + 1 for place in each] for each in boards.groups(n, pairs)]
            assert largest_groups(ties) == truth, (n, share)


N_WORLDS = 2000


@cache
def rejections(drop: float) -> dict[str, float]:
    """Return how often each test finds a drop: 164 problems of shared difficulty, 10 samples."""
    rng = np.random.default_rng(20240402)
    ease = rng.random((N_WORLDS, 164))
    lower = np.clip(ease - drop, 0, 1)
    a, b = (rng.binomial(10, shares) / 10 for shares in (ease, lower))
    d = a - b
    half = stats.t.ppf(0.975, 163) * d.std(axis=1, ddof=1) / math.sqrt(164)
    means = abs(d.mean(axis=1))
    flips = np.array(oracles.signs(164))
    hits = (abs(d @ flips.T) >= abs(d.sum(axis=1))[:, None] - 1e-9).sum(axis=1)
    alone = [1.96 * each.std(axis=1, ddof=1) / math.sqrt(164) for each in (a, b)]
    found = {
        "t": means > half,
        "permutation": (1 + hits) / (1 + len(flips)) < 0.05,
        "covered": abs(d.mean(axis=1) - (ease - lower).mean(axis=1)) <= half,
        "apart": means > sum(alone),
    }
    return {name: float(each.mean()) for name, each in found.items()}


def test_a_drop_of_five_points_is_found() -> None:
    found = rejections(0.05)
    assert min(found["t"], found["permutation"]) >= 0.9
    assert 0.94 <= found["covered"] <= 0.96
    assert found["apart"] < 0.01, "intervals that must not overlap find nothing"


def test_no_drop_is_rarely_found() -> None:
    found = rejections(0.0)
    # 5 % of the worlds, and two standard errors of that share
    assert max(found["t"], found["permutation"]) <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / N_WORLDS)
    assert found["t"] > 0.03, "the test is not idle"


@pytest.mark.parametrize("n_problems", [10, 20, 50, 164])
def test_ten_pairs_of_a_problem_raise_no_false_alarm(n_problems: int) -> None:
    """The rule of accuracy_drop_p: signs below 20 changed problems, else t; no effect at all.

    The problem decides which side passes more often, as one drawn text does for all its samples.
    McNemar's test, which takes pairs for problems, then rejects in 15 % and more.
    """
    rng = np.random.default_rng(n_problems)
    n_sets, pairs = 1000, 10
    ease = rng.random((n_sets, n_problems))
    lean = rng.normal(0, 0.15, (n_sets, n_problems))
    sides = [rng.binomial(pairs, np.clip(ease + sign * lean, 0, 1)) for sign in (1, -1)]
    drops = (sides[0] - sides[1]) / pairs
    rejected = naive = 0
    for drop in drops:
        if (drop != 0).sum() < 20:
            p = oracles.exact_p(list(map(float, drop)))
        else:
            p = float(stats.ttest_1samp(drop, 0).pvalue)
        rejected += p < 0.05
        won = round(pairs * drop[drop > 0].sum())
        lost = round(-pairs * drop[drop < 0].sum())
        naive += stats.binomtest(won, won + lost).pvalue < 0.05
    assert rejected <= (0.05 + 3 * math.sqrt(0.05 * 0.95 / n_sets)) * n_sets
    assert naive > 0.1 * n_sets
