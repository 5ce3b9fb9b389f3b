"""What this machine offers, found by trying."""

import csv
import os
import shutil
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from ingest.claims import CLAIM_FORMATS
from ingest.datasets import DATASETS
from ingest.imports import FORMATS
from ingest.mutations import MUTATIONS
from runners.drawing.backends import BACKENDS
from runners.judging.languages import OTHER_LANGUAGES
from runners.measuring.pairs import PAIR_MEASURES
from runners.tasks import TASKS
from warehouse import settings
from warehouse.checksums import file_sha256
from warehouse.errors import AssayError, Locked
from warehouse.plugins import BadPlugin
from warehouse.store import connection, migrations

MEANINGS = {
    "ns+seccomp": "programs in separate namespaces under separate user ids, system calls filtered",
    "ns1+seccomp": "programs in separate namespaces, system calls filtered",
    "seccomp+landlock": "system calls filtered and files out of reach, without namespaces",
}

NOT_HERE = "not here: ingest downloads it"

EXTENSIBLE = (
    *(DATASETS, FORMATS, CLAIM_FORMATS, BACKENDS),
    *(MUTATIONS, TASKS, PAIR_MEASURES),
)
"""The registries that plug-ins add to."""

PACKAGES = ("assay", "duckdb", "dbt-core", "dbt-duckdb", "great-expectations", "pyarrow")


def examine(data: Path | None) -> dict[str, Any]:
    """Return isolation, versions, home, warehouse, data, languages, plug-ins, as JSON values."""
    return {
        "isolation": _isolation(),
        "versions": _versions(),
        "home": _home(),
        "warehouse": _warehouse(),
        "data": _data(data),
        "languages": _languages(),
        "plugins": _plugins(),
    }


def _isolation() -> dict[str, Any]:
    from runners.judging.sandbox.walls.probe import probe

    found = probe()
    return {**found, "meaning": MEANINGS.get(found["best"] or "")}


def _versions() -> dict[str, str]:
    return {"python": sys.version.split()[0]} | {name: metadata.version(name) for name in PACKAGES}


def _languages() -> list[dict[str, Any]]:
    """Return for each language but Python its tools, or what to install for it."""
    found = []
    for name, language in OTHER_LANGUAGES.load_all(OTHER_LANGUAGES):
        absent = language.absent()
        paths = ", ".join(str(tool.path()) for tool in language.tools)
        found.append({"language": name, "ready": absent is None, "state": absent or paths})
    return found


def _plugins() -> list[dict[str, str]]:
    """Import every plug-in; return what became of each."""
    found = []
    for registry in EXTENSIBLE:
        for name in registry.plugins:
            state = "ready"
            try:
                registry.load(name)
            except BadPlugin as error:
                state = str(error)
            found.append({"plugin": name, "kind": registry.noun, "state": state})
        for plugin in registry.crowded_out:
            state = f"{plugin} is left out: the name is taken"
            found.append({"plugin": plugin.name, "kind": registry.noun, "state": state})
    return found


def _home() -> dict[str, Any]:
    home = settings.home()
    reason = None
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=home):
            pass
    except OSError as error:
        reason = error.strerror or str(error)
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(there).free
    return {
        "path": str(home),
        "writable": reason is None,
        "reason": reason,
        "free_gb": round(free / 1e9, 1),
    }


def _warehouse() -> dict[str, Any]:
    path = settings.warehouse_path()
    known: dict[str, Any] = {"path": str(path), "schema_version": None, "locked": False}
    if not path.exists():
        return known | {"state": "none yet: `assay ingest starter` begins one"}
    try:
        with connection.reading(wait_s=0) as con:
            version = migrations.version(con)
    except Locked as error:
        return known | {"locked": True, "state": str(error).removeprefix(str(path)).lstrip(": ")}
    except AssayError as error:
        return known | {"state": str(error).removeprefix(str(path)).lstrip(": ")}
    size = path.stat().st_size / 1e6
    return known | {"schema_version": version, "state": f"schema {version}, {size:.1f} MB, free"}


def _data(folder: Path | None) -> dict[str, Any]:
    """Look for the datasets' files by checksum, whatever they are called."""
    if folder is None:
        return {"folder": None, "state": "not named", "datasets": []}
    folder = folder.expanduser().absolute()
    if not folder.is_dir():
        return {"folder": str(folder), "state": "no such folder", "datasets": []}
    sums = {
        path.relative_to(folder).as_posix(): file_sha256(path)
        for root, _, names in os.walk(folder)
        for path in (Path(root) / name for name in sorted(names))
        if path.is_file()
    }
    where = {checksum: name for name, checksum in sums.items()}
    datasets = []
    for name, dataset in DATASETS.load_all(DATASETS):
        source = dataset.source
        files = [where.get(sha256) for _, sha256 in dataset.parts]
        if files:
            state = f"{len(files)} files, checksums right" if all(files) else NOT_HERE
            datasets.append({"dataset": name, "file": files[0], "state": state})
        elif source.local:
            state = f"ingest takes --path: {source.local}"
            datasets.append({"dataset": name, "file": None, "state": state})
        elif source.sha256 is not None:
            file = where.get(source.sha256)
            state = f"{file}, checksum right" if file else NOT_HERE
            datasets.append({"dataset": name, "file": file, "state": state})
        else:
            datasets.append({"dataset": name, "file": None, "state": "comes with Assay"})
    return {
        "folder": str(folder),
        "state": f"{len(sums)} files{_manifest(folder, sums)}",
        "datasets": datasets,
    }


def _manifest(folder: Path, sums: dict[str, str]) -> str:
    """Say how the files compare with the folder's own MANIFEST.csv, if it has one."""
    path = folder / "MANIFEST.csv"
    if not path.is_file():
        return ", no MANIFEST.csv"
    with path.open(encoding="utf-8", newline="") as file:
        wanted = {row["file"]: row["sha256"] for row in csv.DictReader(file)}
    wrong = sorted(name for name, checksum in wanted.items() if sums.get(name) != checksum)
    if wrong:
        return f", {len(wrong)} missing or unlike MANIFEST.csv: {', '.join(wrong[:3])}"
    return f", all {len(wanted)} in MANIFEST.csv with the right checksum"
