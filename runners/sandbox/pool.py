"""Run programs on all workers at once and stream the results."""

import select
import time
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from types import TracebackType
from typing import Any, Self

from runners.sandbox import probe
from runners.sandbox.crew import WorkerLink
from runners.sandbox.types import (
    ERROR,
    HARNESS_FAULT,
    MODES,
    PASSED,
    SPLIT,
    Job,
    Result,
    TestResult,
)
from warehouse.errors import AssayError, IsolationRefused

DEPTH = 2  # jobs a worker holds: one running, one on its way
AHEAD = 64  # jobs looked at for one whose tests the free worker has prepared
MAX_SOURCE = 32 * 1024 * 1024
MAX_RESTARTS = 3  # in a row, with no result in between
MAX_MESSAGE, MAX_NOTE = 500, 200  # characters of a text about a program, and about one test


class Pool:
    """A context manager holding ``slots`` workers, each a trusted judge with one zygote.

    ``slots`` defaults to ``workers``. ``isolation`` is a level of runners.sandbox.probe.LEVELS, or
    "auto" for the best safe one; raises IsolationRefused where the machine cannot give it.
    """

    def __init__(self, *, workers: int = 2, isolation: str = "auto", slots: int | None = None):
        self.isolation = _level(isolation)
        self._crew: list[WorkerLink] = []
        self._failures = 0
        self._tickets = 0
        self._mine: set[int] = set()  # open tickets of the run being read
        self._homes: dict[str, WorkerLink] = {}  # who prepared the tests of which suite
        try:
            for slot in range(slots or workers):
                self._crew.append(WorkerLink(self.isolation, slot))
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
        ahead: deque[Job] = deque()
        ready: deque[Result] = deque()
        exhausted = False
        self._mine = set()  # what an earlier run left open is no longer awaited
        self._homes = {}
        while True:
            for worker in self._by_load():
                while not exhausted and len(worker.open) < DEPTH:
                    ahead.extend(islice(source, AHEAD - len(ahead)))
                    if not again and not ahead:
                        exhausted = True
                        break
                    job = again.popleft() if again else self._suited(worker, ahead)
                    refused = _refused(job, self.isolation)
                    if refused is not None:
                        ready.append(refused)
                    else:
                        worker.give(self._ticket(), job)
            while ready:
                yield ready.popleft()
            if exhausted and not again and not self._mine:
                return
            ready.extend(self._collect(again))
            exhausted = exhausted and not again

    def _suited(self, worker: WorkerLink, ahead: deque[Job]) -> Job:
        """Take the first job whose tests this worker has prepared, or else no other has."""
        for home in (worker, None):
            for index, job in enumerate(ahead):
                if self._homes.get(job.suite.key) is home:
                    del ahead[index]
                    self._homes[job.suite.key] = worker
                    return job
        return ahead.popleft()

    def _by_load(self) -> list[WorkerLink]:
        return sorted(self._crew, key=lambda worker: len(worker.open))

    def _ticket(self) -> int:
        self._tickets += 1
        self._mine.add(self._tickets)
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
                job = worker.open.pop(message[1])
                if message[1] in self._mine:
                    self._mine.remove(message[1])
                    results.append(_result(job, message, self.isolation))
        if not spoke:
            for worker in busy:
                if worker.deadline <= time.monotonic():
                    results.extend(self._replace(worker, again))
        return results

    def _replace(self, worker: WorkerLink, again: deque[Job]) -> list[Result]:
        """Put a new worker in place of a lost one; only its running job is at fault."""
        open_jobs = [job for ticket, job in worker.open.items() if ticket in self._mine]
        self._mine -= set(worker.open)
        worker.hang_up()
        worker.kill()
        self._failures += 1
        if self._failures > MAX_RESTARTS * len(self._crew):
            raise AssayError(f"the sandbox workers keep dying (isolation {self.isolation})")
        fresh = WorkerLink(self.isolation, worker.slot)
        self._crew[self._crew.index(worker)] = fresh
        fresh.wait_ready()
        again.extend(open_jobs[1:])
        return [
            _fault(job, self.isolation, HARNESS_FAULT, "sandbox", "the sandbox worker was lost")
            for job in open_jobs[:1]
        ]


def _level(isolation: str) -> str:
    if isolation == "auto":
        return probe.best_safe_level()
    if isolation not in probe.LEVELS:
        known = ", ".join(("auto", *probe.LEVELS))
        raise IsolationRefused(f"no isolation level {isolation!r}; there are {known}")
    return isolation


def _refused(job: Job, level: str) -> Result | None:
    """Jobs no worker should see."""
    if job.mode not in MODES:
        raise ValueError(f"unknown mode {job.mode!r}")
    if len(job.source) > MAX_SOURCE:
        return _fault(job, level, ERROR, "refused", "the program is larger than 32 MB")
    return None


def storable(text: str, most: int) -> str:
    """What a program had a say in, as text that any file, database or terminal takes.

    Control characters, lone surrogates and what else does not print become their escapes.
    """
    text = text[:most]
    if not text.isprintable():
        shown = (c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)
        text = "".join(shown)[:most]
    return text


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
            TestResult(index, status, storable(note, MAX_NOTE) or None)
            for index, (status, note) in enumerate(outcomes)
        ),
        cpu_s=cpu_s,
        wall_s=wall_s,
        max_rss_kb=rss,
        why_ended=why,
        message=storable(text, MAX_MESSAGE) or None,
        isolation=level,
        integrity=integrity,
        outputs=None if outputs is None else tuple(outputs),
    )
