"""The data tests themselves: they find what they are made to find, and nothing else."""

import random
from collections import Counter

import duckdb
import jinja2
import pytest

from tests.data import ROOT

NUMBERS = "dbt/macros/text/numbers.sql"


def data_test(name: str, call: str, number_of: str = "hash") -> str:
    """Render a generic data test of the relation `rows`, with some function for the hash."""
    text = (ROOT / f"dbt/tests/generic/{name}.sql").read_text("utf-8")
    text = text.replace("{% test ", "{% macro ").replace("{% endtest %}", "{% endmacro %}")
    numbers = (ROOT / NUMBERS).read_text("utf-8").split("{%- endmacro %}")[0] + "{%- endmacro %}"
    rendered = jinja2.Template(numbers + text + "{{ " + call + " }}").render()
    return rendered.replace("hash(", f"{number_of}(")


@pytest.mark.parametrize("number_of", ["hash", "same"])
def test_a_key_that_comes_twice_or_is_null_is_found(number_of: str) -> None:
    """Also where every row has the same number, since numbers only say which rows to look at."""
    draw = random.Random(7)
    con = duckdb.connect()
    con.execute("create macro same(a, b := 0, c := 0) as 5")
    for n_rows in (0, 1, 30, 200):
        rows = [tuple(draw.choice((*range(12), None)) for _ in range(3)) for _ in range(n_rows)]
        con.execute("create or replace table rows (a integer, b varchar, c integer)")
        if rows:
            con.executemany("insert into rows values (?, ?, ?)", rows)
        test = data_test("unique_key", "unique_key('rows', ['a', 'b'], ['c'])", number_of)
        counts = Counter((a, None if b is None else str(b), c) for a, b, c in rows)
        wanted = {
            (*key, n) for key, n in counts.items() if n > 1 or key[0] is None or key[1] is None
        }
        assert set(con.execute(test).fetchall()) == wanted
        assert n_rows < 30 or wanted


def test_a_key_may_have_any_name() -> None:
    con = duckdb.connect()
    con.execute("create table rows as select range as a, 1 as number from range(3)")
    assert (
        con.execute(data_test("unique_key", "unique_key('rows', ['number', 'a'])")).fetchall() == []
    )
    found = con.execute(data_test("unique_key", "unique_key('rows', ['number'])")).fetchall()
    assert found == [(1, 3)]


def test_names_with_one_number_are_found() -> None:
    con = duckdb.connect()
    con.execute("create table rows as select md5(range::varchar) as name from range(1000)")
    call = "unique_number('rows', 'name')"
    assert con.execute(data_test("unique_number", call)).fetchall() == []
    con.execute("create macro of_two(name) as left(name, 3)")
    assert len(con.execute(data_test("unique_number", call, "of_two")).fetchall()) > 50


def test_a_new_candidate_with_the_number_of_an_old_one_is_found() -> None:
    """A night looks at candidates whose number a new one has."""
    rules = (ROOT / "warehouse/store/growth/new_rows.sql").read_text("utf-8")
    [view] = [each for each in rules.split(";") if "view candidate_of_new_number" in each]
    con = duckdb.connect()
    con.execute("create schema raw")
    con.execute(
        "create table raw.candidate as select md5(range::varchar) as candidate_id from range(1000)"
    )
    con.execute("create temp view new_candidate as from raw.candidate where rowid >= 900")
    con.execute("create macro of_three(name) as left(name, 3)")
    numbered = "select left(candidate_id, 3), count(*) from {} group by all having count(*) > 1"
    shared = set(con.execute(numbered.format("raw.candidate")).fetchall())
    new = {
        number
        for (number,) in con.execute("select left(candidate_id, 3) from new_candidate").fetchall()
    }
    con.execute(view.replace("hash(", "of_three("))
    found = set(con.execute(numbered.format("candidate_of_new_number")).fetchall())
    assert found == {(number, n) for number, n in shared if number in new}
    assert 0 < len(found) < len(shared)
