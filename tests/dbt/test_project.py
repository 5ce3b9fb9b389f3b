"""The dbt project itself: declared sources, described columns, formulas, and where it is found."""

import math
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
import scipy.stats
import yaml

from models.tables import TABLES
from tests.data import ROOT
from tests.support.oracles import execution as oracles
from tests.support.oracles.calibration import wilson
from tests.support.sql import macro, sql_files
from warehouse.frames import name_of
from warehouse.store.connection import writing
from warehouse.views.describe import DOCS, describe_views, doc_blocks
from warehouse.views.staging import generated_files

DBT = ROOT / "dbt"


def test_staging_is_fresh() -> None:
    folder = DBT / "models/staging"
    assert {file.name: file.read_text("utf-8") for file in folder.iterdir()} == generated_files()


def test_staging_tests_name_columns(home: Path) -> None:
    listed = yaml.safe_load((DBT / "staging_tests.yml").read_text(encoding="utf-8"))
    columns: dict[str, set[str]] = {}
    with writing() as con:
        for table, column in con.execute(
            "select table_name, column_name from duckdb_columns() where schema_name = 'raw' "
            "or schema_name = 'facts'"
        ).fetchall():
            columns.setdefault(table, set()).add(column)
    assert listed["holds"].keys() <= columns.keys()
    for table, keys in listed["unique_key"].items():
        assert set(keys) <= columns[table]
    for table, parents in listed["refers_to"].items():
        assert parents.keys() <= columns[table]
        assert set(parents.values()) <= {name_of(table) for table in TABLES}


def test_each_view_and_column_is_described() -> None:
    views = describe_views()
    assert {view.name for view in views} >= {file.stem for file in sql_files()}
    for view in views:
        assert re.match(r"One row per ", view.description), view.name
        assert view.columns, view.name
        for column in view.columns:
            assert column.description.strip(), (view.name, column.name)


def test_a_text_that_describes_two_columns_is_a_doc_block() -> None:
    blocks = doc_blocks((DBT / DOCS).read_text(encoding="utf-8"))
    used: Counter[str] = Counter()
    for file in sorted(DBT.rglob("*.yml")):
        used.update(
            re.findall(r"^ +(?:- {.*)?description: (\".*\")", file.read_text(), re.MULTILINE)
        )
    told = [text for text, number in used.items() if number > 1 and len(text) > 27]
    assert [text for text in told if "{{ doc(" not in text] == []
    named = re.findall(r"doc\('(\w+)'\)", " ".join(used))
    assert sorted(set(named)) == sorted(blocks), "each block is used, and each name is a block"
    assert len(set(blocks.values())) == len(blocks)


def test_layers_read_only_what_comes_before() -> None:
    allowed = {
        "staging": (),
        "intermediate": (
            "stg_",
            "int_",
            "errata",
            "lm_families",
            "lm_sizes",
            "published_results",
            "published_counts",
            "published_lm",
        ),
        # a mart may read staging where a tally in between would only repeat it
        "marts": (
            "stg_",
            "int_",
            "published_",
            "pass_at_k",
            "sim_at_k",
            "execution_health",
            "calibration_",
            "ame",
            "mutation_yield",
            "headline_",
            "rtc_",
            "comparison",
            "compared_",
            "problem_values",
            "edit_companions",
            "line_",
            "reproduction",
            "effect_reproduction",
            "round_trip_reproduction",
            "strategies",
            "strategy_reproduction",
            "similarity_reproduction",
            "agreement_reproduction",
            "pair_reproduction",
            "operator_reproduction",
            "measure_agreement",
            "operator_effect",
            "claim_verdicts",
        ),
    }
    for file in sql_files():
        layer = file.relative_to(DBT / "models").parts[0]
        text = file.read_text(encoding="utf-8")
        for name in re.findall(r"ref\('(\w+)'", text):
            assert name.startswith(allowed[layer]), (file.name, name)
        sources = set(re.findall(r"source\('(\w+)'", text))
        assert sources <= {"staging": {"raw"}, "intermediate": {"facts"}}.get(layer, set())


def test_equal_columns_correlate_by_one() -> None:
    sql = macro("correlation.sql", "pearson('a', 'b')")
    columns = [[0.1, 0.2, 0.4], [1 / 3, 0.1, 0.7, 0.2], [n * n / 7 for n in range(30)]]
    for a in columns:
        for sign in (1, -1):
            rows = ", ".join(f"({x!r}::double, {sign * x!r}::double)" for x in a)
            (r,) = duckdb.sql(f"select {sql} from (values {rows}) as pairs(a, b)").fetchall()
            assert r == (sign,)
    (r,) = duckdb.sql(
        f"select {sql} from (values (1.0, 1.0), (1.0, 2.0)) as pairs(a, b)"
    ).fetchall()
    assert r == (None,)
    near = "(0.0, 0.0), (1.0, 1.0), (2.0, 2.001)"
    (r,) = duckdb.sql(f"select {sql} from (values {near}) as pairs(a, b)").fetchall()
    assert 0.9999 < r[0] < 1


def test_a_suffix_says_the_version_of_a_mart() -> None:
    for file in (DBT / "models/marts").rglob("*.sql"):
        assert re.findall(r"_v\d.*", file.stem) == re.findall(r"_v\d+$", file.stem) != []


def test_dbt_is_no_package() -> None:
    assert not (DBT / "__init__.py").exists(), "it would hide the dbt library"


@pytest.mark.parametrize(
    ("n", "c", "k"),
    [
        (10, 3, 1),
        (10, 3, 5),
        (10, 3, 10),
        (1, 1, 1),
        (1, 0, 1),
        (5, 5, 5),
        (5, 0, 5),
        (0, 0, 1),
        (9, 3, 10),
        (100, 1, 100),
        (200, 199, 2),
        (10000, 1, 100),
        (10000, 5000, 100),
        (10000, 3, 9998),
        (10000, 9999, 1),
        (10000, 37, 1000),
    ],
)
def test_pass_at_k_formula(n: int, c: int, k: int) -> None:
    sql = macro("pass_at_k.sql", "pass_at_k('n', 'c', 'k')")
    found = duckdb.sql(f"select {sql} from (select {n} as n, {c} as c, {k} as k)").fetchall()[0][0]
    truth = oracles.pass_at_k(n, c, k)
    assert found == truth or math.isclose(found, truth, rel_tol=1e-12, abs_tol=0)


def test_pass_at_k_published_example() -> None:
    assert oracles.pass_at_k(10, 3, 5) == float(1 - Fraction(21, 252))
    assert round(oracles.pass_at_k(10, 3, 5), 6) == 0.916667


@pytest.mark.parametrize(("c", "n"), [(0, 10), (10, 10), (3, 10), (1, 1), (82, 164), (0, 1)])
def test_wilson_formula(c: int, n: int) -> None:
    low, high = (macro("wilson_interval.sql", f"wilson_bound('c', 'n', '{s}')") for s in "-+")
    found = duckdb.sql(f"select {low}, {high} from (select {c}.0::double as c, {n} as n)")
    for ours, theirs in zip(found.fetchall()[0], wilson(c, n), strict=True):
        assert math.isclose(ours, theirs, abs_tol=1e-12)


def test_no_rounding_takes_an_end_of_wilsons_interval_past_0_or_1() -> None:
    low, high = (macro("wilson_interval.sql", f"wilson_bound('c', 'n', '{s}')") for s in "-+")
    near = "from (values (10, 1e-8), (50, 1e-10), (50, 50 - 1e-8), (20, 20 - 1e-10)) as t (n, c)"
    for lo, hi in duckdb.sql(f"select {low}, {high} {near}").fetchall():
        assert 0 <= lo < hi <= 1
    none = "from (values (10, null::double), (null, 1.0)) as t (n, c)"
    assert duckdb.sql(f"select {low}, {high} {none}").fetchall() == [(None, None)] * 2


def test_equal_scores_of_texts_of_any_length_are_one() -> None:
    """Means of equal numbers differ in their last bits; ranks would tell them apart."""
    rounded = macro("rounding.sql", "twelve_digits('score')")
    for number in (0.1, 0.7408182206817179, 1e-3, 3e-300, -42.125, 1.0):
        means = [math.fsum([number] * n) / n for n in range(1, 400)]
        sums = [sum([number] * n) / n for n in range(1, 400)]
        con = duckdb.connect()
        con.execute("create table scores (score double)")
        con.executemany("insert into scores values (?)", [[x] for x in (*means, *sums)])
        found = con.sql(f"select distinct {rounded} from scores").fetchall()
        assert len(set(sums)) > 1 or number in (1.0, -42.125)
        assert len(found) == 1
        assert math.isclose(found[0][0], number, rel_tol=5e-12)
    assert duckdb.sql(f"select {rounded} from (select 0.0::double as score)").fetchall() == [(0.0,)]
    near = "select unnest([0.5::double, 0.5000000001]) as score"
    assert len(duckdb.sql(f"select distinct {rounded} from ({near})").fetchall()) == 2


@pytest.mark.parametrize("df", [*range(1, 70), 99, 163, 500, 5000])
def test_quantile_of_student(df: int) -> None:
    sql = macro("student_t.sql", f"t_quantile('{df}')")
    found = duckdb.sql(f"select {sql}")
    assert math.isclose(found.fetchall()[0][0], scipy.stats.t(df).ppf(0.975), abs_tol=1e-9)


def test_diversity_published_example() -> None:
    """Four samples, three right, with the pairing of v1 and of v2."""
    sims = {"01": 0.9, "02": 0.1, "03": 0.4, "12": 0.2, "13": 0.5, "23": 0.3}
    passed = [True, True, False, True]
    cells = {
        "v1": oracles.diversity(list("0123"), passed, lambda x, y: sims[x + y], oracles.neighbours),
        "v2": oracles.diversity(list("0123"), passed, lambda x, y: sims[x + y], oracles.all_pairs),
    }
    v1, v2 = cells["v1"], cells["v2"]
    assert v1["sim"] == pytest.approx(0.6)
    assert v1["csim"] == pytest.approx(0.9)
    assert v1["dpass"] == pytest.approx(0.075)
    assert v2["sim"] == pytest.approx(0.4)
    assert v2["csim"] == pytest.approx(0.6)
    assert v2["dpass"] == pytest.approx(0.30)
    assert v2["dpair"] == pytest.approx(0.20)
    for cell in cells.values():  # the macros on the same counts
        sql = ", ".join(macro("diversity.sql", f"{m}('n', 'c', 's')") for m in ("dpass", "dpair"))
        found = duckdb.sql(f"select {sql} from (select 4 as n, 3 as c, {cell['csim']!r} as s)")
        dpass, dpair = found.fetchall()[0]
        assert dpass == pytest.approx(cell["dpass"])
        assert dpair == pytest.approx(cell["dpair"])


@pytest.mark.parametrize(
    ("n", "c", "csim", "dpass", "dpair"),
    [
        (0, 0, "null", None, None),
        (1, 0, "null", 0, None),
        (1, 1, "null", 1, None),
        (10, 0, "null", 0, 0),
        (10, 1, "null", 0.1, 0),
        (10, 5, "null", None, None),
        (10, 5, "1.0", 0, 0),
    ],
)
def test_diversity_edges(
    n: int, c: int, csim: str, dpass: float | None, dpair: float | None
) -> None:
    sql = ", ".join(macro("diversity.sql", f"{m}('n', 'c', 's')") for m in ("dpass", "dpair"))
    found = duckdb.sql(f"select {sql} from (select {n} as n, {c} as c, {csim}::double as s)")
    assert found.fetchall() == [(dpass, dpair)]


def test_clone_rule_rounds_up_and_is_exact() -> None:
    for theta, tenths in (("0.7", 7), ("0.8", 8), ("0.9", 9)):
        sql = macro("diversity.sql", f"is_clone('s', 'a', 'b', '{theta}')")
        found = duckdb.sql(
            f"""
            select s, a, b, {sql}
            from range(31) as t(s), range(31) as u(a), range(31) as v(b)
            where s <= least(a, b)
            """
        ).fetchall()
        assert len(found) > 9000
        for shared, a, b, score in found:
            assert score == oracles.clone(shared, a, b, tenths)


def test_project_travels_with_the_package() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '"dbt" = "warehouse/_dbt_project"' in text
