"""Rows of a table in a file: JSON Lines, JSON, CSV or Parquet, each with its place in the file."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ingest.fields import Fields
from ingest.files import MAX_TEXT_FILE_BYTES, json_document, json_lines, kind_of, opened
from warehouse.errors import BadInput

ENDINGS = (".jsonl", ".jsonl.gz", ".json", ".json.gz", ".csv", ".csv.gz", ".parquet")
"""How the names of files end that hold rows."""


def table_rows(path: Path, *, below: Path | None = None) -> Iterator[Fields]:
    """Yield each row of a file, numbered by the line on which it begins; in Parquet, by its place.

    A cell of CSV that is empty is absent. Raises BadInput for a file of another kind.
    """
    name = path.name.removesuffix(".gz")
    if name.endswith(".jsonl"):
        found: Iterator[tuple[int, dict[str, Any]]] = json_lines(path, below=below)
    elif name.endswith(".json"):
        found = _json_list(path)
    elif name.endswith(".csv"):
        found = _csv(path, below)
    elif name.endswith(".parquet"):
        found = parquet_rows(path, below=below)
    else:
        raise BadInput(f"the name ends with none of {', '.join(ENDINGS)}", path=path)
    for row, values in found:
        yield Fields(values, path, row)


def parquet_rows(
    path: Path, *, below: Path | None = None, names: Sequence[str] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (row from 1, object) for each row of a Parquet file; of some columns, or of all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with opened(path, below=below, unpack=False) as raw, pq.ParquetFile(raw) as file:
            known = file.schema_arrow.names
            present = known if names is None else [name for name in names if name in known]
            number = 0
            for batch in file.iter_batches(batch_size=16, columns=present):
                for values in batch.to_pylist():
                    number += 1
                    yield number, values
    except (pa.ArrowException, OSError) as error:
        reason = " ".join(str(error).split())[:200]
        raise BadInput(f"no Parquet file we can read: {reason}", path=path) from error


def _json_list(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    rows = json_document(path)
    if not isinstance(rows, list):
        raise BadInput(f"expected a list of objects, found {kind_of(rows)}", path=path)
    for number, values in enumerate(rows, 1):
        if not isinstance(values, dict):
            raise BadInput(f"expected an object, found {kind_of(values)}", path=path, row=number)
        yield number, values


def _csv(path: Path, below: Path | None) -> Iterator[tuple[int, dict[str, Any]]]:
    csv.field_size_limit(MAX_TEXT_FILE_BYTES)
    with opened(path, below=below, limit=MAX_TEXT_FILE_BYTES) as file:
        reader = csv.reader(io.TextIOWrapper(file, "utf-8-sig", newline=""), strict=True)
        line = 1
        try:
            heads = next(reader, None)
            if heads is None:
                raise BadInput("the file is empty", path=path)
            if len(set(heads)) < len(heads):
                raise BadInput("two columns have one name", path=path, row=1)
            line = reader.line_num + 1
            for cells in reader:
                if cells and len(cells) != len(heads):
                    reason = f"{len(cells)} cells below {len(heads)} columns"
                    raise BadInput(reason, path=path, row=line)
                if cells:
                    pairs = zip(heads, cells, strict=True)
                    yield line, {name: cell for name, cell in pairs if cell}
                line = reader.line_num + 1
        except csv.Error as error:
            raise BadInput(f"not CSV: {error}", path=path, row=line) from error
        except UnicodeDecodeError as error:
            raise BadInput(f"not UTF-8: {error.reason}", path=path, row=line) from error
