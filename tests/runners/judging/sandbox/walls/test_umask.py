"""A user's own umask changes neither what programs can read nor the files that they write."""

import os

import pytest

from models.words import PASSED, SAFE_LEVELS
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Job, Limits, Suite
from runners.judging.sandbox.walls.probe import try_level

PROGRAM = """
import os
import sqlite3


def mask():
    return os.umask(0)
"""


@pytest.mark.parametrize("level", SAFE_LEVELS)
def test_programs_have_one_umask(level: str) -> None:
    if not try_level(level)["contains"]:
        pytest.skip(f"{level} does not hold here")
    suite = Suite("mask", "mask", "", "assert mask() == 0o022", (), None, "exact", 0.0)
    job = Job("1", PROGRAM, suite, Limits(cpu_s=5, wall_s=30), "split")
    before = os.umask(0o077)
    try:
        with Pool(workers=1, isolation=level) as pool:
            (found,) = pool.run([job])
    finally:
        os.umask(before)
    assert (found.verdict, found.message) == (PASSED, None)
