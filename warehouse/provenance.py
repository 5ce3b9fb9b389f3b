"""Facts about this code and this machine, stored with every run."""

import json
import os
import platform
import subprocess
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

PACKAGES = ("duckdb", "dbt-core", "dbt-duckdb", "pandas", "numpy", "pyarrow", "scikit-learn")


def code_version() -> str:
    """Return the installed version of Assay."""
    return metadata.version("assay")


@cache
def git_state() -> tuple[str | None, bool | None]:
    """Return commit and dirty flag of the checkout this code runs from; NULLs outside one."""
    root = Path(__file__).resolve().parent.parent
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
