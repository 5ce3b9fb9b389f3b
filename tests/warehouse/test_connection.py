"""One writer; the lock names its holder; older warehouses are migrated, newer ones refused."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ingest.tokens import Alternatives, from_top_columns
from models.tables import TABLES
from tests.support import ddl
from tests.support.builds.sent import send_side_by_side
from tests.support.commands import held
from warehouse.errors import AssayError, Locked
from warehouse.settings import warehouse_path
from warehouse.store import connection, migrations
from warehouse.store.connection import reading, writing
from warehouse.views.statements.keeping import SentStatement
from warehouse.views.statements.sending import send_one


def test_a_locked_warehouse_names_the_process(home: Path) -> None:
    with writing():
        pass
    with (
        held(warehouse_path()) as pid,
        pytest.raises(Locked, match=f"process {pid} "),
        reading(wait_s=0),
    ):
        pass
    with reading(wait_s=0):
        pass


def test_a_new_warehouse_has_the_format_that_opens_fast_and_an_older_keeps_its_own(
    home: Path, tmp_path: Path
) -> None:
    asked = "select tags['storage_version'] from duckdb_databases() where not internal"
    older = tmp_path / "older.duckdb"
    duckdb.connect(str(older), config={"storage_compatibility_version": "v1.0.0"}).close()
    for path, version in ((warehouse_path(), "v1.4.0+"), (older, "v1.0.0+")):
        with writing(path):
            pass
        with reading(path) as con:
            assert con.execute(asked).fetchall() == [(version,)]


ENDLESS = "select count(*) from range(100000000000) a, range(1000) b where hash(a, b) = 1"


def execute(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    con.execute(sql)


def send_by_a_cursor(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    send_one(con.cursor(), SentStatement("model.one", sql, None))


@pytest.mark.parametrize(
    ("opened", "ask"),
    [
        (writing, execute),
        (reading, execute),
        (writing, send_by_a_cursor),
        (writing, send_side_by_side),
    ],
)
def test_an_interrupted_query_is_an_interruption(home: Path, opened: Any, ask: Any) -> None:
    with writing():
        pass
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt), opened() as con:
            ask(con, ENDLESS)
    finally:
        signal.signal(signal.SIGINT, before)
    with writing(wait_s=0):
        pass  # nothing of it holds the warehouse


ASKED_BY_THREADS = """
from contextlib import suppress
import duckdb
from tests.support.builds.sent import send_side_by_side
from warehouse.store.connection import writing

with suppress(duckdb.Error), writing() as con:
    print("asks", flush=True)
    send_side_by_side(con, "select 1", 50_000)
print("goes on")
"""


@pytest.mark.parametrize("pause", [0.001, 0.005, 0.02])
def test_more_interruptions_do_not_hide_the_first(pause: float, home: Path) -> None:
    """Threads that still asked while the connection was closed made an error that hid it."""
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", ASKED_BY_THREADS], **how) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "asks\n"
        time.sleep(0.5)
        for _ in range(5):
            process.send_signal(signal.SIGINT)
            time.sleep(pause)
        output, errors = process.communicate(timeout=30)
    assert output == "", "the interruption was lost"
    assert "KeyboardInterrupt" in errors
    with writing(wait_s=0):
        pass


def test_migrated_schema_is_what_models_describe(home: Path) -> None:
    with writing() as con:
        assert migrations.version(con) == migrations.latest()
        migrated = columns(con)
    fresh = duckdb.connect()
    fresh.execute("create schema raw")
    fresh.execute(ddl.create_statements())
    assert migrated == columns(fresh)
    assert {table for table, *_ in migrated} == {str(t.__tablename__) for t in TABLES}


def columns(con: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    return con.execute(
        """
        select table_name, column_name, data_type, is_nullable, column_index
        from duckdb_columns() where schema_name = 'raw' order by all
        """
    ).fetchall()


def test_an_older_warehouse_is_migrated(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with writing():
        pass
    later = tmp_path / "sql"
    later.mkdir()
    for number, sql in migrations.scripts().items():
        (later / f"{number:04d}_old.sql").write_text(sql)
    new = migrations.latest() + 1
    (later / f"{new:04d}_new.sql").write_text("alter table raw.run add column note VARCHAR;")
    monkeypatch.setattr(migrations, "FOLDER", later)
    with pytest.raises(AssayError, match="any writing command migrates it"), reading():
        pass
    with writing() as con:
        assert migrations.version(con) == new
        assert con.execute("select note from raw.run").fetchall() == []


def scripts_up_to(newest: int, folder: Path) -> Path:
    """Write the migrations up to one into a folder, and return it."""
    older = folder / "sql"
    older.mkdir()
    for number, sql in migrations.scripts().items():
        if number <= newest:
            (older / f"{number:04d}_old.sql").write_text(sql)
    return older


def test_alternatives_of_an_older_warehouse_become_lists(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Migration 25: each token has its alternatives as before, or none as before."""
    rng = random.Random(5)
    said: dict[str, Alternatives | None] = {"none": None, "empty": [], "gaps": [None, [], None]}
    for number in range(200):
        places = [
            [(rng.choice(["True", ' "', "\n\\", "é", "null"]), -rng.random() * 9999) for _ in "abc"]
            for _ in range(rng.randint(1, 4))
        ]
        said[f"g{number:03d}"] = [place if rng.random() < 0.8 else None for place in places]
    rows = [(name, None if tops is None else json.dumps(tops)) for name, tops in said.items()]
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "FOLDER", scripts_up_to(24, tmp_path))
        with writing() as con:
            con.executemany(
                "insert into raw.token_logprob values (?, ['t'], [-1.0], [true], ?, null, 'r')",
                [*rows, ("null", "null")],
            )
    with writing() as con:
        found = con.execute(
            "select generation_id, top_tokens, top_logprobs from raw.token_logprob"
        ).fetchall()
    assert {name: from_top_columns(*columns) for name, *columns in found} == {**said, "null": None}


def test_pairs_of_an_older_warehouse_become_blocks(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Migration 19: each pair comes back as it was, whatever run and problem it is of."""
    counted = """
        select
            measure, candidate_a, candidate_b, n_shared, n_tokens_a, n_tokens_b
        from {table} order by all
    """
    scored = (
        "select scorer_id, candidate_a, candidate_b, value, null_reason from {table} order by all"
    )
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "FOLDER", scripts_up_to(18, tmp_path))
        with writing() as con:
            con.execute(OLD_PAIRS)
            before = [
                con.execute(query.format(table=f"raw.{table}")).fetchall()
                for query, table in ((counted, "pair_similarity"), (scored, "pair_score"))
            ]
    with writing() as con:
        after = [
            con.execute(query.format(table=f"facts.{table}")).fetchall()
            for query, table in ((counted, "pair_counted"), (scored, "pair_scored"))
        ]
        assert after == before
        assert len(before[0]) == len(before[1]) == 2 * (20 * 21 // 2)
        blocks = (
            "select measure, run_id, count(*) from raw.pair_count_block group by all order by all"
        )
        runs = ("r0", "r1", "r2")
        assert con.execute(blocks).fetchall() == [
            (measure, run, 5) for measure in ("scc_v1", "tokens_v2") for run in runs
        ]


# twenty programs of five problems: pairs within and between them, two measures, three runs
OLD_PAIRS = """
create temp table program as
select 'c' || printf('%02d', i) as candidate_id, 'p' || i % 5 as problem_id, i
from range(20) as t(i);

insert into raw.evaluation by name
select
    'e' || i as evaluation_id, 'g' || i as generation_id, problem_id, candidate_id,
    'q' || i as program_id, 'r0' as run_id
from program;

insert into raw.pair_similarity by name
select
    measure || a.i || '.' || b.i as pair_id, a.candidate_id as candidate_a,
    b.candidate_id as candidate_b, measure, a.i * b.i % 7 as n_shared,
    7 + a.i + len(measure) as n_tokens_a, 7 + b.i + len(measure) as n_tokens_b,
    'r' || (a.i + b.i) % 3 as run_id
from program as a
inner join program as b on a.i <= b.i
cross join (values ('tokens_v2'), ('scc_v1')) as measures (measure);

insert into raw.pair_score by name
select
    scorer_id || a.i || '.' || b.i as pair_score_id, scorer_id, a.candidate_id as candidate_a,
    b.candidate_id as candidate_b, if(a.i % 4 = 0, null, 1 / (1 + b.i)) as value,
    if(a.i % 4 = 0, 'no_parse', null) as null_reason, 'r' || (a.i + b.i) % 3 as run_id
from program as a
inner join program as b on a.i <= b.i
cross join (values ('s0'), ('s1')) as scorers (scorer_id);
"""


def test_a_warehouse_opens_again_after_a_kill_at_any_migration(tmp_path: Path) -> None:
    """What a killed process leaves is the file and its log: a copy of both while it is open."""
    scripts = migrations.scripts()
    path = tmp_path / "open.duckdb"
    with duckdb.connect(str(path), config=connection.NEW_FILES) as con:
        con.execute("set checkpoint_threshold = '1TB'")
        for number, script in scripts.items():
            con.begin()
            con.execute(script)
            con.execute("insert into meta.schema_version values (?, now())", [number])
            con.commit()
            left = tmp_path / f"after_{number}.duckdb"
            shutil.copy(path, left)
            shutil.copy(f"{path}.wal", f"{left}.wal")
            with writing(left) as opened:
                assert migrations.version(opened) == migrations.latest()


def test_a_broken_migration_leaves_the_old_version(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with writing() as con:
        before = columns(con)
    new = migrations.latest() + 1
    broken = "alter table raw.run add column note VARCHAR; select * from nowhere;"
    (tmp_path / f"{new:04d}_broken.sql").write_text(broken)
    (tmp_path / "0001_initial.sql").write_text(migrations.scripts()[1])
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "FOLDER", tmp_path)
        with pytest.raises(duckdb.Error), writing():
            pass
    with reading() as con:
        assert columns(con) == before


def test_a_newer_warehouse_is_refused(home: Path) -> None:
    with writing() as con:
        con.execute("insert into meta.schema_version values (999, now())")
    with pytest.raises(AssayError, match="written by a newer Assay"), reading():
        pass
    with pytest.raises(AssayError, match="upgrade Assay"), writing():
        pass


def test_a_file_that_is_no_warehouse_is_one_clear_line(home: Path) -> None:
    home.mkdir()
    warehouse_path().write_text("not a database, but long enough to be looked at" * 100)
    with pytest.raises(AssayError, match=r"warehouse\.duckdb") as caught, reading():
        pass
    assert "\n" not in str(caught.value)


def test_no_warehouse_yet_says_what_to_do(home: Path) -> None:
    with pytest.raises(AssayError, match="assay ingest"), reading():
        pass


def test_interruptions_leave_no_thread_no_descriptor_and_no_byte_behind(home: Path) -> None:
    """Python writes signals to a descriptor; if it is closed, its number may mean the warehouse."""
    with writing():
        pass
    head = warehouse_path().read_bytes()[:64]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with reading() as con:
        con.execute("select 1").fetchall()
    threads, opened = threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))
    try:
        for number in range(40):
            timer = threading.Timer(0.002 * (number % 10), os.kill, (os.getpid(), signal.SIGINT))
            with suppress(KeyboardInterrupt):
                timer.start()
                while True:
                    with reading() as con:
                        con.execute("select 1").fetchall()
            timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    with reading() as con:
        assert con.execute("select 42").fetchall() == [(42,)]
    assert warehouse_path().read_bytes()[:64] == head
    assert threading.active_count() == threads
    assert len(list(Path("/proc/self/fd").iterdir())) <= opened + 2


def test_a_forked_process_keeps_its_signals_for_itself(home: Path) -> None:
    with writing() as con:
        child = os.fork()
        if not child:
            signal.signal(signal.SIGINT, lambda *_: os._exit(7))
            while True:
                time.sleep(1)
        threading.Timer(0.3, os.kill, (child, signal.SIGINT)).start()
        con.execute("select sleep_ms(600)").fetchall()
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
