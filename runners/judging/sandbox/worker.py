"""The trusted process between scheduler and zygote: it holds the tests and gives the verdicts.

One program at a time; the next one is already on its way to the zygote while the last is reaped.
"""

import gc
import os
import resource
import secrets
import select
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from models.words import ERROR, OUT_OF_MEMORY, SAME_INTERPRETER, SCRIPT
from runners.judging.sandbox import wire
from runners.judging.sandbox.judge.channel import Channel
from runners.judging.sandbox.judge.conversation import judge, opening
from runners.judging.sandbox.judge.endings import (
    BrokenOff,
    Ending,
    JudgeLimit,
    Refused,
    beyond_judging,
    unswallowed,
)
from runners.judging.sandbox.judge.report import report, unprepared
from runners.judging.sandbox.judge.streams import judge_script
from runners.judging.sandbox.judge.suites import PreparedSuite
from runners.judging.sandbox.judge.verdicts import Verdict
from runners.judging.sandbox.messages import (
    ForgetMessage,
    FromWorker,
    JobMessage,
    Ready,
    Refusal,
    SuiteMessage,
    ToWorker,
    packed,
    unpacked,
)
from runners.judging.sandbox.zygote_link import ChildEnd, ZygoteLink, ZygoteLost

HANG_UP_S = 0.2  # a child that hung up has this long to end in its own way


def main(arguments: Sequence[str]) -> None:
    """Start a zygote, then judge jobs from the scheduler until it hangs up."""
    scheduler = socket.socket(fileno=int(arguments[0]))
    os.sched_setaffinity(0, {int(arguments[2])})
    try:
        zygote = ZygoteLink(arguments[1], arguments[3])
    except ZygoteLost as error:
        scheduler.sendall(packed(Refusal(str(error))))
        return
    signal.signal(signal.SIGPROF, _out_of_time)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGXCPU])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.set_int_max_str_digits(0)
    gc.freeze()
    try:
        Worker(scheduler, zygote).serve()
    except (ZygoteLost, ConnectionError):
        pass  # the scheduler sees this worker end
    finally:
        zygote.close()


def _out_of_time(*_: Any) -> None:
    raise JudgeLimit("processor time")


@dataclass(frozen=True)
class PreparedJob:
    """A job with its tests."""

    job: JobMessage
    prepared: PreparedSuite


class Worker:
    """Reads jobs, judges them, writes reports; sees one scheduler and one zygote."""

    def __init__(self, scheduler: socket.socket, zygote: ZygoteLink):
        self.scheduler = scheduler
        self.zygote = zygote
        self.suites: dict[int, PreparedSuite | str] = {}
        self.queue: deque[ToWorker] = deque()
        self.incoming = wire.Lines()
        self.statm = os.open("/proc/self/statm", os.O_RDONLY)
        self.most_cpu_s = resource.getrlimit(resource.RLIMIT_CPU)[1]

    def serve(self) -> None:
        """Judge until the scheduler hangs up."""
        self._send(Ready())
        task = self._next(wait=True)
        while task is not None:
            started = self._start(task)
            while task is not None:
                verdict, ending = self._converse(task, started)
                hung_up = ending is not None and ending.hung_up
                if not hung_up or not self.zygote.speaks_within(HANG_UP_S):
                    self.zygote.stop(started.sequence)
                if ending is not None and ending.asked_again:
                    task.prepared.unlearn()
                    self._reap(started)
                    started = self._start(task)
                    continue
                following = self._next(wait=False)
                upcoming = self._start(following) if following else None
                end = self._reap(started)
                self._send(report(task.job, task.prepared, verdict, ending, end))
                if following is None or upcoming is None:
                    break
                task, started = following, upcoming
            task = self._next(wait=True)

    def _start(self, task: PreparedJob) -> Channel:
        job, prepared = task.job, task.prepared
        channel = Channel(self.zygote, self.scheduler, job.limits)
        if job.mode == SAME_INTERPRETER:
            channel.nonce = secrets.token_hex(16)
            if prepared.suite.test_code is not None:
                channel.test_cpu_s = None  # its tests come as one report
        channel.send(opening(prepared, job.source, job.mode, channel.nonce))
        return channel

    def _converse(self, task: PreparedJob, channel: Channel) -> tuple[Verdict, Ending | None]:
        """Return what the judge found, and how the conversation ended if it was broken off.

        An exception is not returned: its traceback would keep the values of the program.
        """
        verdict = Verdict(task.prepared.n_tests)
        limits = task.job.limits
        ending: Ending | None = None
        signal.setitimer(signal.ITIMER_PROF, limits.judge_cpu_s)
        self._limit_time(limits.judge_cpu_s)
        _limit_memory(self._address_space() + (limits.judge_memory_mb << 20))
        try:
            holds = judge_script if task.prepared.suite.entry_point == SCRIPT else judge
            with unswallowed():
                holds(task.prepared, channel, task.job.mode, verdict)
        except BrokenOff as error:
            ending = error.ending
        except (MemoryError, RecursionError) as error:
            ending = beyond_judging(error)
        except Refused as error:
            verdict.bad(OUT_OF_MEMORY if error.name == "MemoryError" else ERROR, str(error))
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            _limit_memory(resource.RLIM_INFINITY)
            self._limit_time(None)
        return verdict, ending

    def _limit_time(self, judge_cpu_s: float | None) -> None:
        """Have the kernel kill this worker by SIGXCPU should the judge stay inside one C call.

        One to two seconds later than SIGPROF, whose handler needs the interpreter to continue.
        """
        soft = self.most_cpu_s
        if judge_cpu_s is not None:
            soft = int(time.process_time() + judge_cpu_s) + 2
            if self.most_cpu_s != resource.RLIM_INFINITY:
                soft = min(soft, self.most_cpu_s)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, self.most_cpu_s))

    def _address_space(self) -> int:
        """Bytes of address space in use: suites at hand differ, what judging may add does not."""
        return int(os.pread(self.statm, 64, 0).split()[0]) * resource.getpagesize()

    def _reap(self, channel: Channel) -> ChildEnd:
        channel.sock.close()
        return self.zygote.ended(channel.sequence)

    def _next(self, *, wait: bool) -> PreparedJob | None:
        """The next job, or None: nothing queued, or (when waiting) the scheduler hung up."""
        while True:
            while self.queue:
                message = self.queue.popleft()
                if isinstance(message, SuiteMessage):
                    self._prepare(message)
                elif isinstance(message, ForgetMessage):
                    del self.suites[message.number]
                else:
                    prepared = self.suites[message.suite_number]
                    if not isinstance(prepared, str):
                        return PreparedJob(message, prepared)
                    self._send(unprepared(message.ticket, prepared))
            if not self._read(wait=wait):
                return None

    def _prepare(self, message: SuiteMessage) -> None:
        try:
            self.suites[message.number] = PreparedSuite(message.suite)
        except (ValueError, RecursionError) as error:
            self.suites[message.number] = str(error)

    def _read(self, *, wait: bool) -> bool:
        if not wait and not select.select([self.scheduler], [], [], 0)[0]:
            return False
        data = self.scheduler.recv(1 << 16)  # a larger buffer would be mapped for each message
        if not data:
            if not wait:
                raise ConnectionError("the scheduler hung up")
            return False
        self.queue.extend(map(unpacked, self.incoming.feed(data)))
        return True

    def _send(self, message: FromWorker) -> None:
        self.scheduler.sendall(packed(message))


def _limit_memory(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))
