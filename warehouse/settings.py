"""The folders: ``ASSAY_HOME`` holds everything written, ``ASSAY_DATA`` is searched for data."""

import os
from contextlib import suppress
from pathlib import Path

from warehouse.errors import BadInput
from warehouse.kinds import unfit_folder

PROJECT_FILE = "assay.toml"
"""What makes a folder a project folder: the home of all that is run below it."""

KEPT_SNAPSHOTS = 7
"""Newest snapshots that `assay publish` and `assay gc` keep unless another number is given."""


def home() -> Path:
    """Return the absolute folder that holds the warehouse and all it makes.

    Raises BadInput where no folder is nor can be made.
    """
    folder = named_home()
    if reason := unfit_folder(folder):
        raise BadInput(f"{reason}: choose another home with --home or ASSAY_HOME", path=folder)
    return folder


def named_home(named: str | None = None) -> Path:
    """Return the absolute path of the home, whatever is there.

    By default it is what ASSAY_HOME names, else the project in or above the working directory.
    """
    named = named or os.environ.get("ASSAY_HOME") or _project() or "~/.assay"
    try:
        return Path(named).expanduser().absolute()
    except RuntimeError as error:
        raise BadInput("there is no such user: name another home", path=named) from error


def _project() -> str:
    """Return the project folder in or above the working directory; empty where there is none."""
    with suppress(FileNotFoundError):  # the working directory was removed
        here = Path.cwd()
        for folder in (here, *here.parents):
            if (folder / PROJECT_FILE).is_file():
                return str(folder)
    return ""


def warehouse_path() -> Path:
    """Return the path of the DuckDB file."""
    return home() / "warehouse.duckdb"


def own_views_dir() -> Path | None:
    """Return the folder of the user's views; None where the home is no project folder."""
    folder = named_home()
    return folder / "views" if (folder / PROJECT_FILE).is_file() else None


def spool_dir() -> Path:
    """Return the folder where long work leaves Parquet shards until they are appended."""
    return home() / "spool"


def snapshot_dir() -> Path:
    """Return the folder of published snapshots; ``current`` points at the newest."""
    return home() / "snapshots"


def export_dir() -> Path:
    """Return the folder of dated exports."""
    return home() / "exports"


def data_dir() -> Path | None:
    """Return the folder in which datasets are looked for, if ``ASSAY_DATA`` names one."""
    named = os.environ.get("ASSAY_DATA")
    return Path(named).expanduser().absolute() if named else None


def cache_dir() -> Path:
    """Return the folder of downloads and of dbt's own files."""
    return home() / "cache"
