"""No hostile program escapes, harms a neighbour, or is scored as passed, at any safe level."""

import contextlib
import ctypes
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from models.words import SAFE_LEVELS, SPLIT, VERDICTS
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Job, Limits, Result
from tests.data import ROOT
from tests.hostile.programs import Hostile, hostile
from tests.runners.judging.sandbox import plain
from tests.runners.judging.sandbox.cases import INCREMENT, require_level, stdio

LIMITS = Limits(cpu_s=0.4, wall_s=1.5, memory_mb=256, judge_cpu_s=1.0)
CORRECT = "def f(x):\n    return x + 1\n"
WRONG = "def f(x):\n    return x\n"
SCRIPT_SUITE = stdio(("1\n", "answer 7920\n"), ("2\n", "answer 15839\n"))
CORRECT_SCRIPT = "n = int(input())\nprint('answer', 7919 * n + 1)\n"
WRONG_SCRIPT = "n = int(input())\nprint('answer', n)\n"
PLACED = {"canary", "secret", "socket", "datagrams"}


@dataclass
class Arena:
    """What a program could reach and change if nothing held it, with everything we watch."""

    folder: Path
    listeners: list[socket.socket]
    port: int
    abstract: str
    bystander: "subprocess.Popen[bytes]"
    canary: os.stat_result

    def place(self, source: str) -> str:
        """Fill in the placeholders of a program."""
        return (
            source.replace("ARENA", str(self.folder))
            .replace("PORT", str(self.port))
            .replace("ABSTRACT", self.abstract)
            .replace("BYSTANDER", str(self.bystander.pid))
        )

    def damage(self) -> list[str]:
        """Everything that should not have happened."""
        found = []
        names = {path.name for path in self.folder.iterdir()}
        found += [f"file {name}" for name in names - PLACED]
        found += [f"missing {name}" for name in PLACED - names]
        now = (self.folder / "canary").stat() if "canary" in names else None
        if now != self.canary:
            found.append("the canary changed")
        for listener in self.listeners:
            try:
                listener.recv(1) if listener.type == socket.SOCK_DGRAM else listener.accept()
                found.append(f"network hit on {listener.getsockname()}")
            except BlockingIOError:
                pass
        if self.bystander.poll() is not None:
            found.append("the bystander died")
        return found


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    for place in (tmp_path, *tmp_path.parents[:2]):
        place.chmod(0o777)
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "canary").write_text("alive")
    (tmp_path / "canary").chmod(0o666)
    abstract = f"assay-arena-{os.getpid()}"
    tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
    tcp.bind(("127.0.0.1", 0))
    udp.bind(tcp.getsockname())
    by_path, by_name = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    by_path.bind(str(tmp_path / "socket"))
    (tmp_path / "socket").chmod(0o777)
    by_name.bind("\0" + abstract)
    for listener in (tcp, by_path, by_name):
        listener.listen()
    datagrams = [socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(2)]
    datagrams[0].bind(str(tmp_path / "datagrams"))
    (tmp_path / "datagrams").chmod(0o777)
    datagrams[1].bind(f"\0{abstract}-datagrams")
    listeners = [tcp, udp, by_path, by_name, *datagrams]
    for listener in listeners:
        listener.setblocking(False)
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    canary = (tmp_path / "canary").stat()
    try:
        yield Arena(tmp_path, listeners, tcp.getsockname()[1], abstract, bystander, canary)
    finally:
        bystander.kill()
        bystander.wait()
        for listener in listeners:
            listener.close()


@pytest.fixture
def orphans() -> Iterator[None]:
    """Become the parent of whatever outlives the sandbox, and look for it at the end."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    before = _children()
    try:
        yield
        for _ in range(50):
            left = _children() - before
            for pid in left:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            if not _children() - before:
                break
            time.sleep(0.05)
        assert not _children() - before, "processes outlived the sandbox"
    finally:
        libc.prctl(36, 0, 0, 0, 0)


def _children() -> set[int]:
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        found |= {int(pid) for pid in (task / "children").read_text().split()}
    return found


def jobs(arena: Arena, programs: list[Hostile]) -> Iterator[Job]:
    """Each hostile program between a correct one before, and a correct and a wrong one after."""
    for program in programs:
        tests, right, wrong = INCREMENT, CORRECT, WRONG
        if program.is_script:
            tests, right, wrong = SCRIPT_SUITE, CORRECT_SCRIPT, WRONG_SCRIPT
        for turn in range(program.repeats):
            name = f"{program.name}:{turn}"
            yield Job(f"before:{name}", right, tests, LIMITS, SPLIT)
            yield Job(f"hostile:{name}", arena.place(program.source), tests, LIMITS, SPLIT)
            yield Job(f"after:{name}", right, tests, LIMITS, SPLIT)
            yield Job(f"wrong:{name}", wrong, tests, LIMITS, SPLIT)


def test_there_are_enough_programs_of_every_kind() -> None:
    programs = hostile()
    assert sum(program.is_script for program in programs) == 38
    assert len(programs) == 316
    assert len({program.name for program in programs}) == len(programs)
    kinds = {"read", "net", "write", "leak", "kill", "resource", "outlive", "hang", "crash"}
    assert {program.kind for program in programs} == kinds | {"forge", "priv"}
    assert all(program.verdicts <= set(VERDICTS) for program in programs)


@pytest.mark.long
@pytest.mark.parametrize("level", SAFE_LEVELS)
def test_nothing_escapes_harms_or_passes(level: str, arena: Arena, orphans: None) -> None:
    require_level(level)
    programs = hostile()
    allowed = {program.name: program.verdicts for program in programs}
    with Pool(workers=2, slots=4, isolation=level) as pool:
        results = {result.key: result for result in pool.run(jobs(arena, programs))}
    assert len(results) == 4 * sum(program.repeats for program in programs)
    trouble = [line for result in results.values() if (line := _trouble(result, allowed))]
    assert not trouble, "\n".join(trouble)
    time.sleep(0.2)
    assert not arena.damage()


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="a plain user runs the test above as one already")
@pytest.mark.skipif(not plain.can_read(ROOT), reason="a plain user cannot read this checkout")
@pytest.mark.parametrize("option", [[], [plain.WITHOUT]], ids=["with", "without"])
def test_a_plain_user_is_held_too(option: list[str]) -> None:
    """The same programs as nobody, with and without user namespaces, each level that is there."""
    tests = ["-o", "cache_dir=/tmp/cache", "-n", "0", "-q", "-k", "nothing_escapes", __file__]
    done = subprocess.run(
        [sys.executable, "-m", "tests.runners.judging.sandbox.plain", *option, "pytest", *tests],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert f"{1 if option else 2} passed" in done.stdout


def _trouble(result: Result, allowed: dict[str, frozenset[str]]) -> str | None:
    role, name, _ = result.key.split(":")
    expected = {"before": {"passed"}, "after": {"passed"}, "wrong": {"failed"}}
    if result.verdict in (expected[role] if role in expected else allowed[name]):
        return None
    return f"{result.key}: {result.verdict} ({result.why_ended}) {result.message}"
