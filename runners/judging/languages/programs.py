"""Run programs of other languages, each behind separate walls, and stream the results.

A process of ours enters the walls for each program (``inside/tool_process.py``). What a compiler
says of a program that it refuses is the message of an ``error``. The compiler has separate limits,
and its time is not in that of the program.
"""

import json
import re
import secrets
import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from models.words import (
    ERROR,
    FAILED,
    HARNESS_FAULT,
    NOT_RUN,
    OUT_OF_MEMORY,
    PASSED,
    SAME_INTERPRETER,
    TIMEOUT,
    WITH_NAMESPACES,
)
from runners.judging.languages import OTHER_LANGUAGES
from runners.judging.languages.base import Command, Language
from runners.judging.sandbox import launch
from runners.judging.sandbox.pool import MAX_MESSAGE, MAX_NOTE, storable
from runners.judging.sandbox.types import OVERRUN, Job, Result, TestResult

COMPILE_CPU_S = 60.0
COMPILE_WALL_S = 300.0
COMPILE_MEMORY_MB = 2048
FILE_MB = 64
TMP_MB = 128
GRACE_S = 30.0
ENVIRONMENT = {"PATH": "/usr/bin", "HOME": "/tmp/work", "LANG": "C.UTF-8", "TZ": "UTC"}
TELLING = re.compile(r"\w(?:Error|Exception)\b|panicked|terminate called|rror:")
BATCH = 64  # programs waiting for a worker


@dataclass(frozen=True)
class Programs:
    """Runs programs of other languages, some at once; ``isolation`` must have namespaces."""

    workers: int
    isolation: str

    def run(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """Yield one result per job, in no order."""
        source = iter(jobs)
        with ThreadPoolExecutor(self.workers) as pool:
            while batch := list(islice(source, BATCH)):
                for done in as_completed(pool.submit(self.judged, job) for job in batch):
                    yield done.result()

    def judged(self, job: Job) -> Result:
        """Return the result of one program."""
        language = OTHER_LANGUAGES.load(job.suite.language)
        if self.isolation not in WITH_NAMESPACES:
            reason = f"programs in {language.name} need namespaces, not {self.isolation}"
            return self._result(job, HARNESS_FAULT, "sandbox", reason)
        token = secrets.token_hex(16)
        plan = language.plan(job.source, job.suite, token, job.limits.memory_mb)
        steps = [] if plan.compile is None else [_compiling(plan.compile)]
        steps.append(_running(plan.run, job))
        asked = {
            "isolation": self.isolation,
            "shown": {path: path for path in language.folders()},
            "files": dict(plan.files),
            "steps": steps,
            "tmp_mb": TMP_MB,
        }
        said = _answer(asked, sum(step["wall_s"] for step in steps) + GRACE_S)
        if "ends" not in said:
            return self._result(job, HARNESS_FAULT, "sandbox", said.get("refused", "it was lost"))
        ends = said["ends"]
        if len(ends) < len(steps):
            return self._result(job, *_not_compiled(ends[-1]))
        if plan.compile is not None and not _fine(ends[0]):
            return self._result(job, *_not_compiled(ends[0]))
        return self._result(job, *_ended(ends[-1], job, language, token), ends[-1])

    def _result(
        self, job: Job, verdict: str, why: str, message: str, end: Mapping[str, Any] | None = None
    ) -> Result:
        ran = end is not None
        status = verdict if ran and verdict != HARNESS_FAULT else NOT_RUN
        return Result(
            key=job.key,
            verdict=verdict,
            why_ended=why,
            message=storable(message, MAX_MESSAGE) or None,
            isolation=self.isolation,
            n_tests=1,
            n_passed=int(verdict == PASSED),
            tests=(TestResult(0, status, storable(message, MAX_NOTE) or None),),
            cpu_s=end["cpu_s"] if end else None,
            wall_s=end["wall_s"] if end else None,
            max_rss_kb=end["max_rss_kb"] if end else None,
            integrity=SAME_INTERPRETER,
        )


def _compiling(command: Command) -> dict[str, Any]:
    return {
        **asdict(command),
        "environment": {**ENVIRONMENT, **command.environment},
        "cpu_s": COMPILE_CPU_S,
        "wall_s": COMPILE_WALL_S,
        "memory_mb": COMPILE_MEMORY_MB,
        "file_mb": FILE_MB,
    }


def _running(command: Command, job: Job) -> dict[str, Any]:
    limits = job.limits
    return {
        **asdict(command),
        "environment": {**ENVIRONMENT, **command.environment},
        "cpu_s": limits.cpu_s * OVERRUN,
        "wall_s": limits.wall_s,
        "memory_mb": limits.memory_mb,
        "file_mb": limits.fsize_mb,
    }


def _answer(job: Mapping[str, Any], wait_s: float) -> dict[str, Any]:
    """Return what the process says of a job, nothing where it was lost."""
    ours, theirs = socket.socketpair()
    process = launch.start(
        "tool_process", [], theirs.fileno(), package="runners.judging.languages.inside"
    )
    theirs.close()
    ends = time.monotonic() + wait_s
    data = b""
    try:
        with ours:
            ours.settimeout(wait_s)
            ours.sendall(json.dumps(job).encode() + b"\n")
            while part := ours.recv(1 << 16):
                data += part
                ours.settimeout(max(ends - time.monotonic(), 0.1))
    except OSError:
        return {}
    finally:
        process.kill()
        process.wait()
    found: dict[str, Any] = json.loads(data) if data else {}
    return found


def _fine(end: Mapping[str, Any]) -> bool:
    return bool(end["why"] == "exited" and end["status"] == 0)


def _not_compiled(end: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return verdict, end and message of a program that the compiler did not take."""
    if end["why"] != "exited":
        return TIMEOUT, end["why"], "compiling it took too long"
    lines = f"{end['out']}\n{end['err']}".splitlines()
    errors = [line.strip() for line in lines if "error" in line.lower()]
    said = next(iter(errors or [line for line in lines if line.strip()]), "")
    return ERROR, "refused", f"it does not compile: {said}"


def _ended(
    end: Mapping[str, Any], job: Job, language: Language, token: str
) -> tuple[str, str, str]:
    """Return verdict, end and message of a program that ran."""
    limits = job.limits
    if end["why"] in ("cpu", "wall"):
        what = "processor time limit" if end["why"] == "cpu" else "wall time limit"
        return TIMEOUT, end["why"], what
    if end["cpu_s"] > limits.cpu_s:
        spent = f"used {end['cpu_s']:.2f} s of processor time, the limit is {limits.cpu_s:g} s"
        return TIMEOUT, "exit", spent
    if _fine(end) and end["out"].endswith(f"\n{token}\n"):
        return PASSED, "exit", ""
    said = end["err"].replace(token, "")
    why = "signal" if end["signal"] else "exit"
    if any(words in said for words in language.memory_words):
        return OUT_OF_MEMORY, why, "memory limit"
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    telling = [line for line in lines if "ssert" in line] or [
        line for line in lines if TELLING.search(line)
    ]
    told = next(iter(telling or lines[-1:]), "")
    if "ssert" in told:
        return FAILED, why, told
    if end["signal"]:
        return ERROR, why, f"the program was killed by signal {end['signal']}: {told}"
    if end["status"] == 0:
        return ERROR, why, "the program ended before its tests"
    return ERROR, why, told or f"the program ended with status {end['status']}"
