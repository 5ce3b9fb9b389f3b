"""The scheduler's end of one worker process."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import time

from models.words import PASSED, SPLIT
from runners.judging.sandbox import launch, wire
from runners.judging.sandbox.messages import (
    ForgetMessage,
    JobMessage,
    Ready,
    Report,
    SuiteMessage,
    ToWorker,
    packed,
    unpacked,
)
from runners.judging.sandbox.types import Job, Limits, Suite
from warehouse.errors import IsolationRefused

KNOWN_SUITES = 32  # suites a worker keeps prepared
KNOWN_CHARACTERS = 128 << 20  # of inputs and outputs in them, which contest programs have many of
GRACE_S = 30.0  # beyond what a job may take, before its worker counts as lost
PROOF = Job(
    "proof",
    "def f(x):\n    return x + 1\n",
    Suite("proof", "f", "", "assert f(1) == 2\n", (), None, "exact", 0.0),
    Limits(cpu_s=5.0, wall_s=30.0, memory_mb=256),
    SPLIT,
)


class WorkerLink:
    """Our end of one worker process."""

    def __init__(self, level: str, slot: int = 0, packages: str = ""):
        self.sock, theirs = socket.socketpair()
        self.process: subprocess.Popen[bytes] = launch.start(
            "worker", [level, str(_processor(slot)), packages], theirs.fileno()
        )
        theirs.close()
        self.open: dict[int, Job] = {}
        self.unsent: list[memoryview] = []
        self.suites: dict[str, tuple[int, Suite]] = {}
        self.numbers = 0
        self.lines = wire.Lines()
        self.head_since = time.monotonic()
        self.level = level
        self.slot = slot

    @property
    def deadline(self) -> float:
        """When the job at the head is overdue, on the monotonic clock."""
        head = next(iter(self.open.values()))
        limits = head.limits
        # asked twice at most (see judge/endings.py), by a judge that may get a third of a processor
        return self.head_since + 2 * (limits.wall_s + 3 * limits.judge_cpu_s) + GRACE_S

    def wait_ready(self) -> None:
        """Wait until the worker and its zygote are ready; raises AssayError when they do not."""
        self.sock.settimeout(120)
        try:
            message = self.sock.recv(4096)
        except OSError:
            message = b""
        self.sock.settimeout(None)
        said = unpacked(message) if message else None
        if not isinstance(said, Ready):
            reason = said.reason if said else "it ended"
            raise IsolationRefused(f"isolation {self.level} did not start here: {reason}")

    def proves_itself(self) -> bool:
        """Whether a program of ours, which nothing is wrong with, passes here."""
        self.give(0, PROOF)
        results = self.read_wait(60)
        self.open.clear()
        return bool(results) and results[0].verdict == PASSED

    def give(self, ticket: int, job: Job) -> None:
        """Send one job, and its suite where the worker does not hold it; never wait for it."""
        messages = self._suite_messages(job.suite)
        number = self.suites[job.suite.key][0]
        messages.append(JobMessage(ticket, number, job.source, job.limits, job.mode))
        data = b"".join(map(packed, messages))
        if not self.open:
            self.head_since = time.monotonic()
        self.open[ticket] = job
        self.unsent.append(memoryview(data))
        self.send()

    def send(self) -> None:
        """Send what the worker takes just now; the rest waits in ``unsent``."""
        try:
            while self.unsent:
                sent = self.sock.send(self.unsent[0], socket.MSG_DONTWAIT)
                self.unsent[0] = self.unsent[0][sent:]
                if not self.unsent[0]:
                    del self.unsent[0]
        except BlockingIOError:
            pass
        except OSError:  # a dead worker shows as an end of stream, in read
            self.unsent.clear()

    def _suite_messages(self, suite: Suite) -> list[ToWorker]:
        known = self.suites.pop(suite.key, None)
        if known is not None and (known[1] is suite or known[1] == suite):
            self.suites[suite.key] = known
            return []
        messages: list[ToWorker] = []
        if known is not None:
            messages.append(ForgetMessage(known[0]))
        while self.suites and (len(self.suites) >= KNOWN_SUITES or self._overfull(suite)):
            oldest = next(iter(self.suites))
            messages.append(ForgetMessage(self.suites.pop(oldest)[0]))
        self.numbers += 1
        messages.append(SuiteMessage(self.numbers, suite))
        self.suites[suite.key] = (self.numbers, suite)
        return messages

    def _overfull(self, suite: Suite) -> bool:
        held = [suite, *(known for _, known in self.suites.values())]
        return sum(map(_characters, held)) > KNOWN_CHARACTERS

    def arrived_reports(self) -> list[Report] | None:
        """The reports that have arrived, or None when the worker is gone."""
        try:
            data = self.sock.recv(1 << 20)
        except OSError:
            data = b""
        if not data:
            return None
        lines = self.lines.feed(data)
        if lines:
            self.head_since = time.monotonic()
        return [unpacked(line) for line in lines]

    def read_wait(self, wait_s: float) -> list[Report]:
        """Wait for the next reports; empty when none came in time."""
        ends = time.monotonic() + wait_s
        watch = select.poll()
        reports: list[Report] | None = []
        while not reports and reports is not None:
            watch.register(self.sock, self.events)
            ready = watch.poll(max(0.0, ends - time.monotonic()) * 1000)
            if not ready:
                return []
            self.send()
            if ready[0][1] & ~select.POLLOUT:
                reports = self.arrived_reports()
        return reports or []

    @property
    def events(self) -> int:
        """What to poll our socket for."""
        return select.POLLIN | (select.POLLOUT if self.unsent else 0)

    @property
    def judged_too_long(self) -> bool:
        """Whether the worker, which is gone, was ended by the limit on its judge."""
        return self.process.returncode == -signal.SIGXCPU

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


def _characters(suite: Suite) -> int:
    return sum(map(len, suite.inputs)) + sum(map(len, suite.expected or ()))


def _processor(slot: int) -> int:
    """The processor a slot keeps to: judge, zygote and child take turns, and share its cache.

    Which comes first differs between pools, so that two runs on a large machine keep apart.
    """
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[(os.getpid() + slot) % len(allowed)]
