"""The statements that dbt sends for a build of all, kept until the project changes.

They are sent again (``sending``). Those of Assay's own project come with it, in
``dbt/statements.kept``; ``make dbt`` writes them. Those of a project with other views, or with
changed ones, are kept in the cache. A file of another state of the project, or a damaged one, is
ignored.
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
    """One build by dbt: its statements in order, its nodes (of a build of all), what it made."""

    statements: list[SentStatement]
    nodes: list[Node]
    built: Built


@dataclass(frozen=True)
class BuildOfAll:
    """A build of all, in a warehouse of a name: statements contain the name of its file."""

    name: str

    @property
    def file(self) -> Path:
        """Where its statements are kept in the cache."""
        return dbt_dir() / "statements" / f"{text_key(self.name)}.kept"

    def kept(self) -> KeptBuild | None:
        """Return what dbt sends for it; None where that is not known."""
        return self.kept_in(shipped_file()) or self.kept_in(self.file)

    def kept_in(self, file: Path) -> KeptBuild | None:
        """Return what a file has of it; None where that is nothing, or damaged."""
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
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return KeptBuild(statements, nodes, built) if statements and built.views else None

    def keep_sent(
        self, statements: Sequence[SentStatement], nodes: Sequence[Node], built: Built
    ) -> None:
        """Keep what dbt sent, in place of what is kept.

        Only what can be written is kept; else the next build is dbt's again.
        """
        again = _sent_anywhere(statements, nodes)
        # a line for each value: a small change of the project is a small change of the file
        text = json.dumps(asdict(KeptBuild(again, list(nodes), built)), default=str, indent=0)
        partial = self.file.with_suffix(".partial")
        try:
            partial.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(f"{self.checksum(text)}\n{text}", "utf-8")
            partial.replace(self.file)
        except OSError:
            with suppress(OSError):
                partial.unlink()

    def checksum(self, text: str) -> str:
        """Hash a text with the project's state and the code that kept it: it is good with both."""
        views = Path(__file__).parents[1]
        code = [(views / file).read_text("utf-8") for file in RECORDERS]
        return text_key(json.dumps([project_state(), code, self.name, text]))


def shipped_file() -> Path:
    """Return the file of the statements that come with the project."""
    return project_dir() / SHIPPED


def _sent_anywhere(
    statements: Sequence[SentStatement], nodes: Sequence[Node]
) -> list[SentStatement]:
    """Return statements that do the same whatever is there, and whatever the project's folder."""
    drops = {
        each.name: f"drop {'view' if each.kind == 'view' else 'table'} if exists {each.relation};\n"
        for each in nodes
        if each.relation
    }
    again = [
        _again(_moved(each, str(project_dir()), PLACE), drops)
        for each in statements
        if each.text not in ("BEGIN", "COMMIT")  # dbt leaves those of data tests open
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
