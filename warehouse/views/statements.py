"""The statements that dbt sent for a build, kept, and sent again while they would be the same.

A full build takes dbt some 20 seconds of processor time, of which DuckDB needs three: the rest
finds out which statements to send. These depend on the project, on what is selected and on the
relations that are there, never on rows. So dbt makes the first build of a kind, and later ones send
its statements. They send all (docs/decisions/0022), or those that new rows can change (decision
27). Where one of them fails, or a data test finds rows, nothing is believed. dbt builds again from
the start and says what is wrong.
"""

import fcntl
import hashlib
import json
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from graphlib import TopologicalSorter
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

import duckdb

from models.keys import text_key
from warehouse.facts.query import run
from warehouse.store.builds import n_rows
from warehouse.store.connection import writing
from warehouse.store.growth.touched import Doubt
from warehouse.store.interrupts import interruptible
from warehouse.views.increment import Increment
from warehouse.views.nodes import Node
from warehouse.views.project import dbt_dir, project_state

VERDICT = ["failures", "should_warn", "should_error"]
"""The columns of a data test's answer."""

ASKS = re.compile(r"\s*(/\*.*?\*/)?\s*(select|describe|with)\b", re.IGNORECASE | re.DOTALL)
"""Statements that change nothing."""

NO_NODE = ""
"""What dbt sends before all nodes: it makes schemas that are missing."""

FEW_GENERATIONS = 20_000
"""Below so many, DuckDB has one thread for a connection: its time goes into plans."""

SIDE_BY_SIDE = 500_000
"""Up to so many generations two nodes are made at once, each with half of a node's memory."""

LEFT_OUT_COMPRESSION = "alprd"
"""A way to compress floating point numbers: files are 3 % smaller with it, builds 3 % slower."""


class SentStatement(NamedTuple):
    """One that dbt sent: the node it is of, its text, what is bound."""

    node: str
    text: str
    bound: Any


class Built(NamedTuple):
    """What a build made: names of views, of data tests that passed, and of those that warn."""

    views: list[str]
    tests: list[str]
    warnings: list[str]


@dataclass(frozen=True)
class KeptBuild:
    """One build by dbt: its statements in order, its nodes (of a build of all), what it made."""

    statements: list[SentStatement]
    nodes: list[Node]
    built: Built


class Deviates(Exception):
    """A data test found rows."""


def relations_of(con: duckdb.DuckDBPyConnection) -> set[str]:
    """Return each relation that dbt may have made, as schema and name."""
    found = run(con, "catalog/built_relations", {}).fetchall()
    return {f"{schema}.{name}" for schema, name, _ in found}


def file_of_all(name: str, unwanted: Sequence[str]) -> Path:
    """Return where the statements are kept of builds of all, into a file of this name.

    Statements hold that name.
    """
    kind = hashlib.sha256(json.dumps([name, list(unwanted)]).encode()).hexdigest()
    return dbt_dir() / "statements" / project_state()[:32] / f"{kind[:32]}.kept"


@contextmanager
def one_dbt() -> Iterator[bool]:
    """Let one dbt at a time use its folder; whether another was waited for."""
    dbt_dir().mkdir(parents=True, exist_ok=True)
    with (dbt_dir() / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield True
        else:
            yield False


def send(
    path: Path, file: Path, memory: int, before: Mapping[str, int] | None = None
) -> Built | None:
    """Build as a file says; None where there is no such file, or where dbt has to build.

    With ``before``, which is how many rows raw tables had in the last build, only what new ones can
    change is made and tested. Raises Locked where another process keeps the warehouse.
    """
    kept = kept_in(file)
    if kept is None:
        return None
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


def keep_statements(
    file: Path, statements: Sequence[SentStatement], nodes: Sequence[Node], built: Built
) -> None:
    """Keep the statements of a build, and none of another state of the project.

    Only what can be written is kept; else the next build is dbt's again.
    """
    partial = file.with_suffix(".partial")
    drops = {
        each.name: f"drop {'view' if each.kind == 'view' else 'table'} if exists {each.relation};\n"
        for each in nodes
        if each.relation
    }
    again = [_again(each, drops.get(each.node, "")) for each in statements]
    text = json.dumps(asdict(KeptBuild(again, list(nodes), built)), default=str)
    for other in file.parent.parent.glob("*"):
        if other != file.parent:
            shutil.rmtree(other, ignore_errors=True)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(f"{text_key(text)}\n{text}", "utf-8")
        partial.replace(file)
    except OSError:
        with suppress(OSError):
            partial.unlink()


def _again(statement: SentStatement, drop: str) -> SentStatement:
    """Return a statement that makes a relation as one that makes it whether it is there or not."""
    creates = re.search(r"^\s*create\s+(table|view)\b", statement.text, re.MULTILINE)
    if not drop or not creates or "drop " in statement.text[: creates.start()]:
        return statement
    text = statement.text[: creates.start()] + drop + statement.text[creates.start() :]
    return statement._replace(text=text)


def kept_in(file: Path) -> KeptBuild | None:
    """Return what is kept, None where nothing is or where it is damaged."""
    try:
        checksum, _, text = file.read_text("utf-8").partition("\n")
        if checksum != text_key(text):
            return None
        kept = json.loads(text)
        statements = [SentStatement(*each) for each in kept["statements"]]
        nodes = [Node(**{**each, "reads": tuple(each["reads"])}) for each in kept["nodes"]]
        built = Built(*([str(name) for name in names] for names in kept["built"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return KeptBuild(statements, nodes, built) if statements and built.views else None


@contextmanager
def listening() -> Iterator[list[SentStatement]]:
    """Note every statement that dbt sends, in order, but what it asks about types and names."""
    from dbt.adapters.duckdb.environments import local  # two seconds
    from dbt_common.events.contextvars import get_node_info

    wrapper: Any = local.DuckDBCursorWrapper
    found: list[SentStatement] = []
    execute = wrapper.execute

    def noted(self: Any, sql: str, bindings: Any = None) -> Any:
        answer = execute(self, sql, bindings)
        if ASKS.match(sql) and not _is_verdict(self):
            return answer
        node = str(get_node_info().get("unique_id", ""))
        found.append(SentStatement(node, sql, bindings))
        return answer

    wrapper.execute = noted
    try:
        yield found
    finally:
        wrapper.execute = execute


def _send_all(
    con: duckdb.DuckDBPyConnection, kept: KeptBuild, nodes: Sequence[Node], memory: int
) -> None:
    """Send all statements of some nodes, and what dbt sends before and after all nodes."""
    by_node = _by_node(kept)
    _send_node(con, by_node.get(NO_NODE, []))
    if n_rows(con, "generation") <= SIDE_BY_SIDE:
        _send_side_by_side(con, nodes, by_node, memory)
    else:
        for node in nodes:
            _send_node(con, by_node[node.name])
    _send_ends(con, kept, by_node)


def _send_side_by_side(
    con: duckdb.DuckDBPyConnection,
    nodes: Sequence[Node],
    by_node: Mapping[str, list[SentStatement]],
    memory: int,
) -> None:
    """Send nodes on two connections, each node when what it reads is made.

    DuckDB plans with one thread, and few rows take less time than their plan.
    """
    makers = {node.relation: node.name for node in nodes if node.relation}
    order = TopologicalSorter(
        {node.name: {makers[read] for read in node.reads if read in makers} for node in nodes}
    )
    order.prepare()
    free = [_limit(con.cursor(), memory // 2) for _ in range(2)]
    cursors = tuple(free)
    stopped = Event()

    def send_node(name: str) -> str:
        cursor = free.pop()
        try:
            if not stopped.is_set():
                _send_node(cursor, by_node[name])
        finally:
            free.append(cursor)
        return name

    pool = ThreadPoolExecutor(len(cursors))
    sent: set[Future[str]] = set()
    try:
        while order.is_active():
            sent |= {pool.submit(send_node, name) for name in order.get_ready()}
            ended, sent = wait(sent, return_when=FIRST_COMPLETED)
            order.done(*(each.result() for each in ended))
    finally:
        _end(pool, cursors, free, stopped)
    for cursor in cursors:
        cursor.close()


def _end(
    pool: ThreadPoolExecutor,
    cursors: Sequence[duckdb.DuckDBPyConnection],
    free: Sequence[duckdb.DuckDBPyConnection],
    stopped: Event,
) -> None:
    """Stop what is sent and wait until all is free, however often Ctrl-C is pressed meanwhile.

    DuckDB closes no connection that a thread uses. Threads are not joined: in Python 3.11 one whose
    join was interrupted counts as ended.
    """
    interruption = None
    while not stopped.is_set() or len(free) < len(cursors):
        try:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            while len(free) < len(cursors):
                for cursor in cursors:
                    cursor.interrupt()
                time.sleep(0.005)
        except KeyboardInterrupt as again:
            interruption = again
    if interruption is not None:
        raise interruption


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
        if statement.text not in ("BEGIN", "COMMIT"):  # dbt leaves those of data tests open
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
    """Send a statement again. Raises Deviates where it is a data test that finds rows.

    All rows of an answer are fetched: until then DuckDB keeps the hash tables of its query.
    """
    with interruptible(cursor):
        cursor.execute(statement.text, statement.bound)
        answers = cursor.fetchall() if _is_verdict(cursor) else None
    if answers is not None and (not answers or answers[0][1] or answers[0][2]):
        raise Deviates


def _is_verdict(cursor: Any) -> bool:
    return [column[0] for column in cursor.description or ()] == VERDICT
