"""The engine of the SQL page of a site, fetched once."""

import tempfile
from pathlib import Path

from runners.judging.environments.locks import Lock, fetched
from warehouse import settings
from warehouse.reports.site import sql_engine


def fetch_sql_engine() -> None:
    """Fetch the engine with pip unless the cache has it.

    Raises AssayError where it is out of reach or not the one that is pinned.
    """
    if sql_engine.is_kept():
        return
    settings.cache_dir().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=settings.cache_dir()) as folder:
        (wheel,) = fetched(Lock(sql_engine.WHEEL), Path(folder) / "wheels")
        sql_engine.keep_engine(wheel)
