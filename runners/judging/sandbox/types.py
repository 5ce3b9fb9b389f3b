"""What goes into the sandbox and what comes out of it."""

from dataclasses import dataclass

from models.words import PYTHON, SAME_INTERPRETER, SPLIT

OUTPUTS = "outputs"
MODES = (SPLIT, SAME_INTERPRETER, OUTPUTS)

OVERRUN = 1.1
NEAR = 0.5  # of a CPU limit: beyond it, another day could have brought another verdict

JUDGE_VERSION = "6"  # a new number whenever the same program could get another verdict
PROJECT_JUDGE_VERSION = "projects 3"  # the same for programs that a project's suite judges


@dataclass(frozen=True)
class Limits:
    """What one program may use. CPU seconds decide; waiting too long for it is the backstop.

    A program runs on until OVERRUN times its CPU limits, so that one that ends beyond them is known
    from one that never ends. Either way its verdict is no pass.
    """

    cpu_s: float
    wall_s: float  # in which the judge waits for it, all answers together
    test_cpu_s: float | None = None  # of one test, where the judge can tell the tests apart
    memory_mb: int = 1024  # address space of one process
    nproc: int = 8  # processes and threads together, where the level can count them
    fsize_mb: int = 16  # the largest file
    tmpfs_mb: int = 16  # the private /tmp, where the level has one
    output_kb: int = 16 * 1024  # the largest single answer
    judge_cpu_s: float = 20.0  # what judging its answers may take
    judge_memory_mb: int = 2048


MAX_WALL_S = 10 * 86_400.0  # poll(2) counts milliseconds in 31 bits


def wall_for(cpu_s: float) -> float:
    """Return the wall seconds that go with a CPU limit: a backstop for what only waits.

    A program that gets a tenth of a busy processor still reaches a short CPU limit first.
    """
    return max(3 * cpu_s, min(10 * cpu_s, 60.0)) + 1


@dataclass(frozen=True)
class Suite:
    """Everything the trusted judge knows about one problem's tests.

    Either ``test_code`` holds them as assert statements, or each text of ``inputs`` is an encoded
    argument list. Then ``expected`` has the encoded outputs (None only in mode ``outputs``). For
    entry point SCRIPT, the one argument is what the program reads and the output is what it prints.
    Names that tests use and ``prompt`` defines mean what prompt and ``solution`` make of them, not
    what a program does. ``packages`` is a folder of the host: what programs may import beside
    Python's library; empty where that is all.
    """

    key: str
    entry_point: str
    setup_code: str
    test_code: str | None
    inputs: tuple[str, ...]
    expected: tuple[str, ...] | None
    compare: str
    atol: float
    prompt: str = ""
    solution: str = ""  # reference and suffix: with the prompt, a whole program
    language: str = PYTHON
    packages: str = ""


@dataclass(frozen=True)
class Job:
    """One program to run: ``source`` is untrusted, ``suite`` is ours."""

    key: str
    source: str
    suite: Suite
    limits: Limits
    mode: str


@dataclass(frozen=True)
class TestResult:
    """How one test went; ``message`` has at most 200 characters."""

    __test__ = False  # not a pytest class

    index: int
    status: str
    message: str | None


@dataclass(frozen=True)
class Result:
    """How one program went; ``outputs`` only in mode ``outputs``, encoded by models.plain.codec."""

    key: str
    verdict: str
    why_ended: str
    message: str | None
    isolation: str
    n_tests: int = 0
    n_passed: int = 0
    tests: tuple[TestResult, ...] = ()
    cpu_s: float | None = None
    test_cpu_s: float | None = None  # of the longest test, where one was long enough to be watched
    wall_s: float | None = None
    max_rss_kb: int | None = None
    integrity: str = SPLIT
    outputs: tuple[str, ...] | None = None
