"""The pool streams, survives the loss of its parts, and leaves nothing behind."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from models.words import LEVELS, SAFE_LEVELS
from runners.judging.sandbox.pool import AHEAD, Pool
from runners.judging.sandbox.types import Job, Limits
from runners.judging.sandbox.walls import probe
from tests.data import ROOT
from tests.runners.judging.sandbox import plain
from tests.runners.judging.sandbox.cases import INCREMENT, job, require_level, stdio, suite
from warehouse.errors import AssayError, IsolationRefused

RIGHT = "def f(x):\n    return x + 1\n"
SLOW = "import time\ndef f(x):\n    time.sleep(0.3)\n    return x + 1\n"


def tree(pid: int) -> list[int]:
    """The processes below one, nearest first."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found + [pid for child in found for pid in tree(child)]


def ended(pids: list[int]) -> bool:
    """Whether all of them end within two seconds."""
    for _ in range(40):
        if not any(Path(f"/proc/{pid}/cmdline").exists() and _running(pid) for pid in pids):
            return True
        time.sleep(0.05)
    return False


def _running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_generator_is_taken_only_as_there_is_room() -> None:
    taken = 0

    def endless() -> Iterator[Job]:
        nonlocal taken
        while True:
            taken += 1
            yield job(RIGHT, key=str(taken))

    with Pool(workers=2) as pool:
        results = pool.run(endless())
        keys = {next(results).key for _ in range(100)}
        assert len(keys) == 100
        assert taken <= 100 + 20 + AHEAD


def test_a_worker_gets_the_tests_it_has_prepared() -> None:
    suites = [replace(job(RIGHT).suite, key=f"suite {number}") for number in range(3)]
    with Pool(workers=2) as pool:
        first, second = pool._workers
        ahead = deque(replace(job(RIGHT), suite=suites[n // 2], key=str(n)) for n in range(6))
        given = [pool._suited(worker, ahead).key for worker in (first, second, first, second)]
        assert given == ["0", "2", "1", "3"]
        assert [pool._suited(first, ahead).key, pool._suited(second, ahead).key] == ["4", "5"]


def test_a_slot_keeps_to_one_processor() -> None:
    with Pool(workers=2) as pool:
        for worker in pool._workers:
            kept = {frozenset(os.sched_getaffinity(pid)) for pid in tree(worker.process.pid)}
            assert len(kept) == 1
            assert len(next(iter(kept))) == 1


def test_a_run_left_early_does_not_disturb_the_next() -> None:
    with Pool(workers=2) as pool:
        first = pool.run(job(SLOW, key=f"first {n}") for n in range(20))
        next(first)
        first.close()
        keys = sorted(result.key for result in pool.run(job(RIGHT, key=str(n)) for n in range(5)))
    assert keys == ["0", "1", "2", "3", "4"]


@pytest.mark.long
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_killed_part_costs_no_job_and_is_replaced(depth: int) -> None:
    """Depth 0 is a worker, 1 what holds its zygote, 2 the zygote itself."""
    with Pool(workers=1) as pool:
        results = pool.run(job(SLOW, key=str(n)) for n in range(6))
        found = {(result := next(results)).key: result.verdict}
        line = tree(os.getpid())
        place = line.index(pool._workers[0].process.pid)
        victims = [line[place], *tree(line[place])]
        os.kill(victims[depth], signal.SIGKILL)
        found |= {result.key: result.verdict for result in results}
        assert ended(victims)
        again = [result.verdict for result in pool.run([job(RIGHT)])]
    assert len(found) == 6
    assert list(found.values()).count("passed") == 6
    assert again == ["passed"]


CALLER = """
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Limits
from tests.runners.judging.sandbox import plain
from tests.runners.judging.sandbox.cases import INCREMENT, job, suite
spins = job("def f(x):\\n    while True:\\n        pass\\n", INCREMENT, limits=Limits(60, 60))
stuck = suite("import math\\nassert math.factorial(f(1)) == 1\\n")
stuck = job("def f(x):\\n    return 30_000_000\\n", stuck, limits=Limits(60, 60))
with Pool(workers=2) as pool:
    print('up', flush=True)
    list(pool.run([DOES] * 4))
"""


@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("does", ["spins", "stuck"])
def test_nothing_outlives_the_caller(does: str, how: signal.Signals) -> None:
    program = CALLER.replace("DOES", does)
    caller = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert caller.stdout is not None
    caller.stdout.readline()
    time.sleep(0.3)
    below = tree(caller.pid)
    assert len(below) >= 6
    try:
        caller.send_signal(how)
        caller.wait(10)
    finally:
        caller.kill()
    caller.stdout.close()
    assert ended(below)


@pytest.mark.parametrize("level", SAFE_LEVELS)
def test_no_program_outlives_its_killed_worker(level: str) -> None:
    """Not even one that tries to clear its death signal, in a separate session and thread."""
    require_level(level)
    stays = (
        "import ctypes, os, threading\nctypes.CDLL(None).prctl(1, 0, 0, 0, 0)\n"
        "def spin():\n    while True:\n        pass\n"
        "def f(x):\n    threading.Thread(target=spin).start()\n"
        "    ctypes.CDLL(None).syscall(60, 0)\n"
    )
    with Pool(workers=1, isolation=level) as pool:
        results = pool.run([job(RIGHT), job(stays, limits=Limits(60, 60))])
        assert next(results).verdict == "passed"
        worker = pool._workers[0].process.pid
        for _ in range(100):
            below = tree(worker)
            if len(below) >= (2 if level == "seccomp+landlock" else 3):
                break
            time.sleep(0.02)
        time.sleep(0.3)
        os.kill(worker, signal.SIGKILL)
        assert ended(below)
        results.close()


@pytest.mark.long
def test_an_overdue_worker_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runners.judging.sandbox.worker_link.GRACE_S", 0.5)
    limits = Limits(cpu_s=1.0, wall_s=1.0, judge_cpu_s=0.2)
    with Pool(workers=1) as pool:
        results = pool.run(job(SLOW, key=str(n), limits=limits) for n in range(3))
        next(results)
        os.kill(pool._workers[0].process.pid, signal.SIGSTOP)
        verdicts = sorted(result.verdict for result in results)
    assert verdicts == ["passed", "passed"]


STUCK = "def f(x):\n    return 3_000_000\n"
FACTORIAL = suite("import math\nassert math.factorial(f(1)) == 1\n", key="factorial")
SHORT = Limits(cpu_s=1.0, wall_s=3.0, judge_cpu_s=0.2)


def test_a_judge_inside_one_c_call_is_ended_by_the_kernel() -> None:
    """Python's own handler waits for the call to end; four such programs once ended a run."""
    jobs = []
    for number in range(6):
        jobs += [
            job(STUCK, FACTORIAL, key=f"stuck {number}", limits=SHORT),
            job(RIGHT, key=f"right {number}"),
        ]
    started = time.monotonic()
    with Pool(workers=2) as pool:
        results = {result.key: result for result in pool.run(jobs)}
    assert time.monotonic() - started < 60
    for number in range(6):
        assert results[f"right {number}"].verdict == "passed"
        stuck = results[f"stuck {number}"]
        assert (stuck.verdict, stuck.why_ended) == ("error", "judge")
        assert stuck.message == "more than can be judged: processor time"


@pytest.mark.long(seconds=15)
def test_a_job_larger_than_the_socket_takes_does_not_stop_the_others() -> None:
    """The first worker is stuck and takes nothing of its next job, the second continues."""
    long = replace(SHORT, judge_cpu_s=6.0)
    jobs = [job(STUCK, FACTORIAL, key="stuck", limits=long)]
    jobs += [job(RIGHT + "#" * 20_000_000, key=f"large {number}") for number in range(3)]
    with Pool(workers=2) as pool:
        found = {result.key: result.verdict for result in pool.run(jobs)}
    assert list(found).index("stuck") >= 1
    assert found.pop("stuck") == "error"
    assert list(found.values()) == ["passed"] * 3


def test_a_program_that_costs_a_worker_each_time_has_failed() -> None:
    """Its own doing: each new worker first proves itself."""
    deadly = suite("import os\nif f(1) == 5:\n    os.kill(os.getpid(), 9)\nassert f(1) == 2\n")
    jobs = [job("def f(x):\n    return 5\n", deadly, key=f"deadly {n}") for n in range(3)]
    jobs += [job(RIGHT, deadly, key=f"right {n}") for n in range(6)]
    with Pool(workers=2) as pool:
        results = {result.key: result for result in pool.run(jobs)}
    assert len(results) == 9
    for key, result in results.items():
        wanted = ("error", "judge") if key.startswith("deadly") else ("passed", "exit")
        assert (result.verdict, result.why_ended) == wanted, key


def test_a_machine_where_no_worker_works_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    with Pool(workers=1) as pool:
        results = pool.run(job(SLOW, key=str(n)) for n in range(3))
        next(results)
        monkeypatch.setattr("runners.judging.sandbox.launch.interpreter", lambda: "/bin/false")
        os.kill(pool._workers[0].process.pid, signal.SIGKILL)
        with pytest.raises(AssayError, match="no sandbox worker works any more") as error:
            list(results)
    assert "\n" not in str(error.value)


def test_a_level_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(IsolationRefused, match="no isolation level"):
        Pool(isolation="bubblewrap")
    nothing = {"works": False, "contains": False, "reason": "refused here", "effects": {}}
    monkeypatch.setattr(probe, "try_level", lambda _: nothing)
    monkeypatch.setattr(probe, "best_safe_level", probe.best_safe_level.__wrapped__)
    with pytest.raises(IsolationRefused, match=r"refused here.*--isolation none") as refusal:
        Pool()
    assert "\n" not in str(refusal.value)


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
@pytest.mark.skipif(not plain.can_read(ROOT), reason="another user cannot read this checkout")
def test_the_doctor_names_what_stands_against_user_namespaces(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.runners.judging.sandbox.plain", plain.WITHOUT]
    done = subprocess.run(
        [*command, "runners.cli.main", "--home", "/tmp/home", "doctor", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    isolation = json.loads(done.stdout)["isolation"]
    assert isolation["best"] == "seccomp+landlock"
    reason = isolation["levels"]["ns1+seccomp"]["reason"]
    assert "user namespaces are disabled: user.max_user_namespaces is 0" in reason


def test_the_probe_tells_levels_apart_by_effect() -> None:
    found = probe.probe()
    assert set(found["levels"]) == set(LEVELS)
    assert found["best"] in (None, *SAFE_LEVELS)
    none = found["levels"]["none"]
    assert none["works"]
    assert not none["contains"]
    assert none["effects"]["reads"]


def test_a_level_below_the_safe_ones_runs_when_named() -> None:
    with Pool(workers=1, isolation="none") as pool:
        (result,) = pool.run([job(RIGHT)])
    assert (result.verdict, result.isolation) == ("passed", "none")


def test_the_whole_tree_is_small() -> None:
    with Pool(workers=2) as pool:
        list(pool.run(job(RIGHT + f"# {n}", INCREMENT, key=str(n)) for n in range(200)))
        kilobytes = 0
        for pid in tree(os.getpid()):
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                kilobytes += int(line.split()[1]) if line.startswith("Pss:") else 0
    assert kilobytes < 120_000


def test_a_worker_lets_go_of_large_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runners.judging.sandbox.worker_link.KNOWN_CHARACTERS", 300)
    suites = [stdio((f"{n:0200}", f"{n}")) for n in range(4)]
    jobs = [job("print(int(input()))\n", tests, key=f"{n}") for n, tests in enumerate(suites * 2)]
    with Pool(workers=1) as pool:
        verdicts = [result.verdict for result in pool.run(jobs)]
        assert len(pool._workers[0].suites) == 1
    assert verdicts == ["passed"] * 8
