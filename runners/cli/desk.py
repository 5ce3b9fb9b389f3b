"""The process that answers the queries of ``assay sql`` with an open reader."""

from collections.abc import Callable

from runners.cli import show
from runners.cli.confined import Clock, Reply, Request
from warehouse.errors import BadInput
from warehouse.snapshot.query import (
    OutOfMemory,
    QueryResult,
    Reader,
    only,
    opened,
    reading_statements,
)

PRINTERS: dict[str, Callable[[QueryResult], None]] = {
    "table": show.print_table,
    "line": show.print_records,
    "json": show.print_json,
}


class Desk:
    """Answers requests by printing; only the time in which the database works counts."""

    def __init__(
        self, clock: Clock, *, warehouse: bool, memory_mb: int, threads: int, max_rows: int | None
    ):
        # open until the process ends
        self._open = opened(warehouse=warehouse, memory_mb=memory_mb, threads=threads)
        self._reader: Reader = self._open.__enter__()
        self._clock = clock
        self._max_rows = max_rows

    def answer(self, request: Request) -> Reply:
        """Do what ``request["do"]`` names."""
        ways: dict[str, Callable[..., Reply]] = {
            "hello": self._hello,
            "sql": self._sql,
            "tables": self._tables,
            "schema": self._schema,
        }
        try:
            return ways[request.pop("do")](**request)
        except OutOfMemory as error:
            raise MemoryError from error

    def _hello(self) -> Reply:
        snapshot = self._reader.snapshot
        return {"snapshot": snapshot.snapshot_id if snapshot else None}

    def _sql(self, text: str, mode: str, raw: bool = False, one: bool = False) -> Reply:
        bounded = None if mode == "json" else self._max_rows
        statements = reading_statements(text)
        for statement in [only(statements)] if one else statements:
            if mode == "csv":
                self._stream(statement, raw)
                continue
            with self._clock.running():
                result = self._reader.one(statement, max_rows=bounded)
            PRINTERS[mode](result)
        return {}

    def _stream(self, statement: str, raw: bool) -> None:
        with self._clock.running():
            columns, batches = self._reader.batches(statement)
        printed = show.CsvPrinter(columns, raw=raw)
        while True:
            with self._clock.running():
                rows = next(batches, None)
            if rows is None:
                return
            printed.rows(rows)

    def _tables(self) -> Reply:
        rows = [tuple(row) for row in self._reader.tables()]
        show.print_table(QueryResult(["schema", "name", "kind"], ["VARCHAR"] * 3, rows))
        return {}

    def _schema(self, name: str) -> Reply:
        found = self._reader.columns(name)
        if not found.rows:
            raise BadInput(f"no table or view named {name or '(nothing)'}: see .tables")
        show.print_table(found)
        return {}
