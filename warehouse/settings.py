"""Where everything lives: ``ASSAY_HOME``; and where data may be found: ``ASSAY_DATA``."""

import os
from pathlib import Path

KEPT_SNAPSHOTS = 7
"""Newest snapshots that `assay publish` and `assay gc` keep unless another number is given."""


def home() -> Path:
    """Return the absolute folder that holds the warehouse and all it makes."""
    return Path(os.environ.get("ASSAY_HOME") or Path.home() / ".assay").expanduser().absolute()


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
