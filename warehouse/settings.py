"""The folders: ``ASSAY_HOME`` holds everything written, ``ASSAY_DATA`` is searched for data."""

import os
from pathlib import Path

from warehouse.errors import BadInput
from warehouse.kinds import unfit_folder

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
    """Return the absolute path of the home, by default what ASSAY_HOME names, whatever is there."""
    named = named or os.environ.get("ASSAY_HOME") or "~/.assay"
    try:
        return Path(named).expanduser().absolute()
    except RuntimeError as error:
        raise BadInput("there is no such user: name another home", path=named) from error


def warehouse_path() -> Path:
    """Return the path of the DuckDB file."""
    return home() / "warehouse.duckdb"


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
