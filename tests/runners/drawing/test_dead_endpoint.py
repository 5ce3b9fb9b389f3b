"""A server that dies, hangs or is not there: the run shows progress, ends soon, and continues."""

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from runners import progress
from runners.cli.main import run
from runners.drawing.backends.limits import Breaker
from tests.loopback.answers import Behaviour
from tests.loopback.server import Loopback, serving
from tests.support.commands import started
from tests.support.sql import n_rows

pytestmark = pytest.mark.long(seconds=40)

N = 48 * 4
GENERATE = [
    *("generate", "--backend", "openai", "--lm", "tiny", "--dataset", "starter", "-n", "4"),
    *("--temperature", "0.8", "--max-tokens", "40", "-o", "n_per_call=1", "-o", "concurrency=4"),
]


@pytest.fixture(autouse=True)
def starter(home: Path, ingested: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ingested, home)
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0.2)


@contextmanager
def turning(server: Loopback, into: Behaviour, after: int) -> Iterator[None]:
    """Let the server behave otherwise once it has served so many samples."""

    def work() -> None:
        while server.samples() < after:
            time.sleep(0.002)
        server.behaviour = into

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    yield
    thread.join()


WAYS = {
    "hangs": (Behaviour(delay_s=3600), "no answer from http://127.0.0.1:"),
    "is down": (Behaviour(down=True), "503: down for maintenance"),
    "cuts": (Behaviour(faults=1.0, hang_s=3600), "for 1.5 s (give_up_after_s)"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_server_that_dies_half_way_ends_the_run_and_the_next_goes_on(
    way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    dead, reason = WAYS[way]
    with serving(delay_s=0.01) as server:
        command = [*GENERATE, "-o", f"base_url={server.base_url}", "-o", "give_up_after_s=1.5"]
        with turning(server, dead, after=60):
            began = time.monotonic()
            assert run(command) == 1
        assert time.monotonic() - began < 200, "the deadline of a request is 900 s"
        shown = capsys.readouterr()
        *lines, last = shown.err.splitlines()
        assert reason in last
        assert "for 1.5 s (give_up_after_s)" in last
        assert last.startswith("error: ")
        assert "run the same command again to retry them" in last
        assert any(f"of {N}, " in line and "elapsed" in line for line in lines), shown.err
        if way != "hangs":
            assert any("faults, tried again: " in line for line in lines), shown.err
        kept = n_rows("generation")
        assert 40 < kept < N
        assert f"error: {N - kept} samples were not drawn" in last
        server.behaviour = Behaviour()
        assert run(command) == 0
    assert n_rows("generation") == N


@pytest.mark.parametrize("hangs", [False, True])
def test_a_server_that_is_not_there_from_the_start(
    hangs: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if hangs:
            silent.listen()  # takes connections, and says nothing
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        began = time.monotonic()
        assert run([*GENERATE, "-o", f"base_url={address}", "-o", "give_up_after_s=1.5"]) == 1
        assert time.monotonic() - began < 200, "the deadline of a request is 900 s"
    last = capsys.readouterr().err.splitlines()[-1]
    assert f"{N} samples were not drawn: gave_up" in last
    assert n_rows("generation") == 0


def test_a_server_that_is_slow_is_not_dead() -> None:
    with serving(delay_s=0.01) as server:
        command = [*GENERATE, "-o", f"base_url={server.base_url}"]
        slow = Behaviour(delay_s=6.0, slow_path="/v1/completions")
        with turning(server, slow, after=N - 4):
            assert run([*command, "-o", "give_up_after_s=4"]) == 0
    assert n_rows("generation") == N


def test_ctrl_c_says_what_is_saved_and_how_to_go_on() -> None:
    with serving(delay_s=0.01) as server:
        command = [*GENERATE, "-o", f"base_url={server.base_url}"]
        with turning(server, Behaviour(delay_s=3600), after=60):
            client = started(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.5)
        os.kill(client.pid, signal.SIGINT)
        _, shown = client.communicate(timeout=300)
        assert client.returncode == 130
        kept = n_rows("generation")
        assert 40 < kept < N
        assert (
            shown.strip().splitlines()[-1] == f"error: generate interrupted: {kept} answers saved; "
            "run the same command again to continue"
        )
        server.behaviour = Behaviour()
        assert run(command) == 0
    assert n_rows("generation") == N


def test_the_breaker_counts_from_the_first_attempt_without_an_answer() -> None:
    now = [0.0]
    breaker = Breaker(60.0, clock=lambda: now[0])
    now[0] = 500.0
    assert breaker.left_s == 60.0, "nothing was asked yet"
    breaker.tried()
    now[0] = 540.0
    breaker.tried()
    breaker.failed("503")
    assert breaker.left_s == 20.0
    breaker.excuse(30.0)  # Retry-After: 30
    assert breaker.left_s == 50.0
    breaker.answered()
    assert (breaker.left_s, breaker.n_faults) == (60.0, 0)
