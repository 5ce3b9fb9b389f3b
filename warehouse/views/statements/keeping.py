"""The statements that dbt sends for a build of all, kept until the project changes.

They are sent again (``sending``). Those of Assay's own views come with it, in
``dbt/statements.kept``; ``make dbt`` writes them. All others are kept in the cache: with views of
the user, changed views, other versions of libraries, or another name of the warehouse's file. A
file of another state, or a damaged one, is ignored.
"""

import fcntl
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from models.keys import text_key
from warehouse.views.nodes import Node
from warehouse.views.project import dbt_dir, project_dir, project_state

SHIPPED = "statements.kept"
"""The file in the dbt project."""

PLACE = "{dbt_project}"
"""In a statement of a seed, the folder of the dbt project, when it is kept."""

RECORDERS = ("nodes.py", "statements/keeping.py")
"""The code that decides how a build is kept, below the folder of views."""

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
    """A build of all by dbt: its statements, its nodes in their order, and what it made.

    Statements of no node come first, sorted; the others are in the order in which dbt sent them.
    """

    statements: list[SentStatement]
    nodes: list[Node]
    built: Built


@dataclass(frozen=True)
class StatementStore:
    """Where statements of a build of all are kept, for warehouses whose file has this name.

    Statements contain that name.
    """

    name: str

    @property
    def cached(self) -> Path:
        """The file in the cache."""
        return dbt_dir() / "statements" / f"{text_key(self.name)}.kept"

    def find(self) -> KeptBuild | None:
        """Return what came with Assay, else what the cache has; None where both are of no use."""
        return self.in_file(shipped_file()) or self.in_file(self.cached)

    def in_file(self, file: Path) -> KeptBuild | None:
        """Return what a file has; None where it is missing, damaged or of another state or name."""
        try:
            checksum, _, text = file.read_text("utf-8").partition("\n")
            if checksum != self.checksum(text):
                return None
            kept = json.loads(text)
            here = str(project_dir()).replace("'", "''")
            sent = (SentStatement(*each) for each in kept["statements"])
            statements = [_moved(each, PLACE, here) for each in sent]
            nodes = [Node(**{**each, "reads": tuple(each["reads"])}) for each in kept["nodes"]]
            built = Built(*([str(name) for name in names] for names in kept["built"]))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None
        return KeptBuild(statements, nodes, built) if statements and built.views else None

    def write(
        self, statements: Sequence[SentStatement], nodes: Sequence[Node], built: Built
    ) -> None:
        """Write what dbt sent to the cache, in place of what is there.

        Where it cannot be written, nothing is kept, and dbt makes the next build too.
        """
        again = _portable(statements, nodes)
        # a line for each value: a small change of the project is a small change of the file
        text = json.dumps(asdict(KeptBuild(again, list(nodes), built)), default=str, indent=0)
        partial = self.cached.with_suffix(".partial")
        try:
            partial.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(f"{self.checksum(text)}\n{text}", "utf-8")
            partial.replace(self.cached)
        except OSError:
            with suppress(OSError):
                partial.unlink()

    def checksum(self, text: str) -> str:
        """Hash a text with the project's state and the code that kept it: it is good with both."""
        views = Path(__file__).parents[1]
        code = [(views / file).read_text("utf-8") for file in RECORDERS]
        return text_key(json.dumps([project_state(), code, self.name]) + text)


def shipped_file() -> Path:
    """Return the file that comes with Assay; with views of the user there is none."""
    return project_dir() / SHIPPED


def _portable(statements: Sequence[SentStatement], nodes: Sequence[Node]) -> list[SentStatement]:
    """Return statements that first drop what they make, and name no folder.

    Those of no node come first, sorted. Who sends them begins and commits each transaction.
    """
    drops = {
        each.name: f"drop {'view' if each.kind == 'view' else 'table'} if exists {each.relation};\n"
        for each in nodes
        if each.relation
    }
    again = [
        _again(_moved(each, str(project_dir()), PLACE), drops)
        for each in statements
        if each.text not in ("BEGIN", "COMMIT")
    ]
    # dbt makes missing schemas in any order
    return sorted(again, key=lambda each: (bool(each.node), "" if each.node else each.text))


def _again(statement: SentStatement, drops: Mapping[str, str]) -> SentStatement:
    """Return a statement that makes a relation as one that makes it whether it is there or not."""
    creates = re.search(r"^\s*create\s+(table|view)\b", statement.text, re.MULTILINE)
    drop = drops.get(statement.node)
    if not drop or not creates or "drop " in statement.text[: creates.start()]:
        return statement
    text = statement.text[: creates.start()] + drop + statement.text[creates.start() :]
    return statement._replace(text=text)


def _moved(statement: SentStatement, place: str, other: str) -> SentStatement:
    """Return a statement in which a seed's file lies in another place."""
    if not statement.node.startswith("seed."):
        return statement
    return statement._replace(text=statement.text.replace(place, other))


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
