"""Export: a view or a query as a file, with a record of where every number came from beside it."""

import io
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from warehouse import settings
from warehouse.checksums import file_sha256
from warehouse.errors import AssayError, BadInput, known_names
from warehouse.kinds import unfit_file, unfit_folder
from warehouse.parameters import BadValue
from warehouse.reports import display
from warehouse.reports.display import Layout
from warehouse.reports.layouts.html import html_table
from warehouse.reports.layouts.latex import latex_table
from warehouse.reports.layouts.markdown import markdown_table
from warehouse.reports.query import query
from warehouse.reports.specs import SUFFIXES, ExportSpec
from warehouse.snapshot.query import QueryResult, Reader, only, opened, reading_statements
from warehouse.store.provenance import code_version, git_state, host_facts
from warehouse.values import CsvLines, csv_cell


@dataclass(frozen=True)
class ExportReport:
    """What was written."""

    path: str
    provenance: str
    view: str | None
    n_rows: int
    sha256: str
    dropped: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


def fit(spec: ExportSpec) -> None:
    """Raise BadValue for columns, a query or a file that no rows could make right."""
    if spec.sql is not None:
        try:
            only(reading_statements(spec.sql))
        except BadInput as error:
            raise BadValue("sql", str(error)) from error
    for reason in _misfits(spec.view, spec.columns) if spec.view is not None else ():
        raise BadValue(*reason)
    if spec.out is not None:
        try:
            require_replaceable(_target(spec.out, "x"))
        except BadInput as error:
            raise BadValue("out", str(error)) from error
        if not spec.out.parent.is_dir():
            raise BadValue("out", f"there is no folder {spec.out.parent}")


def _misfits(view: str, columns: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what a view lacks when all of them are built; tables of other schemas are not held."""
    from warehouse.views.describe import describe_views

    if "." in view.removeprefix("main."):
        return
    held = [each for each in describe_views() if each.schema == "main"]
    there = {name: each for each in held for name in (each.plain_name, each.name) if name}
    name = view.removeprefix("main.")
    if name not in there:
        yield "view", f"there is no view {name!r}{known_names(name, sorted(there))}"
        return
    known = [column.name for column in there[name].columns]
    for column in columns:
        if column not in known:
            yield "columns", f"no column {column!r}{known_names(column, known)}"


def export(spec: ExportSpec) -> ExportReport:
    """Write a view, or the result of one query, as csv, md, parquet, latex or html.

    Raises BadInput for names that are not there.
    """
    with folder_made(spec.out), opened(warehouse=spec.warehouse) as reader:
        pinned = resolve(reader, spec.view) if spec.view is not None else None
        look = display.presentation(pinned[1]) if pinned else None
        shown = look if spec.is_laid_out else None
        sql = _view_query(reader, pinned, look) if pinned else str(spec.sql)
        _check_columns(reader, sql, spec.columns)
        name = pinned[1] if pinned else "query"
        path = _target(spec.out, f"{name}.{SUFFIXES[spec.format]}")
        require_replaceable(path)
        kept: tuple[str, ...] = shown.columns if shown else tuple(spec.columns)
        dropped: tuple[str, ...] = ()
        if spec.drop_empty or (spec.drop_empty is None and spec.is_laid_out):
            kept, dropped = without_empty(reader, sql, kept)
        layout = Layout(
            columns=kept,
            groups=shown.groups if shown else (),
            intervals=spec.intervals,
            percent=spec.percent,
            decimals=spec.decimals,
            raw=spec.raw,
            title=f"Assay {code_version()}, {name}, see {path.name}.provenance.json",
        )
        return write(
            reader,
            sql,
            format=spec.format,
            path=path,
            layout=layout,
            view=spec.view,
            view_version=name if pinned else None,
            facts={"dropped": list(dropped)},
        )


def write(
    reader: Reader,
    sql: str,
    *,
    format: str,
    path: Path,
    layout: Layout,
    view: str | None = None,
    view_version: str | None = None,
    facts: Mapping[str, Any] = MappingProxyType({}),
) -> ExportReport:
    """Write one query's result as one file, and beside it the record, with ``facts`` added."""
    n_rows = WRITERS[format](reader, sql, layout, path)
    described = asdict(layout)
    del described["shown"]  # how each column looks follows from the query and this code
    return record(
        reader,
        path,
        {
            "format": format,
            "rows": n_rows,
            "view": view,
            "view_version": view_version,
            "query": sql,
            "reads": reader.named_in(sql),
            "layout": described,
            **facts,
        },
    )


def record(reader: Reader, path: Path, facts: Mapping[str, Any]) -> ExportReport:
    """Write beside a finished file where it came from: ``facts``, source, code and checksum."""
    sha256 = file_sha256(path)
    whole = {
        "file": path.name,
        "sha256": sha256,
        "bytes": path.stat().st_size,
        **facts,
        "datasets": _datasets(reader, str(facts["query"])),
        "source": _source(reader),
        "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "code_version": code_version(),
        **dict(zip(("git_commit", "git_dirty"), git_state(), strict=True)),
        "packages": host_facts()["packages"],
    }
    beside = sidecar(path)
    with replacing(beside) as temporary:
        temporary.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    return ExportReport(
        str(path),
        str(beside),
        facts.get("view_version"),
        int(facts["rows"]),
        sha256,
        tuple(facts.get("dropped", ())),
    )


def resolve(reader: Reader, name: str) -> tuple[str, str]:
    """Return schema and versioned name of a view or table; raises BadInput when there is none."""
    schema, _, bare = name.rpartition(".")
    schema = schema or "main"
    there = {(found_schema, found) for found_schema, found, _ in reader.tables()}
    if (schema, bare) not in there:
        known = sorted(found for found_schema, found in there if found_schema == "main")
        raise BadInput(f"no view named {display.text(name)!r}{known_names(bare, known)}")
    return schema, reader.versions().get(bare, bare) if schema == "main" else bare


def _view_query(reader: Reader, pinned: tuple[str, str], look: display.Presentation | None) -> str:
    present = _columns_of(reader, query("export/whole", name=pinned))
    order = [column for column in (look.order if look else ()) if column in present]
    return query("export/ordered", name=pinned, order=order)


def _columns_of(reader: Reader, sql: str) -> list[str]:
    return reader.one(sql, max_rows=0).columns


def _check_columns(reader: Reader, sql: str, columns: Sequence[str]) -> None:
    there = _columns_of(reader, sql)
    for column in columns:
        if column not in there:
            raise BadInput(f"no column {display.text(column)!r}{known_names(column, there)}")


def without_empty(
    reader: Reader, sql: str, columns: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return which columns of a result hold a value, and which hold none; without rows all stay."""
    there = _columns_of(reader, sql)
    filled = query("export/filled", rows=only(reading_statements(sql)))
    ((n_rows, *counts),) = reader.one(filled).rows
    chosen = tuple(column for column in columns if column in there) or tuple(there)
    if not n_rows:
        return chosen, ()
    empty = {column for column, count in zip(there, counts, strict=True) if not count}
    kept = tuple(column for column in chosen if column not in empty)
    return kept or chosen, tuple(c for c in chosen if c in empty) if kept else ()


def _write_csv(reader: Reader, sql: str, layout: Layout, path: Path) -> int:
    names, rows = reader.stream(sql)
    kept = [names.index(name) for name in layout.columns] or list(range(len(names)))
    n_rows = 0
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = CsvLines(file).writer
        writer.writerow([csv_cell(names[index], raw=layout.raw) for index in kept])
        for row in rows:
            writer.writerow([csv_cell(row[i], raw=layout.raw) for i in kept])
            n_rows += 1
    return n_rows


def _write_parquet(reader: Reader, sql: str, layout: Layout, path: Path) -> int:
    import pyarrow.parquet as pq

    table = reader.arrow(sql)
    if layout.columns:
        table = table.select(list(layout.columns))
    _require_parquet_types(table.schema)
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")
    return int(table.num_rows)


def _require_parquet_types(schema: Any) -> None:
    """Raise BadInput for a column whose type Parquet does not know."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for column in schema:
        try:
            pq.write_table(pa.schema([column]).empty_table(), io.BytesIO())
        except pa.ArrowNotImplementedError as error:
            name = display.text(column.name)
            raise BadInput(
                f"Parquet has no type for the column {name!r} ({column.type}): "
                f"cast it in the query, as in cast({name} as varchar)"
            ) from error


def _write_table(
    table: Callable[[QueryResult, Layout], str],
    reader: Reader,
    sql: str,
    layout: Layout,
    path: Path,
) -> int:
    """Write a result as the text of a table."""
    result = reader.one(sql)
    shown = layout.shown or display.columns(
        result, layout.columns or None, intervals=layout.intervals, decimals=layout.decimals
    )
    with replacing(path) as temporary:
        temporary.write_text(table(result, replace(layout, shown=tuple(shown))), encoding="utf-8")
    return len(result.rows)


WRITERS: dict[str, Callable[[Reader, str, Layout, Path], int]] = {
    "csv": _write_csv,
    "md": partial(_write_table, markdown_table),
    "parquet": _write_parquet,
    "latex": partial(_write_table, latex_table),
    "html": partial(_write_table, html_table),
}


def _source(reader: Reader) -> dict[str, Any]:
    """Return what the rows came from: the snapshot and its making, or the warehouse."""
    if reader.snapshot is None:
        return {"warehouse": str(settings.warehouse_path())}
    facts = ("snapshot_id", "created_at", "code_version", "git_commit", "git_dirty")
    manifest = reader.snapshot.manifest
    files = manifest["files"]
    return {name: manifest[name] for name in facts} | {
        "database_sha256": files[reader.snapshot.database.name]["sha256"]
    }


def _datasets(reader: Reader, sql: str) -> list[str]:
    """Return the datasets that a result names, to be cited; several in a cell are joined by +."""
    if _columns_of(reader, sql).count("dataset") != 1:
        return []
    named = query("export/datasets", rows=only(reading_statements(sql)))
    return sorted({name for (names,) in reader.one(named).rows for name in str(names).split("+")})


def _target(out: Path | None, name: str) -> Path:
    """Return where the file goes; a folder given as ``out`` gets the file under its own name."""
    if out is None:
        return folder_of_today() / name
    return out / name if out.is_dir() else out


def folder_of_today() -> Path:
    """Return where exports go that name no place."""
    return settings.export_dir() / f"{datetime.now(UTC):%Y-%m-%d}"


@contextmanager
def folder_made(out: Path | None) -> Iterator[None]:
    """Make the folder of today where no place is named; leave no empty one behind that is new."""
    folder = folder_of_today()
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    if out is None:
        folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        if out is None:
            with suppress(OSError):  # something is in it
                for each in (folder, *new[1:]):
                    each.rmdir()


def folder_for(out: Path | None, what: str) -> Path:
    """Return the folder of several files; raises BadInput where something else is there."""
    if out is not None and (reason := unfit_folder(out)):
        raise BadInput(f"{reason}; {what} go to a folder", path=out)
    return out or folder_of_today()


def require_replaceable(*paths: Path) -> None:
    """Raise BadInput where a file or its record would take the place of anything but a file."""
    for path in paths:
        for written in (path, sidecar(path)):
            if reason := unfit_file(written):
                raise BadInput(f"{reason}; name another with --out", path=written)


def sidecar(path: Path) -> Path:
    """Return the place of the record of an exported file."""
    return path.with_name(f"{path.name}.provenance.json")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside ``path`` and rename it into place when all is on disk.

    Where ``path`` is a symbolic link to a file, that file is replaced and the link stays. Raises
    BadInput where something else than a regular file is there.
    """
    if reason := unfit_file(path):
        raise BadInput(reason, path=path)
    named, path = path, path.resolve() if path.is_symlink() else path
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        if not path.parent.is_dir():
            reason = f"there is no folder {path.parent}"
        raise AssayError(f"{named}: cannot be written: {reason}") from error
    finally:
        with suppress(OSError):  # its folder is not one
            temporary.unlink()
