"""Run programs on all workers at once and stream the results."""

import contextlib
import dataclasses
import select
import socket
import subprocess
import time
from collections import deque
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Self

from models import codec
from runners.sandbox import launch, probe
from runners.sandbox.types import (
    ERROR,
    HARNESS_FAULT,
    MODES,
    PASSED,
    SPLIT,
    Job,
    Result,
    Suite,
    TestResult,
)
from warehouse.errors import AssayError, IsolationRefused

DEPTH = 2  # jobs a worker holds: one running, one on its way
KNOWN_SUITES = 32  # suites a worker keeps prepared
GRACE_S = 30.0  # beyond a job's wall limit, before its worker counts as lost
MAX_SOURCE = 32 * 1024 * 1024
MAX_RESTARTS = 3  # in a row, with no result in between


class Pool:
    """A context manager holding ``slots`` workers, each a trusted judge with one zygote.

    ``slots`` defaults to ``workers``. ``isolation`` is a level of runners.sandbox.probe.LEVELS, or
    "auto" for the best safe one; raises IsolationRefused where the machine cannot give it.
    """

    def __init__(self, *, workers: int = 2, isolation: str = "auto", slots: int | None = None):
        self.isolation = _level(isolation)
        self._crew: list[_Worker] = []
        self._failures = 0
        self._tickets = 0
        try:
            for _ in range(slots or workers):
                self._crew.append(_Worker(self.isolation))
            for worker in self._crew:
                worker.wait_ready()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End every process of the tree."""
        for worker in self._crew:
            worker.hang_up()
        for worker in self._crew:
            worker.end()
        self._crew = []

    def run(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """Yield one Result per job, in no order, taking jobs only as workers have room.

        A job whose worker dies comes back as ``harness_fault``; the worker is replaced.
        """
        source = iter(jobs)
        again: deque[Job] = deque()
        ready: deque[Result] = deque()
        exhausted = False
        while True:
            for worker in self._by_load():
                while not exhausted and len(worker.open) < DEPTH:
                    job = again.popleft() if again else next(source, None)
                    if job is None:
                        exhausted = True
                        break
                    refused = _refused(job, self.isolation)
                    if refused is not None:
                        ready.append(refused)
                    else:
                        worker.give(self._ticket(), job)
            while ready:
                yield ready.popleft()
            if exhausted and not again and not any(worker.open for worker in self._crew):
                return
            ready.extend(self._collect(again))
            exhausted = exhausted and not again

    def _by_load(self) -> list["_Worker"]:
        return sorted(self._crew, key=lambda worker: len(worker.open))

    def _ticket(self) -> int:
        self._tickets += 1
        return self._tickets

    def _collect(self, again: deque[Job]) -> list[Result]:
        """Wait until a worker speaks, dies or is overdue."""
        now = time.monotonic()
        busy = [worker for worker in self._crew if worker.open]
        wait_s = min((worker.deadline for worker in busy), default=now) - now
        sockets = {worker.sock: worker for worker in busy}
        spoke, _, _ = select.select(list(sockets), [], [], max(0.0, wait_s))
        results = []
        for sock in spoke:
            worker = sockets[sock]
            lines = worker.read()
            if lines is None:
                results.extend(self._replace(worker, again))
                continue
            for message in lines:
                self._failures = 0
                job = worker.open.pop(message[1], None)
                if job is not None:  # else left over from a run that was not read to its end
                    results.append(_result(job, message, self.isolation))
        if not spoke:
            for worker in busy:
                if worker.deadline <= time.monotonic():
                    results.extend(self._replace(worker, again))
        return results

    def _replace(self, worker: "_Worker", again: deque[Job]) -> list[Result]:
        """Put a new worker in place of a lost one; only its running job is at fault."""
        open_jobs = list(worker.open.values())
        worker.hang_up()
        worker.kill()
        self._failures += 1
        if self._failures > MAX_RESTARTS * len(self._crew):
            raise AssayError(f"the sandbox workers keep dying (isolation {self.isolation})")
        fresh = _Worker(self.isolation)
        self._crew[self._crew.index(worker)] = fresh
        fresh.wait_ready()
        again.extend(open_jobs[1:])
        return [
            _fault(job, self.isolation, HARNESS_FAULT, "sandbox", "the sandbox worker was lost")
            for job in open_jobs[:1]
        ]


class _Worker:
    """Our end of one worker process."""

    def __init__(self, level: str):
        self.sock, theirs = socket.socketpair()
        self.process: subprocess.Popen[bytes] = launch.start("worker", [level], theirs.fileno())
        theirs.close()
        self.open: dict[int, Job] = {}
        self.suites: dict[str, tuple[int, Suite]] = {}
        self.numbers = 0
        self.buffer = b""
        self.head_since = time.monotonic()
        self.level = level

    @property
    def deadline(self) -> float:
        """When the job at the head is overdue, on the monotonic clock."""
        head = next(iter(self.open.values()))
        return self.head_since + head.limits.wall_s + GRACE_S

    def wait_ready(self) -> None:
        """Wait until the worker and its zygote stand; raises AssayError when they do not."""
        self.sock.settimeout(120)
        try:
            message = self.sock.recv(4096)
        except OSError:
            message = b""
        self.sock.settimeout(None)
        if message != b'["ready"]\n':
            reason = codec.decode(message.decode())[1] if message else "it ended"
            raise IsolationRefused(f"isolation {self.level} did not start here: {reason}")

    def give(self, ticket: int, job: Job) -> None:
        """Send one job, and its suite where the worker does not hold it."""
        messages = self._suite_messages(job.suite)
        number = self.suites[job.suite.key][0]
        limits = dataclasses.asdict(job.limits)
        messages.append(["job", ticket, job.key, number, job.source, limits, job.mode])
        data = b"".join(codec.encode(message).encode() + b"\n" for message in messages)
        if not self.open:
            self.head_since = time.monotonic()
        self.open[ticket] = job
        with contextlib.suppress(OSError):  # a dead worker shows as an end of stream, in read
            self.sock.sendall(data)

    def _suite_messages(self, suite: Suite) -> list[list[Any]]:
        known = self.suites.pop(suite.key, None)
        if known is not None and (known[1] is suite or known[1] == suite):
            self.suites[suite.key] = known
            return []
        messages: list[list[Any]] = []
        if known is not None:
            messages.append(["forget", known[0]])
        if len(self.suites) >= KNOWN_SUITES:
            oldest = next(iter(self.suites))
            messages.append(["forget", self.suites.pop(oldest)[0]])
        self.numbers += 1
        fields = {f.name: getattr(suite, f.name) for f in dataclasses.fields(suite)}
        messages.append(["suite", self.numbers, fields])
        self.suites[suite.key] = (self.numbers, suite)
        return messages

    def read(self) -> list[list[Any]] | None:
        """The results that have arrived, or None when the worker is gone."""
        try:
            data = self.sock.recv(1 << 20)
        except OSError:
            data = b""
        if not data:
            return None
        self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        if lines:
            self.head_since = time.monotonic()
        return [codec.decode(line.decode()) for line in lines]

    def hang_up(self) -> None:
        """Tell the worker to end."""
        self.sock.close()

    def end(self) -> None:
        """Give it a moment, then kill it; its zygote ends with it."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(2)
        self.kill()

    def kill(self) -> None:
        """Kill it now."""
        self.process.kill()
        self.process.wait()


def _level(isolation: str) -> str:
    if isolation != "auto" and isolation not in probe.LEVELS:
        raise IsolationRefused(f"unknown isolation level {isolation!r}")
    return isolation


def _refused(job: Job, level: str) -> Result | None:
    """Jobs no worker should see."""
    if job.mode not in MODES:
        raise ValueError(f"unknown mode {job.mode!r}")
    if len(job.source) > MAX_SOURCE:
        return _fault(job, level, ERROR, "refused", "the program is larger than 32 MB")
    return None


def _fault(job: Job, level: str, verdict: str, why: str, message: str) -> Result:
    return Result(
        key=job.key,
        verdict=verdict,
        n_tests=0,
        n_passed=0,
        tests=(),
        cpu_s=None,
        wall_s=None,
        max_rss_kb=None,
        why_ended=why,
        message=message,
        isolation=level,
        integrity=SPLIT,
        outputs=None,
    )


def _result(job: Job, message: list[Any], level: str) -> Result:
    _, _, verdict, outcomes, cpu_s, wall_s, rss, why, text, integrity, outputs = message
    return Result(
        key=job.key,
        verdict=verdict,
        n_tests=len(outcomes),
        n_passed=sum(status == PASSED for status, _ in outcomes),
        tests=tuple(
            TestResult(index, status, note or None) for index, (status, note) in enumerate(outcomes)
        ),
        cpu_s=cpu_s,
        wall_s=wall_s,
        max_rss_kb=rss,
        why_ended=why,
        message=text or None,
        isolation=level,
        integrity=integrity,
        outputs=None if outputs is None else tuple(outputs),
    )
