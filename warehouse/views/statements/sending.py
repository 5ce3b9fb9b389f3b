"""Kept statements, sent again while dbt would send the same.

A full build takes dbt some 20 seconds of processor time, of which DuckDB needs three: the rest
finds out which statements to send. These depend on the project, never on rows. So builds send those
that came with the project, or that dbt once sent for it. They send all (docs/decisions/0022), or
those that new rows can change (decision 27). Where a statement fails, or a data test finds rows,
nothing is believed. If sending what new rows change fails, all is sent; if that fails too, dbt
builds from the start and says why.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from warehouse.facts.query import run
from warehouse.store.builds import n_rows
from warehouse.store.connection import writing
from warehouse.store.growth.touched import Doubt
from warehouse.store.interrupts import interruptible
from warehouse.views.increment import Increment
from warehouse.views.nodes import Node
from warehouse.views.statements.keeping import Built, KeptBuild, SentStatement, is_verdict
from warehouse.views.statements.side_by_side import send_side_by_side

NO_NODE = ""
"""What dbt sends before all nodes: it makes schemas that are missing."""

FEW_GENERATIONS = 20_000
"""Below so many, DuckDB has one thread for a connection: its time goes into plans."""

SIDE_BY_SIDE = 500_000
"""Up to so many generations two nodes are made at once, each with half of a node's memory."""

LEFT_OUT_COMPRESSION = "alprd"
"""A way to compress floating point numbers: files are 3 % smaller with it, builds 3 % slower."""


class Deviates(Exception):
    """A data test found rows."""


def relations_of(con: duckdb.DuckDBPyConnection) -> set[str]:
    """Return each relation that dbt may have made, as schema and name."""
    found = run(con, "catalog/built_relations", {}).fetchall()
    return {f"{schema}.{name}" for schema, name, _ in found}


def send(
    path: Path, kept: KeptBuild, memory: int, before: Mapping[str, int] | None = None
) -> Built | None:
    """Make a build of all by kept statements; return what it made, None where dbt has to build.

    With ``before``, which is how many rows raw tables had in the last build, only what new ones can
    change is made and tested. Raises Locked where another process keeps the warehouse.
    """
    for since in [before, None] if before is not None else [None]:
        with suppress(duckdb.Error, Deviates, Doubt), _settled(path, memory) as con:
            if since is None:
                _send_all(con, kept, kept.nodes, memory)
            else:
                _send_new(con, kept, since)
            return kept.built
    return None


def send_part(path: Path, kept: KeptBuild, part: Sequence[Node], memory: int) -> Built | None:
    """Make and test some nodes as a build of all does; None where dbt has to build them.

    What dbt does at the end of a build is done for the relations that are then there: plain names
    for newest versions, macros. Raises Locked where another process keeps the warehouse.
    """
    with suppress(duckdb.Error, Deviates, Doubt), _settled(path, memory) as con:
        _send_all(con, kept, part, memory)
        tests = [node.name.split(".")[2] for node in part if node.kind == "test"]
        return Built([node.relation.split(".")[1] for node in part if node.relation], tests, [])
    return None


@contextmanager
def _settled(path: Path, memory: int) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a warehouse for a build, with the MiB of memory and the threads that it may use."""
    with writing(path) as con:
        con.execute(f"set memory_limit = '{memory}MiB'")
        con.execute(f"set disabled_compression_methods = '{LEFT_OUT_COMPRESSION}'")
        _limit(con, memory)
        if n_rows(con, "generation") < FEW_GENERATIONS:
            con.execute("set threads = 1")
        yield con


def _limit(con: duckdb.DuckDBPyConnection, memory: int) -> duckdb.DuckDBPyConnection:
    """Let hash tables and sorts of one connection have half of the memory, and return it.

    What is read needs the rest. Without this limit, a join of ten million rows failed instead of
    spilling.
    """
    con.execute(f"set operator_memory_limit = '{memory // 2}MiB'")
    return con


def _send_all(
    con: duckdb.DuckDBPyConnection, kept: KeptBuild, nodes: Sequence[Node], memory: int
) -> None:
    """Send all statements of some nodes, and what dbt sends before and after all nodes."""
    by_node = _by_node(kept)
    _send_node(con, by_node.get(NO_NODE, []))
    if n_rows(con, "generation") <= SIDE_BY_SIDE:
        halves = [_limit(con.cursor(), memory // 2) for _ in range(2)]
        send_side_by_side(halves, nodes, lambda half, name: _send_node(half, by_node[name]))
    else:
        for node in nodes:
            _send_node(con, by_node[node.name])
    _send_ends(con, kept, by_node)


def _send_new(con: duckdb.DuckDBPyConnection, kept: KeptBuild, before: Mapping[str, int]) -> None:
    if missing := _missing(con, kept):
        raise Doubt(f"the last build made {min(missing)}, which is not there")
    by_node = _by_node(kept)

    def send_node(node: Node, changed: Callable[[str], str]) -> None:
        _send_node(con, by_node[node.name], changed)

    Increment(con, kept.nodes, before, send_node)


def _missing(con: duckdb.DuckDBPyConnection, kept: KeptBuild) -> set[str]:
    """Return what a build of all makes and is not there."""
    return {node.relation for node in kept.nodes if node.relation} - relations_of(con)


def _by_node(kept: KeptBuild) -> dict[str, list[SentStatement]]:
    """Return the statements of each node. Raises Doubt where one has none."""
    by_node: dict[str, list[SentStatement]] = {}
    for statement in kept.statements:
        by_node.setdefault(statement.node, []).append(statement)
    if unsent := {node.name for node in kept.nodes} - by_node.keys():
        raise Doubt(f"no statement is kept of {min(unsent)}")
    return by_node


def _send_node(
    con: duckdb.DuckDBPyConnection,
    statements: Sequence[SentStatement],
    changed: Callable[[str], str] = str,
) -> None:
    con.begin()
    for statement in statements:
        send_one(con, statement._replace(text=changed(statement.text)))
    con.commit()


def _send_ends(
    con: duckdb.DuckDBPyConnection, kept: KeptBuild, by_node: Mapping[str, list[SentStatement]]
) -> None:
    """Send what follows all nodes, where the relations that it names are there."""
    missing = _missing(con, kept)
    for name, statements in by_node.items():
        if not name.startswith("operation."):
            continue
        for text in (
            one.query for each in statements for one in duckdb.extract_statements(each.text)
        ):
            if missing.isdisjoint(re.findall(r"\w+\.\w+", text)):
                con.execute(text)


def send_one(cursor: duckdb.DuckDBPyConnection, statement: SentStatement) -> None:
    """Send a statement again. Raises Deviates where it is a data test that fails or warns.

    Its answer is fetched to the end: until then DuckDB keeps the hash tables of its query.
    """
    with interruptible(cursor):
        cursor.execute(statement.text, statement.bound)
        answers = cursor.fetchall() if is_verdict(cursor) else None
    if answers is not None and (not answers or answers[0][1] or answers[0][2]):
        raise Deviates
