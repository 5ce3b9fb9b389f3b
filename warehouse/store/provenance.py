"""Facts about this code and this machine, stored with every run."""

import hashlib
import json
import os
import platform
import subprocess
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

PACKAGES = ("duckdb", "dbt-core", "dbt-duckdb", "pandas", "numpy", "pyarrow", "scikit-learn")
ROOMS = ("models", "warehouse", "ingest", "runners")
SOURCES = {".py", ".sql", ".yml", ".csv", ".txt"}
NOT_SOURCES = {"__pycache__", "_dbt_project", "_configs", "target", "logs"}


@cache
def code_version() -> str:
    """Return the version of Assay; where no commit says what the code is, with its hash."""
    version = metadata.version("assay")
    commit, _ = git_state()
    return version if commit else f"{version}+source.{source_sha256()[:16]}"


@cache
def source_sha256() -> str:
    """Return the SHA-256 over the names and contents of all code, SQL included.

    An installed Assay has the one of the tree that it was built from.
    """
    root = Path(__file__).resolve().parents[2]
    inside = root / "warehouse" / "_dbt_project"
    dbt = inside if inside.exists() else root / "dbt"
    found: dict[str, Path] = {}
    for name, folder in [(room, root / room) for room in ROOMS] + [("dbt", dbt)]:
        for path in folder.rglob("*"):
            below = path.relative_to(folder)
            if path.suffix in SOURCES and not NOT_SOURCES & {*below.parts} and path.is_file():
                found[f"{name}/{below.as_posix()}"] = path
    digest = hashlib.sha256()
    for name, path in sorted(found.items()):
        digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


@cache
def git_state() -> tuple[str | None, bool | None]:
    """Return commit and dirty flag of the checkout this code runs from; NULLs outside one."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return None, None
    commit = _git(root, "rev-parse", "HEAD")
    status = _git(root, "status", "--porcelain")
    return commit, None if status is None else bool(status)


def host_facts() -> dict[str, object]:
    """Return what may explain a number: system, processor, Python and package versions."""
    return {
        "system": platform.platform(),
        "machine": platform.machine(),
        "cpus": len(os.sched_getaffinity(0)),
        "python": sys.version.split()[0],
        "packages": {name: metadata.version(name) for name in PACKAGES},
    }


def host_json() -> str:
    """Return host_facts as JSON."""
    return json.dumps(host_facts(), sort_keys=True)


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
