"""Formulas in SQL beside statsmodels, the reference implementation of comparisons, to 1e-9."""

import math

import duckdb
import numpy as np
import pytest
from statsmodels.api import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import ttost_paired

from tests.support.sql import macro


def close(ours: float, theirs: float) -> bool:
    return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("n_problems", [12, 60, 400])
def test_the_clustered_error_of_a_mean(n_problems: int) -> None:
    """With as many rows as it happens to each problem, and the factor G / (G - 1)."""
    rng = np.random.default_rng(n_problems)
    problem = np.repeat(np.arange(n_problems), rng.integers(1, 9, n_problems))
    y = rng.normal(rng.normal(size=n_problems)[problem], 1)
    theirs = OLS(y, np.ones(len(y))).fit(
        cov_type="cluster", cov_kwds={"groups": problem, "use_correction": True}
    )
    call = "ratio_interval('parts', ['key'], {'x': 'difference'})"
    ctes = macro("mean_interval.sql", call, "student_t.sql", "wilson_interval.sql", "listed.sql")
    con = duckdb.connect()
    con.execute("create table parts (key int, problem_index int, x_top double, x_bottom double)")
    top, bottom = np.bincount(problem, y), np.bincount(problem)
    rows = zip(range(n_problems), top.tolist(), bottom.tolist(), strict=True)
    con.executemany("insert into parts values (1, ?, ?, ?)", list(rows))
    ((mean, variance, n),) = con.execute(
        f"with {ctes} select mean, variance, n from interval_spreads"
    ).fetchall()
    assert close(mean, float(theirs.params[0]))
    assert close(math.sqrt(variance / n), float(theirs.bse[0]))


@pytest.mark.parametrize("n", [1, 5, 20, 164, 974])
def test_wilson(n: int) -> None:
    ends = [macro("wilson_interval.sql", f"wilson_bound('c', '{n}', '{sign}')") for sign in "-+"]
    sql = f"select c, {', '.join(ends)} from (select unnest(range({n} + 1)) as c) order by c"
    for c, low, high in duckdb.sql(sql).fetchall():
        theirs = proportion_confint(c, n, method="wilson")
        assert close(low, max(0.0, float(theirs[0]))), c
        assert close(high, min(1.0, float(theirs[1]))), c


def test_exact_mcnemar() -> None:
    pairs = [(0, 0), (0, 1), (3, 3), (0, 9), (11, 30), (40, 41), (200, 150), (3000, 2900)]
    values = ", ".join(map(str, pairs))
    p = macro("mcnemar.sql", "mcnemar_p('b', 'c')")
    sql = f"select b, c, {p} from (values {values}) as t(b, c)"
    for b, c, ours in duckdb.sql(sql).fetchall():
        theirs = 1.0 if b + c == 0 else float(mcnemar([[0, b], [c, 0]], exact=True).pvalue)
        assert close(ours, theirs), (b, c)


@pytest.mark.parametrize(("name", "method"), [("holm_p", "holm"), ("bh_p", "fdr_bh")])
def test_corrections_of_many_tests(name: str, method: str) -> None:
    rng = np.random.default_rng(4)
    for size in (1, 2, 10, 200):
        ps = np.sort(np.round(rng.random(size) ** 3, 6))
        call = macro("adjusted_p.sql", f"{name}('p', 'm', 'place', ['family'])")
        values = ", ".join(f"({at + 1}, {float(p)!r}::double)" for at, p in enumerate(ps))
        ours = duckdb.sql(
            f"select {call} from (select *, 1 as family, {size} as m from (values {values}) "
            "v(place, p)) order by place"
        ).fetchall()
        theirs = multipletests(ps, method=method)[1]
        assert np.allclose(np.array(ours)[:, 0], theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("n", "shift"), [(10, 0.0), (40, 0.1), (164, 0.04), (974, 0.06)])
def test_equivalence(n: int, shift: float) -> None:
    rng = np.random.default_rng(n)
    a, b = rng.random(n), rng.random(n) + shift
    d, margin = a - b, 0.05
    error = d.std(ddof=1) / math.sqrt(n)
    ours = []
    for t, tail in (((d.mean() + margin) / error, ">"), ((d.mean() - margin) / error, "<")):
        p = macro("student_t.sql", "student_t_p('t', 'df')", "correlation.sql")
        one_sided = macro("student_t.sql", f"student_t_tail('t', 'p', '{tail}')")
        values = f"select {float(t)!r}::double as t, {n - 1} as df"
        sql = f"select {one_sided} from (select t, {p} as p from ({values}))"
        ours.append(duckdb.sql(sql).fetchall()[0][0])
    _, above, below = ttost_paired(a, b, -margin, margin)
    assert close(ours[0], float(above[1]))
    assert close(ours[1], float(below[1]))


@pytest.mark.parametrize(("n", "most"), [(20, 0.07), (50, 0.03), (164, 0.008), (974, 0.0015)])
def test_the_detectable_effect_is_near_that_of_students_t(n: int, most: float) -> None:
    """Miller's formula has normal quantiles: a little less than the effect a t test needs."""
    ours = (1.959963984540054 + 0.8416212335729143) / math.sqrt(n)
    theirs = float(TTestPower().solve_power(nobs=n, alpha=0.05, power=0.8))
    assert ours < theirs < ours * (1 + most)
