"""Columns that grow row by row and turn into Arrow in pieces, so a million rows stay small."""

from typing import Any

import pyarrow as pa

from models.base import Row
from warehouse.frames import schema_of

ROWS_PER_PIECE = 16_384
CHARACTERS_PER_PIECE = 64_000_000


class Batches:
    """The rows of one table, given as tuples in the order of its columns without ``run_id``."""

    def __init__(self, table: type[Row]):
        schema = schema_of(table)
        self.schema = pa.schema([field.with_nullable(True) for field in schema])
        self._fields = [field for field in self.schema if field.name != "run_id"]
        self._rows: list[tuple[Any, ...]] = []
        self._n_characters = 0
        self._pieces: list[pa.RecordBatch] = []

    def add(self, *values: Any, n_characters: int = 0) -> None:
        """Add one row; ``n_characters`` is roughly the length of its texts."""
        self._rows.append(values)
        self._n_characters += n_characters
        if len(self._rows) >= ROWS_PER_PIECE or self._n_characters >= CHARACTERS_PER_PIECE:
            self._flush()

    def table(self, run_id: str) -> pa.Table:
        """Return all rows, with the run's key in its column."""
        self._flush()
        named = pa.schema(self._fields)
        rows = pa.Table.from_batches(self._pieces, schema=named)
        column = pa.chunked_array(
            [pa.array([run_id] * piece.num_rows, type=pa.string()) for piece in self._pieces],
            type=pa.string(),
        )
        return rows.append_column("run_id", column).select(self.schema.names)

    def _flush(self) -> None:
        if not self._rows:
            return
        columns = [
            pa.array(values, type=field.type, from_pandas=False)
            for values, field in zip(zip(*self._rows, strict=True), self._fields, strict=True)
        ]
        self._pieces.append(pa.RecordBatch.from_arrays(columns, schema=pa.schema(self._fields)))
        self._rows = []
        self._n_characters = 0
