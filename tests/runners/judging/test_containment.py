"""What programs do against their judge and their limits, through the whole path a user takes."""

from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from runners.judging.sandbox.types import Limits
from runners.judging.sandbox.walls import probe
from tests.hostile.programs import part
from tests.runners import whole_path
from tests.runners.judging.sandbox.cases import require_level

TESTS = "import math\ndef check(c):\n    assert math.factorial(c(1)) == 2\n    assert c(2) == 3\n"
RIGHT = "def f(x):\n    return x + 1\n"
FORKS = """
import os, time
def f(x):
    if not os.fork():
        while time.process_time() < 5:
            pass
        os._exit(0)
    os.wait()
    return x + 1
"""
STUCK = "def f(x):\n    return 3_000_000\n"
DIGITS = part("send") + "def f(x):\n    send(b'V', b'9' * 15_000_000)\n    return x + 1\n"
SURROGATE = r"""
class E(Exception):
    pass
E.__name__ = E.__qualname__ = '\ud800'
def f(x):
    raise E('\udfff\0\x1b[2J')
"""
DATAGRAM = """
import socket
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
def f(x):
    return x + bool(a.sendto(b'x', 'PLACE'))
"""
# Each with what may be said of it; right programs are between them.
PROGRAMS = {
    STUCK: {"error"},
    STUCK + "# again\n": {"error"},
    STUCK + "# and again\n": {"error"},
    STUCK + "# a fourth\n": {"error"},
    DIGITS: {"error", "tampered", "failed"},
    SURROGATE: {"error"},
    FORKS: {"timeout", "error"},
    DATAGRAM: {"error"},
    "import os\nos.kill(os.getpid(), 9)\n": {"error"},
}


@pytest.mark.parametrize(
    "level",
    [
        pytest.param("ns+seccomp", marks=pytest.mark.long),
        pytest.param("ns1+seccomp", marks=pytest.mark.slow),
        pytest.param("seccomp+landlock", marks=pytest.mark.slow),
    ],
)
def test_hostile_programs_have_failed_and_stop_nothing(
    level: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_level(level)
    _judges_for_one_second(monkeypatch)
    monkeypatch.setattr(probe, "best_safe_level", lambda: level)
    texts = []
    for text in PROGRAMS:
        texts += [text.replace("PLACE", str(tmp_path / "listener")), f"{RIGHT}# {len(texts)}\n"]
    problems = [whole_path.problem("HumanEval/0", TESTS, RIGHT)]
    found = whole_path.verdicts(tmp_path, problems, {"HumanEval/0": texts})["HumanEval/0"]
    said = [one.verdict for one in found]
    assert said[1::2] == ["passed"] * len(PROGRAMS)
    for verdict, (text, wanted) in zip(said[::2], PROGRAMS.items(), strict=True):
        assert verdict in wanted, text
    assert {one.integrity for one in found} == {"split"}


def _judges_for_one_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty seconds are granted to a judge, which is long for a test."""
    names = [field.name for field in fields(Limits) if field.default is not MISSING]
    defaults = list(Limits.__init__.__defaults__ or ())
    defaults[names.index("judge_cpu_s")] = 1.0
    monkeypatch.setattr(Limits.__init__, "__defaults__", tuple(defaults))
