"""A world of calibration with its fitted curves and its views, in a separate home."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from tests.support.steps import build, calibrate
from tests.support.worlds.calibration.subjects import CalibrationWorld
from warehouse.store.connection import reading


@contextmanager
def calibrated(world: CalibrationWorld, home: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Write a world, fit its curves and build its views; yield a connection that reads them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        world.write(home / "warehouse.duckdb")
        calibrate(seeds=2, replicates=50, workers=1, progress=False)
        build()
        with reading() as con:
            yield con
