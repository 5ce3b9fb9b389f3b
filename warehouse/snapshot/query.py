"""Reading in SQL: one connection that can look at the data and at nothing else."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import duckdb

from warehouse.errors import AssayError, BadInput
from warehouse.facts.query import mapping_of, text_of
from warehouse.snapshot import snapshots
from warehouse.store import connection
from warehouse.store.interrupts import interruptible

# What a statement may begin with. The engine's own locks below hold without this list. It turns
# their many messages into one and refuses what they let pass, such as temporary tables.
READING_WORDS = {
    *("select", "with", "from", "values", "table", "("),
    *("describe", "desc", "show", "summarize", "explain", "pivot", "unpivot"),
}

SELECTING = frozenset({"select", "from", "with", "values", "table", "("})

Row = tuple[Any, ...]
Parameters = Sequence[Any] | dict[str, Any]

DEFAULT_MEMORY_MB = 2048
DEFAULT_THREADS = 2


class OutOfMemory(BadInput):
    """A query wanted more memory than it may use."""


@dataclass(frozen=True)
class QueryResult:
    """Rows of one statement, with DuckDB's names of the column types."""

    columns: list[str]
    types: list[str]
    rows: list[Row]
    truncated: bool = False


class Reader:
    """An open, locked-down connection to a snapshot or to the warehouse."""

    def __init__(self, con: duckdb.DuckDBPyConnection, snapshot: snapshots.Snapshot | None):
        self._con = con
        self.snapshot = snapshot

    @property
    def source(self) -> str:
        """What is read, in words: the id of the snapshot, or the warehouse."""
        return self.snapshot.snapshot_id if self.snapshot else "the warehouse"

    def run(
        self, sql: str, parameters: Parameters = (), *, max_rows: int | None = None
    ) -> list[QueryResult]:
        """Run reading statements and return the result of each.

        Raises BadInput on anything that is not reading, and on an error in the SQL.
        """
        return [self._one(text, parameters, max_rows) for text in reading_statements(sql)]

    def one(
        self, sql: str, parameters: Parameters = (), *, max_rows: int | None = None
    ) -> QueryResult:
        """Run exactly one reading statement and return its result."""
        return self._one(only(reading_statements(sql)), parameters, max_rows)

    def stream(self, sql: str, *, chunk: int = 10_000) -> tuple[list[str], Iterator[Row]]:
        """Run one reading statement; return its columns and its rows, fetched bit by bit."""
        columns, batches = self.batches(sql, chunk=chunk)
        return columns, (row for rows in batches for row in rows)

    def batches(self, sql: str, *, chunk: int = 10_000) -> tuple[list[str], Iterator[list[Row]]]:
        """Run one reading statement; return its columns and its rows, some at a time."""
        with _clear_errors(self._con):
            cursor = self._con.execute(only(reading_statements(sql)))

        def batch() -> list[Row]:
            with _clear_errors(self._con):
                return cursor.fetchmany(chunk)

        return [str(column[0]) for column in cursor.description or []], iter(batch, [])

    def arrow(self, sql: str) -> Any:
        """Run one reading statement and return a pyarrow table."""
        with _clear_errors(self._con):
            return self._con.sql(only(reading_statements(sql))).to_arrow_table()

    def tables(self) -> list[tuple[str, str, str]]:
        """Return schema, name and kind (table or view) of everything there is to read."""
        return [
            (str(schema), str(name), str(kind))
            for schema, name, kind in self.one(text_of("catalog/readable")).rows
        ]

    def columns(self, name: str) -> QueryResult:
        """Return the columns of a table or view; the name is bound, never pasted."""
        schema, _, table = name.rpartition(".")
        return self.one(text_of("catalog/columns"), {"table": table, "schema": schema})

    def versions(self) -> dict[str, str]:
        """Return the versioned view behind each plain view name."""
        return plain_names(self._con)

    def named_in(self, sql: str) -> list[str]:
        """Return the names of the tables and views a query reads, plain names resolved."""
        with _clear_errors(self._con):
            names = self._con.get_table_names(sql)
        return sorted(self.versions().get(name, name) for name in names)

    def _one(self, text: str, parameters: Parameters, max_rows: int | None) -> QueryResult:
        with _clear_errors(self._con):
            bound = parameters if isinstance(parameters, dict) else list(parameters)
            cursor = self._con.execute(text, bound)
            described = cursor.description or []
            columns = [str(column[0]) for column in described]
            types = [str(column[1]) for column in described]
            if max_rows is None:
                return QueryResult(columns, types, cursor.fetchall())
            rows = cursor.fetchmany(max_rows + 1)
            cursor.abort()  # while a result is open, the connection can do nothing else
            return QueryResult(columns, types, rows[:max_rows], truncated=len(rows) > max_rows)


@contextmanager
def opened(
    *,
    warehouse: bool = False,
    memory_mb: int = DEFAULT_MEMORY_MB,
    threads: int = DEFAULT_THREADS,
) -> Iterator[Reader]:
    """Open the current snapshot (or the warehouse itself) for SQL that may come from anyone.

    From SQL there is no file, no network, no extension and no setting; memory and threads are
    limited. Raises AssayError when there is nothing to open, Locked when the warehouse is in use.
    """
    if warehouse:
        with connection.reading() as con:
            lock_down(con, memory_mb=memory_mb, threads=threads)
            yield Reader(con, None)
        return
    snapshot = snapshots.current()
    con = connect(snapshot, memory_mb=memory_mb, threads=threads)
    try:
        yield Reader(con, snapshot)
    finally:
        con.close()


def connect(
    snapshot: snapshots.Snapshot, *, memory_mb: int, threads: int
) -> duckdb.DuckDBPyConnection:
    """Return a connection to a snapshot that reads it and nothing else.

    Where this process has another one to it, memory and threads are those of the first.
    Raises AssayError where its file cannot be opened.
    """
    try:
        con = duckdb.connect(str(snapshot.database), read_only=True)
    except duckdb.Error as error:
        reason = connection.why_unreadable(snapshot.database, error)
        raise AssayError(f"{reason}: run `assay publish --force`") from error
    try:
        lock_down(con, memory_mb=memory_mb, threads=threads)
    except duckdb.InvalidInputException as error:
        # this process has the file open already: connections share one locked configuration
        if "configuration has been locked" not in str(error):
            con.close()
            raise
    return con


def query(
    sql: str,
    parameters: Parameters = (),
    *,
    warehouse: bool = False,
    max_rows: int | None = None,
) -> QueryResult:
    """Return the result of one reading statement on the current snapshot or the warehouse."""
    with opened(warehouse=warehouse) as reader:
        return reader.one(sql, parameters, max_rows=max_rows)


def lock_down(con: duckdb.DuckDBPyConnection, *, memory_mb: int, threads: int) -> None:
    """Take from an open connection all it could reach but its own tables, for good."""
    for setting, value in {
        "memory_limit": f"'{int(memory_mb)}MiB'",
        "threads": str(int(threads)),
        "temp_directory": "''",
        "allow_community_extensions": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        # or `from x` would read a variable of the calling Python code
        "python_enable_replacements": "false",
        "enable_external_access": "false",
        # or the database file itself could be read as bytes and attached again
        "disabled_filesystems": "'LocalFileSystem'",
        "lock_configuration": "true",
    }.items():
        con.execute(f"set {setting} = {value}")


def plain_names(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return the plain names of views, each with the versioned view that it points at."""
    views = mapping_of(con, "catalog/view_texts").items()
    found = {name: re.search(rf"\b{re.escape(name)}_v\d+\b", sql) for name, sql in views}
    return {name: match[0] for name, match in found.items() if match}


def reading_statements(sql: str) -> list[str]:
    """Split SQL at its semicolons; raises BadInput on the first part that is not reading."""
    if any(c == "\0" or "\ud800" <= c <= "\udfff" for c in sql):
        raise BadInput("the SQL holds a NUL byte or is not UTF-8")
    parts = _parts(sql)
    if not parts:
        raise BadInput("no SQL statement given")
    for part in parts:
        word = _first_word(part)
        if word not in READING_WORDS:
            known = duckdb.tokenize(part)[0][1] == duckdb.token_type.keyword
            problem = f"only reading is allowed here, not {word.upper()}" if known else "not SQL"
            raise BadInput(f"{problem}: {_shown(part)}")
    return parts


def only(statements: list[str]) -> str:
    """Return the one statement there is; raises BadInput when there are several."""
    if len(statements) != 1:
        raise BadInput(f"one SQL statement is wanted here, not {len(statements)}")
    return statements[0]


def message_of(error: Exception) -> str:
    """Return DuckDB's message as one line, without its drawing of the statement."""
    lines = str(error).split("\nLINE ")[0].splitlines()
    return " ".join(line.strip() for line in lines if line.strip())


@contextmanager
def _clear_errors(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    try:
        with interruptible(con):
            yield
    except RuntimeError as error:
        if "allocate" in str(error):  # the message for a row that does not fit in memory
            raise OutOfMemory(f"Out of Memory: {message_of(error)}") from error
        raise
    except (MemoryError, duckdb.OutOfMemoryException) as error:
        raise OutOfMemory(message_of(error) or "Out of Memory") from error
    except duckdb.PermissionException as error:
        raise BadInput(f"SQL here reads tables and views only: {message_of(error)}") from error
    except duckdb.Error as error:
        raise BadInput(message_of(error)) from error


def _parts(sql: str) -> list[str]:
    """Return the statements as DuckDB's own tokenizer sees them."""
    encoded = sql.encode("utf-8")
    parts: list[str] = []
    begin: int | None = None
    for start in _starts(sql):
        if encoded[start : start + 1] == b";":
            if begin is not None:
                parts.append(encoded[begin:start].decode("utf-8"))
            begin = None
        elif begin is None:
            begin = start
    if begin is not None:
        parts.append(encoded[begin:].decode("utf-8"))
    return parts


def _first_word(part: str) -> str:
    """Return what a statement begins with; of one that is explained, what that begins with.

    For ``explain analyze create temp table`` makes the table.
    """
    words = _words(part)
    while words[0] == "explain" and len(words) > 1:
        words = words[1:]
        if words[0] in ("analyze", "analyse"):
            words = words[1:] or ["explain"]
        if words[0] == "(" and not SELECTING.intersection(words[1:2]) and ")" in words:
            words = words[words.index(")") + 1 :] or ["explain"]
    return words[0]


def _words(part: str) -> list[str]:
    """Return the first word, or sign, of each token but comments."""
    encoded = part.encode("utf-8")
    ends = [*_starts(part), len(encoded)]
    texts = [encoded[start:end].decode("utf-8") for start, end in pairwise(ends)]
    return [found[0].lower() if (found := re.match(r"\w+", t)) else t[:1] for t in texts]


def _starts(sql: str) -> list[int]:
    """Return where each token but comments begins, in bytes."""
    comment = duckdb.token_type.comment
    return [offset for offset, kind in duckdb.tokenize(sql) if kind != comment]


def _shown(part: str) -> str:
    text = " ".join(part.split())
    return text if len(text) <= 60 else text[:57] + "..."
