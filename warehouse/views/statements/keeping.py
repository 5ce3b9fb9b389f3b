"""The statements that dbt sends for a build, kept until the project changes.

They are sent again (``sending``). A file whose checksum is wrong is ignored.
"""

import fcntl
import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from models.keys import text_key
from warehouse.views.nodes import Node
from warehouse.views.project import dbt_dir, project_state

VERDICT = ["failures", "should_warn", "should_error"]
"""The columns of a data test's answer."""

ASKS = re.compile(r"\s*(/\*.*?\*/)?\s*(select|describe|with)\b", re.IGNORECASE | re.DOTALL)
"""Statements that change nothing."""


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


def file_of_all(name: str, unwanted: Sequence[str]) -> Path:
    """Return the file with the statements of a full build, without resources of ``unwanted`` types.

    ``name`` is that of the warehouse's file, which the statements contain.
    """
    kind = hashlib.sha256(json.dumps([name, list(unwanted)]).encode()).hexdigest()
    return dbt_dir() / "statements" / project_state()[:32] / f"{kind[:32]}.kept"


@contextmanager
def one_dbt() -> Iterator[bool]:
    """Let one dbt at a time use its folder; yield whether it had to wait for another."""
    dbt_dir().mkdir(parents=True, exist_ok=True)
    with (dbt_dir() / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield True
        else:
            yield False


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
        if ASKS.match(sql) and not is_verdict(self):
            return answer
        node = str(get_node_info().get("unique_id", ""))
        found.append(SentStatement(node, sql, bindings))
        return answer

    wrapper.execute = noted
    try:
        yield found
    finally:
        wrapper.execute = execute


def is_verdict(cursor: Any) -> bool:
    """Whether a cursor has the answer of a data test."""
    return [column[0] for column in cursor.description or ()] == VERDICT
