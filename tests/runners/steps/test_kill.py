"""kill -9 at random points of a nightly, then resume: the rows of an undisturbed run."""

import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from ingest.datasets.starter import FOLDER
from tests.support.commands import started
from tests.support.sql import rows
from warehouse.store.spool import leftovers

N_PROBLEMS = 12
CONFIG = """
[[ingest]]
name = "starter"
path = "problems"
unpinned = true  # twelve of the 48 problems

[[generate]]
backend = "planted"
lm = "planted-a"
dataset = "starter"
n = 8
options = { pass_rate = 0.6, n_styles = 10, seed = 1 }

[[generate]]
backend = "planted"
lm = "planted-b"
dataset = "starter"
n = 8
options = { pass_rate = 0.3, n_styles = 10, seed = 2 }

[calibrate]
seeds = 2
replicates = 40
"""
# What a night is for: everything but run keys, times and what was measured on the way.
FACTS = {
    "problem": "problem_id, tests_key",
    "test": "test_id, body",
    "variant": "variant_id",
    "language_model": "lm_id, planted",
    "setting": "setting_id",
    "generation": "generation_id, text_key, sample_index",
    "generation_text": "generation_id, kept_text",
    "token_logprob": "generation_id, logprobs",
    "candidate": "candidate_id, parses",
    "admission": "problem_id, policy, mode",
    "program": "program_id, candidate_id",
    "evaluation": "evaluation_id, generation_id",
    "outcome": "program_id, attempt, verdict, n_tests, n_passed, integrity",
    "test_outcome": "program_id, attempt, test_index, status",
    "facts.pair_counted": "measure, candidate_a, candidate_b, n_shared",
}


def start(config: Path) -> subprocess.Popen[str]:
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "start_new_session": True}
    return started("nightly", "--config", str(config), **how)


def facts() -> dict[str, list[tuple[Any, ...]]]:
    return {
        table: rows(
            f"select {columns} from {table if '.' in table else f'raw.{table}'} order by all"
        )
        for table, columns in FACTS.items()
    }


@pytest.mark.parametrize(
    "n_kills",
    [
        pytest.param(3, marks=pytest.mark.long(seconds=60)),
        pytest.param(50, marks=pytest.mark.slow),
    ],
)
def test_killed_then_resumed_equals_undisturbed(
    n_kills: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "problems").mkdir()
    for file in sorted(FOLDER.glob("*.py"))[:N_PROBLEMS]:
        shutil.copy(file, tmp_path / "problems")
    config = tmp_path / "night.toml"
    config.write_text(CONFIG)

    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "undisturbed"))
    began = time.monotonic()
    finish(config)
    took = time.monotonic() - began
    expected = facts()
    assert len(expected["generation"]) == 2 * 8 * N_PROBLEMS

    chance = random.Random(20)
    disturbed = tmp_path / "disturbed"
    monkeypatch.setenv("ASSAY_HOME", str(disturbed))
    kills = nights = 0
    while kills < n_kills:
        night = start(config)
        try:
            # four in five come early: what precedes the views is resumed where it stopped
            latest = 0.6 * took if kills % 5 == 4 else 3.0
            night.communicate(timeout=chance.uniform(0.3, latest))
        except subprocess.TimeoutExpired:
            os.kill(night.pid, signal.SIGKILL)
            night.communicate()
            kills += 1
        else:
            assert facts() == expected, f"night {nights}, after {kills} kills"
            shutil.rmtree(disturbed)
            nights += 1
    finish(config)
    assert leftovers() == 0
    found = facts()
    for table in FACTS:
        assert found[table] == expected[table], table


def finish(config: Path) -> None:
    night = start(config)
    output, _ = night.communicate()
    assert night.returncode == 0, output
