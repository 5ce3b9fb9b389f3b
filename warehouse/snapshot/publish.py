"""Publish: a read-only copy of the warehouse for readers, swapped in whole or not at all."""

import hashlib
import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import duckdb

from models.tables import TABLES
from warehouse import settings
from warehouse.errors import AssayError
from warehouse.facts.query import column_of, run
from warehouse.frames import name_of
from warehouse.parameters import KEPT, Spec
from warehouse.snapshot import snapshots
from warehouse.snapshot.database import write_database
from warehouse.snapshot.folders import (
    point_to,
    remove_old,
    seal,
    share,
    snapshot_folders,
    workplace,
)
from warehouse.snapshot.query import Row, message_of, plain_names
from warehouse.store import connection, copies, migrations
from warehouse.store.builds import is_built
from warehouse.store.provenance import code_version, git_state

FORMAT = 1

# Columns that hold whole programs, prompts or lists per token; a table of nothing else but keys
# stays away too, as do pairs of programs. They come along only when asked for.
TEXTS: dict[str, set[str]] = {
    "problem": {"prompt", "reference", "suffix", "setup_code", "test_code"},
    "test": {"body"},
    "variant": {"prompt"},
    "candidate": {"source"},
    "admission": {"outputs"},
    "gate_reject": {"row_json"},
    "calibration_fit": {"steps_x", "steps_y"},
    "claim_file": {"about"},
}
TEXT_TABLES = {
    *("generation_text", "token_logprob", "calibration_fold", "kfold_order", "candidate_feature"),
    *("pair_count_block", "pair_score_block", "claim_record"),
}
TEXT_VIEWS = {"calibration_pairs_v1", "claimed_pairs_v1"}


@dataclass(frozen=True)
class PublishReport:
    """What was published. ``fresh`` is False when the current snapshot is already this one.

    ``n_bytes_shared`` of its ``n_bytes`` are files that the snapshot before has too.
    """

    fresh: bool
    snapshot_id: str
    folder: str
    n_relations: int
    n_rows: int
    n_bytes: int
    n_bytes_shared: int
    seconds: float
    removed: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Relation:
    """One table of the snapshot, and the columns that it has in the warehouse with their types."""

    schema: str
    name: str
    columns: dict[str, str]

    @property
    def parquet(self) -> str:
        """The path of its Parquet file in the snapshot."""
        folder = "parquet" if self.schema == "main" else f"parquet/{self.schema}"
        return f"{folder}/{self.name}.parquet"


@dataclass(frozen=True)
class PublishSpec(Spec):
    """What a snapshot holds, and how many stay.

    Old snapshots stay until there are more than ``keep``; whoever has one open keeps it. ``force``
    publishes even where neither rows nor views changed.
    """

    with_texts: bool = False
    keep: Annotated[int, KEPT] = settings.KEPT_SNAPSHOTS
    force: bool = False


def publish(spec: PublishSpec) -> PublishReport:
    """Write a snapshot of the warehouse and make it the current one.

    The warehouse is held, for reading, only while its rows are copied to Parquet. Raises AssayError
    when the views are not those of the rows, and on a full disk; what was current then stays
    current.
    """
    started = time.monotonic()
    root = settings.snapshot_dir()
    with workplace(root) as work:
        manifest, macros = _copy_out(work, spec.with_texts, spec.force)
        if manifest is None:
            return _report(snapshots.current(), started)
        try:
            database = work / snapshots.DATABASE
            write_database(database, work, manifest, macros)
        except duckdb.Error as error:
            raise AssayError(f"{work}: {message_of(error)}") from error
        shared = sum(share(work, earlier) for earlier in snapshot_folders(root)[:1])
        seal(work, manifest)
        folder = root / manifest["snapshot_id"]
        work.rename(folder)
    point_to(folder)
    removed = remove_old(root, spec.keep)
    return _report(snapshots.Snapshot(folder, manifest), started, shared, removed, fresh=True)


def _copy_out(work: Path, with_texts: bool, force: bool) -> tuple[dict[str, Any] | None, list[Row]]:
    """Copy the relations to Parquet under one read lock; no manifest when nothing changed."""
    with connection.reading() as con:
        fingerprint = _fingerprint(con, with_texts)
        if not force and _is_current(fingerprint):
            return None, []
        versions, relations = _relations(con, with_texts)
        macros = run(con, "catalog/table_macros", {}).fetchall()
        tables: dict[str, dict[str, Any]] = {}
        try:
            for relation in relations:
                path = work / relation.parquet
                path.parent.mkdir(parents=True, exist_ok=True)
                ordered = relation.schema == "main"
                n_rows = copies.copy_to_parquet(
                    con, relation.schema, relation.name, relation.columns, path, ordered=ordered
                )
                tables[f"{relation.schema}.{relation.name}"] = {
                    "rows": n_rows,
                    "parquet": relation.parquet,
                }
        except duckdb.Error as error:
            raise AssayError(f"{work}: {message_of(error)}") from error
        schema_version = migrations.version(con)
    now = datetime.now(UTC)
    commit, dirty = git_state()
    manifest = {
        "format": FORMAT,
        "snapshot_id": f"{now:%Y%m%dT%H%M%SZ}-{fingerprint[:8]}{secrets.token_hex(2)}",
        "created_at": now.isoformat(timespec="seconds"),
        "code_version": code_version(),
        "git_commit": commit,
        "git_dirty": dirty,
        "schema_version": schema_version,
        "storage_version": copies.STORAGE_VERSION,
        "with_texts": with_texts,
        "fingerprint": fingerprint,
        "versions": versions,
        "tables": tables,
    }
    return manifest, macros


def _fingerprint(con: duckdb.DuckDBPyConnection, with_texts: bool) -> str:
    """Hash all that decides what a snapshot holds; refuses views that are not of these rows."""
    from warehouse.views.build import fingerprint

    state = fingerprint(con)
    if not is_built(con, state):
        raise AssayError("the views are not built, or older than the rows: run `assay build`")
    parts = json.dumps([state, with_texts, FORMAT, code_version()])
    return hashlib.sha256(parts.encode()).hexdigest()


def _is_current(fingerprint: str) -> bool:
    try:
        return bool(snapshots.current().manifest["fingerprint"] == fingerprint)
    except AssayError:
        return False


def _report(
    snapshot: snapshots.Snapshot,
    started: float,
    shared: int = 0,
    removed: Sequence[str] = (),
    *,
    fresh: bool = False,
) -> PublishReport:
    tables, files = snapshot.manifest["tables"], snapshot.manifest["files"]
    return PublishReport(
        fresh=fresh,
        snapshot_id=snapshot.snapshot_id,
        folder=str(snapshot.folder),
        n_relations=len(tables),
        n_rows=sum(entry["rows"] for entry in tables.values()),
        n_bytes=sum(entry["bytes"] for entry in files.values()),
        n_bytes_shared=shared,
        seconds=time.monotonic() - started,
        removed=list(removed),
    )


def _relations(
    con: duckdb.DuckDBPyConnection, with_texts: bool
) -> tuple[dict[str, str], list[Relation]]:
    """Return plain names with their versions, and everything that becomes a table."""
    versions = plain_names(con)
    types: dict[tuple[str, str], dict[str, str]] = {}
    for schema, table, column, kind in run(con, "catalog/column_types", {}).fetchall():
        types.setdefault((schema, table), {})[column] = kind
    away = set() if with_texts else TEXT_VIEWS
    relations = [
        Relation("main", name, types["main", name])
        for name in column_of(con, "catalog/main_tables")
        if name not in versions and name not in away
    ]
    for table in TABLES:
        name = name_of(table)
        if with_texts or name not in TEXT_TABLES:
            left_out = set() if with_texts else TEXTS.get(name, set())
            kept = {
                column: kind
                for column, kind in types["raw", name].items()
                if column not in left_out
            }
            relations.append(Relation("raw", name, kept))
    return {name: view for name, view in versions.items() if view not in away}, relations
