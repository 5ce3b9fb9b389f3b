"""The trusted process between scheduler and zygote: it holds the tests and gives the verdicts.

One program at a time; the next one is already on its way to the zygote while the last is reaped.
"""

import contextlib
import gc
import json
import math
import os
import resource
import secrets
import select
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from models.words import (
    ERROR,
    HARNESS_FAULT,
    NOT_RUN,
    OUT_OF_MEMORY,
    PASSED,
    SAME_INTERPRETER,
    SCRIPT,
    SPLIT,
    TAMPERED,
    TIMEOUT,
)
from runners.judging.sandbox import judge, launch, wire
from runners.judging.sandbox.streams import judge_script
from runners.judging.sandbox.types import OVERRUN, Suite, wall_for

HANG_UP_S = 0.2  # a child that hung up has this long to end in its own way
WATCH_AFTER_S = 0.02  # of waiting for one test, before the zygote is asked to watch it
PATIENCE_S = 30.0  # for the word on a child that is to die, before its zygote counts as lost


class ZygoteLost(Exception):
    """The zygote does not answer: this worker ends, and the scheduler starts another."""


def main(arguments: Sequence[str]) -> None:
    """Start a zygote, then judge jobs from the scheduler until it hangs up."""
    scheduler = socket.socket(fileno=int(arguments[0]))
    os.sched_setaffinity(0, {int(arguments[2])})
    try:
        zygote = ZygoteLink(arguments[1])
    except ZygoteLost as error:
        scheduler.sendall(json.dumps(["refused", str(error)]).encode() + b"\n")
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
    raise judge.JudgeLimit("processor time")


@dataclass
class Task:
    """A job as the scheduler sends it, with what the worker adds."""

    ticket: int
    key: str
    prepared: judge.PreparedSuite
    source: str
    limits: dict[str, Any]
    mode: str


class ZygoteLink:
    """The zygote's control socket and process."""

    def __init__(self, level: str):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        theirs.set_inheritable(True)
        self.process: subprocess.Popen[bytes] = launch.start("zygote", [level], theirs.fileno())
        theirs.close()
        self.control = ours
        self.sequence = 0
        self.control.settimeout(60)
        try:
            ready = self.control.recv(1024)
        except OSError:
            ready = b""
        if ready != b"ready":
            self.close()
            raise ZygoteLost(ready.decode(errors="replace"))

    def run(self, limits: dict[str, Any]) -> socket.socket:
        """Ask for a child; returns our end of its socket."""
        ours, theirs = socket.socketpair()
        self.sequence += 1
        packet = wire.RUN.pack(
            b"R",
            self.sequence,
            limits["cpu_s"] * OVERRUN,
            limits["memory_mb"] << 20,
            limits["nproc"],
            limits["fsize_mb"] << 20,
            limits["tmpfs_mb"] << 20,
            limits["output_kb"] << 10,
        )
        try:
            socket.send_fds(self.control, [packet], [theirs.fileno()])
        except OSError as error:
            raise ZygoteLost(str(error)) from None
        theirs.close()
        return ours

    def stop(self, sequence: int) -> None:
        """Judging is over: the child may die."""
        self._tell(wire.STOP.pack(b"K", sequence))

    def watch(self, sequence: int, allowed_s: float) -> None:
        """The test that runs now may use so much more CPU time; 0: it is over."""
        self._tell(wire.WATCH.pack(b"T", sequence, allowed_s))

    def _tell(self, packet: bytes) -> None:
        try:
            self.control.send(packet)
        except OSError as error:
            raise ZygoteLost(str(error)) from None

    def speaks_within(self, wait_s: float) -> bool:
        """Whether the zygote already reports an end: the child's own, not one we cause."""
        return bool(select.select([self.control], [], [], wait_s)[0])

    def ended(self, sequence: int, wait_s: float) -> tuple[bytes, int, float, float, float, int]:
        """Wait for the word on how that child ended.

        Returns reason, status, cpu_s, cpu_s of the longest test watched, wall_s and max RSS.
        """
        self.control.settimeout(wait_s)
        try:
            packet = self.control.recv(256)
        except OSError as error:
            raise ZygoteLost(str(error)) from None
        if len(packet) != wire.END.size:
            raise ZygoteLost("the zygote ended")
        reason, number, status, cpu_s, test_cpu_s, wall_s, rss = wire.END.unpack(packet)
        if number != sequence:
            raise ZygoteLost("the zygote lost count")
        return reason, status, cpu_s, test_cpu_s, wall_s, rss

    def close(self) -> None:
        """Hang up, give it the time to kill its child, and make sure of it."""
        self.control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        self.process.kill()
        self.process.wait()


class Channel:
    """One conversation with one child. Whatever arrives is data to be judged, never trusted.

    The wall limit is on the time spent here waiting for the child, in all; the judge's own work
    is not in it, or a busy machine would make a timeout of it. Where tests have a limit of their
    own, the zygote watches each that takes its time.
    """

    def __init__(self, zygote: ZygoteLink, scheduler: socket.socket, limits: dict[str, Any]):
        self.zygote = zygote
        self.sock = zygote.run(limits)
        self.watch = select.poll()
        self.watch.register(self.sock, select.POLLIN)
        self.watch.register(scheduler, 0)  # only its hanging up
        self.scheduler_fd = scheduler.fileno()
        self.sequence = zygote.sequence
        self.nonce = ""
        self.patience_s = limits["wall_s"]
        self.test_cpu_s: float | None = limits["test_cpu_s"]
        self.test_patience_s = math.inf
        self.unwatched_s = math.inf  # how much longer to wait before the test is watched
        self.watched = False
        self.max_frame = (limits["output_kb"] << 10) + 1024
        self.buffer = b""
        self.position = 0

    def send(self, frames: list[bytes]) -> None:
        """Send frames; a child that is gone or takes nothing shows when its answer is awaited."""
        data = memoryview(b"".join(wire.HEADER.pack(len(frame)) + frame for frame in frames))
        try:
            while data:
                try:
                    data = data[self.sock.send(data, socket.MSG_DONTWAIT) :]
                except BlockingIOError:
                    self._wait(select.POLLOUT)
        except (OSError, judge.TooSlow):
            return

    def next_test(self) -> None:
        """What the child does from now on belongs to another test."""
        if self.test_cpu_s is None:
            return
        self.test_patience_s = wall_for(self.test_cpu_s)
        self.unwatched_s = WATCH_AFTER_S
        if self.watched:
            self.zygote.watch(self.sequence, 0.0)
            self.watched = False

    def ask(self, calls: list[judge.Call]) -> None:
        """Ask for one or more calls."""
        self.send([wire.pack_calls(calls)])

    def lend(self, fds: list[int]) -> None:
        """Give the child, which waits for nothing else, open files."""
        with contextlib.suppress(OSError):  # gone: as above
            socket.send_fds(self.sock, [b"F"], fds)

    def loaded(self) -> list[str]:
        """Wait until the program is loaded; returns which of the names asked for it can call."""
        kind, text = self._frame()
        if kind == wire.REFUSED:
            name, message = judge.described(text)
            raise Refused(name, message)
        if kind != wire.LOADED:
            raise judge.Tampered("an answer before any question")
        names = judge.decoded(text)
        if type(names) is not list or any(type(name) is not str for name in names):
            raise judge.Tampered("malformed list of names")
        return names

    def answer(self, *also: bytes) -> tuple[bytes, str]:
        """Wait for the answer to the oldest open call, or for a frame of another kind."""
        kind, text = self._frame()
        if kind not in (wire.ANSWER, wire.RAISED, *also):
            raise judge.Tampered("not an answer")
        return kind, text

    def report(self) -> str:
        """Wait for the report of a child that runs the tests itself."""
        kind, text = self._frame()
        if kind == wire.REFUSED:
            raise Refused(*judge.described(text))
        if kind != wire.REPORT:
            raise judge.Tampered("not a report")
        return text

    def quiet(self, open_calls: int) -> None:
        """Make sure that nothing came that nobody asked for."""
        if open_calls > 0:
            return
        if self.position < len(self.buffer):
            raise judge.Tampered("more answers than questions")
        try:
            if self.sock.recv(1, socket.MSG_DONTWAIT):
                raise judge.Tampered("more answers than questions")
        except BlockingIOError:
            pass
        except OSError:
            pass  # the child is gone, after its last answer

    def _frame(self) -> tuple[bytes, str]:
        (size,) = wire.HEADER.unpack(self._take(wire.HEADER.size))
        if not 1 <= size <= self.max_frame:
            raise judge.Tampered("a frame of impossible size")
        body = self._take(size)
        try:
            return body[:1], body[1:].decode()
        except UnicodeDecodeError:
            raise judge.Tampered("a frame that is not text") from None

    def _take(self, size: int) -> bytes:
        while len(self.buffer) - self.position < size:
            missing = size - (len(self.buffer) - self.position)
            self._wait(select.POLLIN)
            try:
                data = self.sock.recv(max(65536, min(missing, 1 << 20)))
            except OSError:
                data = b""
            if not data:
                raise judge.Ended
            self.buffer = self.buffer[self.position :] + data
            self.position = 0
        taken = self.buffer[self.position : self.position + size]
        self.position += size
        return taken

    def _wait(self, event: int) -> None:
        """Wait until the child sends (POLLIN) or takes (POLLOUT) something, or has hung up."""
        self.watch.modify(self.sock, event)
        while True:
            patience_s = max(min(self.patience_s, self.test_patience_s), 0.0)
            wait_s = patience_s if self.watched else min(patience_s, max(self.unwatched_s, 0.0))
            started = time.monotonic()
            ready = self.watch.poll(wait_s * 1000)
            waited_s = time.monotonic() - started
            self.patience_s -= waited_s
            self.test_patience_s -= waited_s
            self.unwatched_s -= waited_s
            if any(fd == self.scheduler_fd for fd, _ in ready):
                raise ConnectionError("the scheduler hung up")
            if ready:
                return
            if wait_s == patience_s or self.test_cpu_s is None:
                raise judge.TooSlow
            self.zygote.watch(self.sequence, self.test_cpu_s * OVERRUN)
            self.watched = True


class Refused(Exception):
    """The program did not load."""

    def __init__(self, name: str, message: str):
        super().__init__(f"{name}: {message}")
        self.name = name


class Worker:
    """Reads jobs, judges them, writes results; sees one scheduler and one zygote."""

    def __init__(self, scheduler: socket.socket, zygote: ZygoteLink):
        self.scheduler = scheduler
        self.zygote = zygote
        self.suites: dict[int, judge.PreparedSuite | str] = {}
        self.queue: deque[Any] = deque()
        self.incoming = wire.Lines()
        self.statm = os.open("/proc/self/statm", os.O_RDONLY)
        self.most_cpu_s = resource.getrlimit(resource.RLIMIT_CPU)[1]

    def serve(self) -> None:
        """Judge until the scheduler hangs up."""
        self._send(["ready"])
        task = self._next(wait=True)
        while task is not None:
            started = self._start(task)
            while task is not None:
                verdict, note = self._converse(task, started)
                if note != "ended" or not self.zygote.speaks_within(HANG_UP_S):
                    self.zygote.stop(started.sequence)
                if note == "diverged":
                    task.prepared.unlearn()
                    self._finish(task, started, verdict, note)
                    started = self._start(task)
                    continue
                following = self._next(wait=False)
                upcoming = self._start(following) if following else None
                self._finish(task, started, verdict, note)
                if following is None or upcoming is None:
                    break
                task, started = following, upcoming
            task = self._next(wait=True)

    def _start(self, task: Task) -> Channel:
        channel = Channel(self.zygote, self.scheduler, task.limits)
        if task.mode == SAME_INTERPRETER:
            channel.nonce = secrets.token_hex(16)
            if task.prepared.suite.test_code is not None:
                channel.test_cpu_s = None  # its tests come as one report
        channel.send(judge.opening(task.prepared, task.source, task.mode, channel.nonce))
        return channel

    def _converse(self, task: Task, channel: Channel) -> tuple[judge.Verdict, str]:
        verdict = judge.Verdict(task.prepared.n_tests)
        note = ""
        signal.setitimer(signal.ITIMER_PROF, task.limits["judge_cpu_s"])
        self._limit_time(task.limits["judge_cpu_s"])
        _limit_memory(self._address_space() + (task.limits["judge_memory_mb"] << 20))
        try:
            holds = judge_script if task.prepared.suite.entry_point == SCRIPT else judge.judge
            with judge.unswallowed():
                holds(task.prepared, channel, task.mode, verdict)
        except judge.Ended:
            note = "ended"
        except judge.TooSlow:
            note = "wall"
        except judge.Diverged:
            note = "diverged"
        except judge.Tampered as error:
            note = "tampered"
            verdict.first_bad = (TAMPERED, str(error))
        except (judge.JudgeLimit, MemoryError, RecursionError) as error:
            # the program's doing: its reference is judged within half of these limits
            note = "judge"
            verdict.first_bad = (
                ERROR,
                f"more than can be judged: {str(error) or type(error).__name__}",
            )
        except Refused as error:
            status = OUT_OF_MEMORY if error.name == "MemoryError" else ERROR
            verdict.bad(status, str(error))
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            _limit_memory(resource.RLIM_INFINITY)
            self._limit_time(None)
        return verdict, note

    def _limit_time(self, judge_cpu_s: float | None) -> None:
        """Have the kernel kill this worker by SIGXCPU should the judge stay inside one C call.

        One to two seconds later than SIGPROF, whose handler needs the interpreter to go on.
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

    def _finish(self, task: Task, channel: Channel, verdict: judge.Verdict, note: str) -> None:
        """Join the judge's finding with how the child ended, and send the result."""
        channel.sock.close()
        reason, status, cpu_s, test_cpu_s, wall_s, rss = self.zygote.ended(
            channel.sequence, PATIENCE_S
        )
        if note == "diverged":
            return
        why, word, message = _why(reason, status)
        if note == "wall" and reason != wire.CPU:
            why, word, message = "wall", TIMEOUT, "wall time limit"
        if note in ("ended", "wall"):
            if word != HARNESS_FAULT:
                _mark_open_test(verdict, word, message)
            verdict.bad(word, message)
        if note in ("tampered", "judge"):
            why = "protocol" if note == "tampered" else "judge"
        found, message = _decide(verdict, note)
        # one that fills its memory for as long as it may run is a timeout on any machine
        may_be_over = found in (PASSED, OUT_OF_MEMORY)
        if may_be_over and (over := _over(task.limits, cpu_s, test_cpu_s)):
            found, message = TIMEOUT, over
            if cpu_s > task.limits["cpu_s"] * OVERRUN:  # what it started, counted at its end
                why = "cpu"
        fault = why == "sandbox"
        self._send(
            [
                "result",
                task.ticket,
                found,
                [list(outcome) for outcome in verdict.outcomes],
                None if fault else cpu_s,
                None if fault else test_cpu_s or None,
                None if fault else wall_s,
                None if fault else rss,
                why,
                message[:500],
                SAME_INTERPRETER
                if task.mode == SAME_INTERPRETER and task.prepared.suite.test_code is not None
                else SPLIT,
                verdict.outputs if task.mode == "outputs" and found == PASSED else None,
            ]
        )

    def _next(self, *, wait: bool) -> Task | None:
        """The next job, or None: nothing queued, or (when waiting) the scheduler hung up."""
        while True:
            while self.queue:
                message = self.queue.popleft()
                if message[0] == "suite":
                    self._prepare(message)
                elif message[0] == "forget":
                    del self.suites[message[1]]
                else:
                    task = self._task(message)
                    if task is not None:
                        return task
            if not self._read(wait=wait):
                return None

    def _prepare(self, message: list[Any]) -> None:
        number, fields = message[1], message[2]
        fields["inputs"] = tuple(fields["inputs"])
        suite = Suite(**fields)
        try:
            self.suites[number] = judge.PreparedSuite(suite)
        except (ValueError, RecursionError) as error:
            self.suites[number] = str(error)

    def _task(self, message: list[Any]) -> Task | None:
        _, ticket, key, number, source, limits, mode = message
        prepared = self.suites[number]
        if isinstance(prepared, str):
            result: list[Any] = [
                HARNESS_FAULT,
                [],
                None,
                None,
                None,
                None,
                "judge",
                prepared,
                SPLIT,
                None,
            ]
            self._send(["result", ticket, *result])
            return None
        return Task(ticket, key, prepared, source, limits, mode)

    def _read(self, *, wait: bool) -> bool:
        if not wait and not select.select([self.scheduler], [], [], 0)[0]:
            return False
        data = self.scheduler.recv(1 << 16)  # a larger buffer would be mapped for each message
        if not data:
            if not wait:
                raise ConnectionError("the scheduler hung up")
            return False
        self.queue.extend(map(json.loads, self.incoming.feed(data)))
        return True

    def _send(self, message: list[Any]) -> None:
        self.scheduler.sendall(json.dumps(message).encode() + b"\n")


def _over(limits: dict[str, Any], cpu_s: float, test_cpu_s: float) -> str:
    """Say which CPU limit a program that came to its end went beyond; nothing where none."""
    if cpu_s > limits["cpu_s"]:
        return f"used {cpu_s:.2f} s of processor time, the limit is {limits['cpu_s']:g} s"
    if limits["test_cpu_s"] is not None and test_cpu_s > limits["test_cpu_s"]:
        limit = f"the limit is {limits['test_cpu_s']:g} s"
        return f"one test used {test_cpu_s:.2f} s of processor time, {limit}"
    return ""


def _limit_memory(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))


def _why(reason: bytes, status: int) -> tuple[str, str, str]:
    """How the child ended: why, the status of a test cut off by it, and a message."""
    if reason == wire.CPU:
        return "cpu", TIMEOUT, "processor time limit"
    if reason == wire.SANDBOX:
        return "sandbox", HARNESS_FAULT, "the sandbox could not start the program"
    if reason == wire.STOPPED:
        return "exit", ERROR, "the program hung up"
    signal_number = status & 0x7F
    if signal_number:
        return "signal", ERROR, f"the program was killed by signal {signal_number}"
    return "exit", ERROR, "the program ended before its tests"


def _mark_open_test(verdict: judge.Verdict, status: str, message: str) -> None:
    """The test whose answer never came gets the reason; those after it were not run."""
    current = verdict.current
    if current is not None and verdict.outcomes[current][0] in (NOT_RUN, PASSED):
        verdict.outcomes[current] = [status, message]


def _decide(verdict: judge.Verdict, note: str) -> tuple[str, str]:
    if verdict.passed and not note:
        return PASSED, ""
    if verdict.first_bad is not None:
        return verdict.first_bad
    open_tests = sum(status == NOT_RUN for status, _ in verdict.outcomes)
    if not verdict.answered:
        return ERROR, "the tests called nothing"
    return ERROR, f"{open_tests} of {len(verdict.outcomes)} tests were not reached"
