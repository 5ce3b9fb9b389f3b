"""Run programs on all workers at once and stream the results."""

import select
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Self

from models.words import ERROR, LEVELS, PASSED
from runners.judging.sandbox.messages import Report
from runners.judging.sandbox.types import MODES, Job, Result, TestResult
from runners.judging.sandbox.walls import probe
from runners.judging.sandbox.worker_link import WorkerLink
from warehouse.errors import AssayError, IsolationRefused, known_names

DEPTH = 2  # jobs a worker holds: one running, one on its way
AHEAD = 64  # jobs looked at for one whose tests the free worker has prepared
MAX_SOURCE = 32 * 1024 * 1024
MAX_STARTS = 3  # of a worker in place of a lost one, before the machine counts as unfit
MAX_LOSSES = 3  # workers that one program may cost before that is its verdict
MAX_MESSAGE, MAX_NOTE = 500, 200  # characters of a text about a program, and about one test


class Pool:
    """A context manager holding ``slots`` workers, each a trusted judge with one zygote.

    ``slots`` defaults to ``workers``. ``isolation`` is one of models.words.LEVELS, or
    "auto" for the best safe one; raises IsolationRefused where the machine cannot give it.
    All programs are shown the folder ``packages``, if there is one: jobs must name the same.
    """

    def __init__(
        self,
        *,
        workers: int = 2,
        isolation: str = "auto",
        slots: int | None = None,
        packages: str = "",
    ):
        self.isolation = _level(isolation)
        self._packages = packages
        self._workers: list[WorkerLink] = []
        self._tickets = 0
        self._losses: Counter[int] = Counter()  # workers lost by the job under a ticket, so far
        self._mine: set[int] = set()  # open tickets of the run being read
        self._homes: dict[str, WorkerLink] = {}  # who prepared the tests of which suite
        try:
            for slot in range(slots or workers):
                self._workers.append(WorkerLink(self.isolation, slot, packages))
            for worker in self._workers:
                worker.wait_ready()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process of the tree."""
        for worker in self._workers:
            worker.hang_up()
        for worker in self._workers:
            worker.end()
        self._workers = []

    def run(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """Yield one Result per job, in no order, taking jobs only as workers have room.

        A worker that dies is replaced, and its job tried again. A program whose judge the kernel
        had to end, or that costs a worker each time, is an ``error``. Raises AssayError only where
        no new worker can do anything.
        """
        source = iter(jobs)
        again: deque[tuple[Job, int]] = deque()
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
                    job, losses = again.popleft() if again else (self._suited(worker, ahead), 0)
                    assert job.suite.packages == self._packages
                    refused = _refused(job, self.isolation)
                    if refused is not None:
                        ready.append(refused)
                    else:
                        worker.give(self._ticket(losses), job)
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
        return sorted(self._workers, key=lambda worker: len(worker.open))

    def _ticket(self, losses: int) -> int:
        self._tickets += 1
        self._mine.add(self._tickets)
        if losses:
            self._losses[self._tickets] = losses
        return self._tickets

    def _collect(self, again: deque[tuple[Job, int]]) -> list[Result]:
        """Wait until a worker speaks, dies or is overdue."""
        now = time.monotonic()
        busy = [worker for worker in self._workers if worker.open]
        wait_s = min((worker.deadline for worker in busy), default=now) - now
        watch = select.poll()
        workers = {}
        for worker in busy:
            workers[worker.sock.fileno()] = worker
            watch.register(worker.sock, worker.events)
        ready = watch.poll(max(0.0, wait_s) * 1000)
        results = []
        for fd, events in ready:
            worker = workers[fd]
            if events & select.POLLOUT:
                worker.send()
            if not events & ~select.POLLOUT:
                continue
            reports = worker.arrived_reports()
            if reports is None:
                results.extend(self._replace(worker, again))
                continue
            for report in reports:
                job = worker.open.pop(report.ticket)
                self._losses.pop(report.ticket, None)
                if report.ticket in self._mine:
                    self._mine.remove(report.ticket)
                    results.append(_result(job, report, self.isolation))
        if not ready:
            for worker in busy:
                if worker.deadline <= time.monotonic():
                    results.extend(self._replace(worker, again))
        return results

    def _replace(self, worker: WorkerLink, again: deque[tuple[Job, int]]) -> list[Result]:
        """Put a new worker in place of a lost one; only its running job is at fault."""
        worker.hang_up()
        worker.kill()
        lost = [(ticket, job) for ticket, job in worker.open.items() if ticket in self._mine]
        running = next(iter(worker.open), 0)
        self._mine -= set(worker.open)
        self._workers[self._workers.index(worker)] = self._fresh(worker.slot)
        results = []
        for ticket, job in lost:
            losses = self._losses.pop(ticket, 0) + (ticket == running)
            message = None
            if ticket == running and worker.judged_too_long:
                message = "more than can be judged: processor time"
            elif losses == MAX_LOSSES:
                message = f"judging it ended the judge {losses} times"
            if message:
                results.append(Result(job.key, ERROR, "judge", message, self.isolation))
            else:
                again.append((job, losses))
        return results

    def _fresh(self, slot: int) -> WorkerLink:
        """Start a worker that has proved itself: what it is lost by later is not the machine."""
        reason = "it fails a program that is right"
        for _ in range(MAX_STARTS):
            worker = WorkerLink(self.isolation, slot, self._packages)
            try:
                worker.wait_ready()
                if worker.proves_itself():
                    return worker
            except IsolationRefused as error:
                reason = str(error)
            worker.hang_up()
            worker.kill()
        raise AssayError(f"no sandbox worker works any more (isolation {self.isolation}): {reason}")


def _level(isolation: str) -> str:
    if isolation == "auto":
        return probe.best_safe_level()
    if isolation not in LEVELS:
        known = known_names(isolation, ("auto", *LEVELS))
        raise IsolationRefused(f"no isolation level {isolation!r}{known}")
    return isolation


def _refused(job: Job, level: str) -> Result | None:
    """Jobs no worker should see."""
    if job.mode not in MODES:
        raise ValueError(f"unknown mode {job.mode!r}")
    if len(job.source) > MAX_SOURCE:
        return Result(job.key, ERROR, "refused", "the program is larger than 32 MB", level)
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


def _result(job: Job, report: Report, level: str) -> Result:
    return Result(
        key=job.key,
        verdict=report.verdict,
        n_tests=len(report.statuses),
        n_passed=report.statuses.count(PASSED),
        tests=tuple(
            TestResult(index, status, storable(note, MAX_NOTE) or None)
            for index, (status, note) in enumerate(zip(report.statuses, report.notes, strict=True))
        ),
        cpu_s=report.cpu_s,
        test_cpu_s=report.test_cpu_s,
        wall_s=report.wall_s,
        max_rss_kb=report.max_rss_kb,
        why_ended=report.why_ended,
        message=storable(report.message, MAX_MESSAGE) or None,
        isolation=level,
        integrity=report.integrity,
        outputs=report.outputs,
    )
