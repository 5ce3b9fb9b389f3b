"""SQL from anyone: it can read the tables, and nothing it tries reaches further."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.steps import publish
from tests.support.worlds.views import make_views
from warehouse.errors import AssayError, BadInput
from warehouse.snapshot.query import READING_WORDS, lock_down, opened, query, reading_statements
from warehouse.snapshot.snapshots import current

READS = [
    "select * from leaderboard",
    "FROM leaderboard_v1",
    "with x as (select 1 as a) select a from x",
    "explain select 1",
    "explain analyze (select 1)",
    "explain (format json) from leaderboard",
    "values (1), (2)",
    "table leaderboard",
    "(select 1) union all (select 2)",
    "describe leaderboard",
    "show tables",
    "summarize leaderboard",
    "explain select * from leaderboard",
    "pivot leaderboard on simulated using max(pass_at_1) group by dataset",
    "/* a comment */ select ';' as semicolon -- the end",
    "select list_transform([1, 2], lambda x: x + 1)",
]

# Files, network, other databases, extensions, settings: what the engine alone must refuse too.
REACHES_OUT = [
    "select * from read_csv('/etc/passwd')",
    "select * from read_text('/etc/passwd')",
    "select * from read_blob('{database}')",
    "select * from read_json('/etc/passwd')",
    "select * from read_parquet('{folder}/parquet/leaderboard_v1.parquet')",
    "select * from '{folder}/parquet/leaderboard_v1.parquet'",
    "select * from glob('/etc/*')",
    "select * from sniff_csv('/etc/passwd')",
    "select * from 'https://localhost/x.parquet'",
    "select * from read_text('http://localhost/x')",
    "select getenv('HOME')",
    "copy leaderboard to '{out}'",
    "copy (select 1) to '{out}' (format parquet)",
    "copy leaderboard_v1 from '/etc/passwd'",
    "explain analyze copy leaderboard to '{out}'",
    "export database '{out}'",
    "import database '{folder}'",
    "attach '{out}' as other",
    "attach '{database}' as other",
    "attach ':memory:' as other",
    "install httpfs",
    "install httpfs from '{folder}'",
    "load httpfs",
    "load '{out}'",
    "set enable_external_access = true",
    "set /* hidden */ memory_limit = '1TB'",
    "reset threads",
    "set lock_configuration = false",
    "set python_enable_replacements = true",
    "set disabled_filesystems = ''",
    "set temp_directory = '{out}'",
    "set log_query_path = '{out}'",
    "pragma threads = 64",
    "pragma profiling_output = '{out}'",
    "create secret s (type s3)",
    "create table t (a int)",
    "create view v as select 1",
    "create macro f(x) as x",
    "insert into leaderboard_v1 by name select 1::bigint as rank",
    "update leaderboard_v1 set lm = 'x'",
    "delete from leaderboard_v1",
    "drop view leaderboard",
    "alter table leaderboard_v1 rename to x",
    "with x as (select 1::bigint as rank) insert into leaderboard_v1 by name from x",
    "select * from query('copy leaderboard to ''{out}''')",
    "select 1; copy leaderboard to '{out}'",
]

# Harmless to others, but not reading.
NOT_READING = [
    "pragma version",
    "pragma enable_profiling",
    "create temp table t (a int)",
    "prepare p as select 1",
    "set variable x = 1",
    "call pragma_version()",
    "begin",
    "checkpoint",
    "vacuum",
    "use memory",
    "detach assay",
    "select 1; ; pragma version",
    "/* select */ pragma version",
    "explain analyze create temp table leaderboard as select 'fake' as lm",
    "explain /* x */ analyze -- y\n create temp view v as select 1",
    "explain (analyze, format json) create temp macro f(x) as x",
    "explain analyze begin",
    "explain analyze set variable x = 1",
    "explain analyze prepare p as select 1",
    "explain analyze create secret s (type http, bearer_token 'x')",
    "explain explain create temp table t (a int)",
    "explain",
    "selec 1",
    "\ufeffselect 1",
    "",
    " -- nothing\n;",
    "select 1\0",
    "select '\ud800'",
    "select nothing from nowhere",
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("published")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder))
        make_views()
        publish()
        yield folder


def filled(sql: str, place: Path) -> str:
    snapshot = current()
    return sql.format(database=snapshot.database, folder=snapshot.folder, out=place / "out")


@pytest.mark.parametrize("warehouse", [False, True], ids=["snapshot", "warehouse"])
def test_reading_works(place: Path, warehouse: bool) -> None:
    with opened(warehouse=warehouse) as reader:
        for sql in READS:
            assert reader.one(sql).columns, sql
        assert len(reader.run("; ".join(sql for sql in READS if "--" not in sql))) == len(READS) - 1
        bound = reader.one("select lm from leaderboard where lm = ?", ["' or 1 = 1 --"])
        assert bound.rows == []


@pytest.mark.parametrize("warehouse", [False, True], ids=["snapshot", "warehouse"])
def test_nothing_else_does(place: Path, warehouse: bool) -> None:
    with opened(warehouse=warehouse) as reader:
        for sql in [*REACHES_OUT, *NOT_READING]:
            with pytest.raises(BadInput) as refused:
                reader.run(filled(sql, place))
            assert "\n" not in str(refused.value), sql
        assert len(reader.one("select * from leaderboard").rows) == 4
    assert not (place / "out").exists()


def test_the_engine_refuses_without_the_list_of_words(place: Path) -> None:
    con = duckdb.connect(str(current().database), read_only=True)
    lock_down(con, memory_mb=256, threads=1)
    for sql in REACHES_OUT:
        with pytest.raises(duckdb.Error):
            con.execute(filled(sql, place)).fetchall()
    con.close()
    assert not (place / "out").exists()


def test_persistent_secrets_of_duckdb_are_not_seen(place: Path, tmp_path: Path) -> None:
    """DuckDB 2 answers the query: the answer has to be empty."""
    script = """if True:
        import duckdb
        from warehouse.snapshot.query import lock_down

        with duckdb.connect() as con:
            con.execute("create persistent secret s (type http, bearer_token 'x')")
            print(con.execute("select count(*) from duckdb_secrets()").fetchall())
        with duckdb.connect() as con:
            lock_down(con, memory_mb=256, threads=1)
            print(con.execute("select count(*) from duckdb_secrets()").fetchall())
    """
    environment = {**os.environ, "HOME": str(tmp_path)}
    shown = subprocess.check_output([sys.executable, "-c", script], env=environment, text=True)
    assert shown.splitlines() == ["[(1,)]", "[(0,)]"]


def test_a_python_variable_is_no_table(place: Path) -> None:
    import pandas

    secret = pandas.DataFrame({"a": [1]})
    assert len(secret) == 1
    with pytest.raises(BadInput, match="secret"):
        query("select * from secret")


def test_memory_is_limited_and_nothing_spills(place: Path) -> None:
    with opened(memory_mb=64) as reader, pytest.raises(BadInput, match="Out of Memory"):
        reader.run("select a.range from range(20000000) as a order by hash(a.range)")


def test_a_snapshot_is_needed(home: Path) -> None:
    with pytest.raises(AssayError, match=r"run `assay ingest starter`"):
        query("select 1")


def test_rows_can_be_bounded(place: Path) -> None:
    result = query("select * from range(10) as t (i)", max_rows=3)
    assert (len(result.rows), result.truncated) == (3, True)
    assert not query("select * from range(3) as t (i)", max_rows=3).truncated


words = st.sampled_from(
    ["select", "copy", "1", "';'", '";"', "-- x\n", "/* ; */", "$$;$$", ";", "é", "pragma", "("]
)


@given(st.lists(words, max_size=8).map(" ".join))
def test_every_statement_that_passes_begins_with_a_reading_word(sql: str) -> None:
    try:
        parts = reading_statements(sql)
    except BadInput:
        return
    assert all(part.lower().startswith(tuple(READING_WORDS)) for part in parts)
    assert all(len(duckdb.extract_statements(part)) <= 1 for part in parts if _parses(part))


def _parses(sql: str) -> bool:
    try:
        duckdb.extract_statements(sql)
    except duckdb.Error:
        return False
    return True
