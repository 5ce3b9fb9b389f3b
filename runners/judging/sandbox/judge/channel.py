"""One conversation with one child. Whatever arrives is data to be judged, never trusted."""

import contextlib
import math
import select
import socket
import time

from runners.judging.sandbox import wire
from runners.judging.sandbox.judge.answers import decoded, described
from runners.judging.sandbox.judge.endings import Ended, Refused, Tampered, TooSlow
from runners.judging.sandbox.judge.suites import Call
from runners.judging.sandbox.types import OVERRUN, Limits, wall_for
from runners.judging.sandbox.zygote_link import ZygoteLink

WATCH_AFTER_S = 0.02  # of waiting for one test, before the zygote is asked to watch it


class Channel:
    """One conversation with one child. Whatever arrives is data to be judged, never trusted.

    The wall limit is on the time spent here waiting for the child, in all. The judge's own work is
    not in it, or a busy machine would make a timeout of it. Where tests have a separate limit,
    the zygote watches each that takes its time.
    """

    def __init__(self, zygote: ZygoteLink, scheduler: socket.socket, limits: Limits):
        self.zygote = zygote
        self.sock = zygote.run(limits)
        self.watch = select.poll()
        self.watch.register(self.sock, select.POLLIN)
        self.watch.register(scheduler, 0)  # only its hanging up
        self.scheduler_fd = scheduler.fileno()
        self.sequence = zygote.sequence
        self.nonce = ""
        self.patience_s = limits.wall_s
        self.test_cpu_s: float | None = limits.test_cpu_s
        self.test_patience_s = math.inf
        self.unwatched_s = math.inf  # how much longer to wait before the test is watched
        self.watched = False
        self.max_frame = (limits.output_kb << 10) + 1024
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
        except (OSError, TooSlow):
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

    def ask(self, calls: list[Call]) -> None:
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
            name, message = described(text)
            raise Refused(name, message)
        if kind != wire.LOADED:
            raise Tampered("an answer before any question")
        names = decoded(text)
        if type(names) is not list or any(type(name) is not str for name in names):
            raise Tampered("malformed list of names")
        return names

    def answer(self, *also: bytes) -> tuple[bytes, str]:
        """Wait for the answer to the oldest open call, or for a frame of another kind."""
        kind, text = self._frame()
        if kind not in (wire.ANSWER, wire.RAISED, *also):
            raise Tampered("not an answer")
        return kind, text

    def report(self) -> str:
        """Wait for the report of a child that runs the tests itself."""
        kind, text = self._frame()
        if kind == wire.REFUSED:
            raise Refused(*described(text))
        if kind != wire.REPORT:
            raise Tampered("not a report")
        return text

    def quiet(self, open_calls: int) -> None:
        """Make sure that nothing came that nobody asked for."""
        if open_calls > 0:
            return
        if self.position < len(self.buffer):
            raise Tampered("more answers than questions")
        try:
            if self.sock.recv(1, socket.MSG_DONTWAIT):
                raise Tampered("more answers than questions")
        except BlockingIOError:
            pass
        except OSError:
            pass  # the child is gone, after its last answer

    def _frame(self) -> tuple[bytes, str]:
        (size,) = wire.HEADER.unpack(self._take(wire.HEADER.size))
        if not 1 <= size <= self.max_frame:
            raise Tampered("a frame of impossible size")
        body = self._take(size)
        try:
            return body[:1], body[1:].decode()
        except UnicodeDecodeError:
            raise Tampered("a frame that is not text") from None

    def _take(self, size: int) -> bytes:
        while len(self.buffer) - self.position < size:
            missing = size - (len(self.buffer) - self.position)
            self._wait(select.POLLIN)
            try:
                data = self.sock.recv(max(65536, min(missing, 1 << 20)))
            except OSError:
                data = b""
            if not data:
                raise Ended
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
                raise TooSlow
            self.zygote.watch(self.sequence, self.test_cpu_s * OVERRUN)
            self.watched = True
