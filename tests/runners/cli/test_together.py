"""Two processes at once: one works, the other says who; ``status`` shows how far it is."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from runners.cli.main import run
from tests.loopback.answers import Behaviour
from tests.loopback.server import serving
from tests.support.commands import started

pytestmark = pytest.mark.long(seconds=20)

GENERATE = ["generate", "--backend", "openai", "--lm", "tiny", "--dataset", "starter", "-n", "2"]


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@contextmanager
def in_background(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = started(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def await_lock(home: Path, name: str) -> None:
    deadline = time.monotonic() + 60
    while not [path for path in home.glob(f"locks/{name}*.lock") if path.stat().st_size]:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_same_answers_are_not_paid_for_twice_and_status_shows_how_far_it_is(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ingest", "starter"]) == 0
    with serving(delay_s=0.02) as server:
        where = ["--max-tokens", "40", "-o", f"base_url={server.base_url}", "-o", "concurrency=1"]
        where += ["-o", "give_up_after_s=3600", "-o", "timeout_s=3600"]
        with in_background(*GENERATE, *where) as first:
            await_lock(home, "generate-")
            while server.samples() < 20:
                assert first.poll() is None
                time.sleep(0.01)
            server.behaviour = Behaviour(delay_s=3600)  # one request is under way for long
            time.sleep(1.5)  # the file for status is written every second
            capsys.readouterr()
            assert run([*GENERATE, *where]) == 4
            shown = capsys.readouterr().err
            assert shown.startswith("error: generate tiny on starter is under way already: ")
            assert f"process {first.pid} since " in shown
            assert "(assay generate --backend openai" in shown
            assert shown.count("\n") == 1
            found = told(capsys, "status")
            (step,) = found["under_way"]
            assert (step["label"], step["pid"]) == ("generate tiny on starter", first.pid)
            assert 0 < step["done"] < step["total"] == 96
            assert found["pending"]["spooled_shards"] == 0, "a living run's are no leftovers"
            assert run(["status"]) == 0
            page = capsys.readouterr().out
            assert "generate tiny on starter: " in page
            assert f"process {first.pid}" in page
            other = [*GENERATE, *where, "--temperature", "0.5"]
            server.behaviour = Behaviour()
            assert run(other) == 0, "other answers may be drawn meanwhile"
    capsys.readouterr()
    assert told(capsys, "status")["under_way"] == [], "a killed process is not under way"


def test_programs_are_run_by_one_process_at_a_time(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ingest", "starter"]) == 0
    draw = ["generate", "--backend", "planted", "--lm", "coin", "--dataset", "starter"]
    assert run([*draw, "-n", "2", "-o", "pass_rate=0.5"]) == 0
    capsys.readouterr()
    assert run(["similarity", "--no-progress"]) == 0
    assert capsys.readouterr().out == "similarity: nothing was pending\nnext: assay execute\n"
    with in_background("execute", "--no-progress") as first:
        await_lock(home, "execute")
        capsys.readouterr()
        assert run(["execute"]) == 4
        shown = capsys.readouterr().err
        assert f"a run of programs is under way already: process {first.pid} since " in shown
        assert "what to do" not in shown
        assert "stop it with Ctrl-C there; what it did is kept" in shown
        assert run(["mutate", "starter"]) == 4
        assert "error: a run of programs is under way already" in capsys.readouterr().err
        first.kill()
        first.wait()
    assert run(["execute"]) == 0, "the lock died with its holder"
    assert "next: assay build" in capsys.readouterr().out
    found = told(capsys, "status")
    assert found["generations"][0]["n_pending"] == 0
    not_built = "the views are not built yet: `assay build`"
    assert found["to_do"] == [not_built]
    for step in ("execute", "similarity", "similarity"):
        assert run([step, "--no-progress"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("execute: nothing was pending\nnext: assay build\nsimilarity: pairs")
    assert shown.endswith("\nsimilarity: nothing was pending\nnext: assay build\n")


def test_reflections_are_counted_apart_and_sizes_are_shown(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ingest", "starter"]) == 0
    options = ["--backend", "planted", "--lm", "coin", "-o", "pass_rate=0.5"]
    assert run(["generate", *options, "--dataset", "starter", "-n", "1"]) == 0
    assert run(["reflect", *options, "--template", "ask_tf_v1"]) == 0
    capsys.readouterr()
    found = told(capsys, "status")
    (row,) = found["generations"]
    assert (row["n_generations"], row["n_reflections"]) == (48, 48)
    assert found["disk"]["warehouse"] > 100_000
    assert run(["status"]) == 0
    shown = capsys.readouterr().out
    assert "on disk\n  warehouse " in shown
    assert " MB" in shown


def test_a_dead_process_s_file_is_no_progress(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ingest", "starter"]) == 0
    left = home / "running" / f"{os.getpid()}-1.json"
    left.parent.mkdir(exist_ok=True)
    left.write_text(
        json.dumps(
            {"label": "execute", "total": 9, "done": 1, "pid": 1, "started_at": "2026-01-01T00:00"}
        )
    )
    capsys.readouterr()
    assert told(capsys, "status")["under_way"] == []
