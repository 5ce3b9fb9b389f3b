"""How much memory a build may use, and that it frees what it no longer needs."""

import os
from pathlib import Path

import duckdb
import pytest

from warehouse.store.connection import reading
from warehouse.views import build as building
from warehouse.views.nodes import Node
from warehouse.views.statements import sending
from warehouse.views.statements.keeping import Built, KeptBuild, SentStatement

GIB = 2**30

NAMES = """
create table parent as select md5(n::varchar) as id from range(300_000) as t(n);

create table child as select * from parent;
"""

DATA_TEST = """
select count(*) as failures, count(*) != 0 as should_warn, count(*) != 0 as should_error
from (
    select child.id from child anti join parent on child.id = parent.id where child.id is not null
)
"""

HASH_TABLES = "select sum(memory_usage_bytes) from duckdb_memory() where tag = 'HASH_TABLE'"


@pytest.mark.parametrize(
    ("size_gib", "machine_gib", "allowed_gib"),
    [(0, 24, 4), (10, 24, 4), (20, 24, 8), (100, 24, 12), (100, 256, 32), (1, 4, 2)],
)
def test_memory_grows_with_the_file_up_to_half_of_the_machine(
    size_gib: int,
    machine_gib: int,
    allowed_gib: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "warehouse.duckdb"
    with path.open("wb") as file:
        file.truncate(size_gib * GIB)
    sizes = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": machine_gib * GIB // 4096}
    monkeypatch.setattr(os, "sysconf", sizes.__getitem__)
    assert building._memory(path) == allowed_gib * 1024


@pytest.mark.parametrize("side_by_side", [True, False])
def test_hash_tables_of_all_that_is_made_at_once_get_half_of_the_memory(
    side_by_side: bool, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "SIDE_BY_SIDE", 0 if side_by_side else -1)
    path = home / "warehouse.duckdb"
    asked = "create table limit_{0} as select current_setting('operator_memory_limit') as given"
    nodes = [Node(f"model.{n}", "table", f"main.limit_{n}", (), "", "", "", "") for n in (0, 1)]
    sent = [SentStatement(f"model.{n}", asked.format(n), None) for n in (0, 1)]
    kept = KeptBuild(sent, nodes, Built([], [], []))
    with sending._settled(path, 512) as con:
        sending._send_all(con, kept, nodes, 512)
        con.execute(asked.format(2))
    with reading(path) as con:
        found = con.execute("from limit_0 union all from limit_1 union all from limit_2").fetchall()
    each = "128.0 MiB" if side_by_side else "256.0 MiB"
    assert found == [(each,), (each,), ("256.0 MiB",)]


def test_a_data_test_leaves_no_hash_table_behind() -> None:
    con = duckdb.connect()
    con.execute(NAMES)
    cursors = [con.cursor() for _ in range(3)]
    for cursor in cursors:
        sending.send_one(cursor, SentStatement("test.one", DATA_TEST, None))
    assert con.execute(HASH_TABLES).fetchall() == [(0,)]
