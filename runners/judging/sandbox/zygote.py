"""The warm parent: confined once, it forks one child per program and reaps it.

It holds no test, no program and no expected value: the child reads its program from a socket that
the zygote only passes on.
"""

import _socket  # not socket, whose enumerations every fork would carry
import gc
import importlib
import os
import resource
import select
import signal
import struct
import sys
import time
from collections.abc import Sequence

from models.plain import codec
from models.words import FILTERED
from runners.judging.sandbox import wire
from runners.judging.sandbox.inside.child import Step, serve
from runners.judging.sandbox.walls import code_pages, confine, forkers, linux, sqlite_locks

# Modules programs often import. None of them makes `import a` hide a missing `import a.b`.
PRELOADED = (
    *("bisect", "collections", "copy", "datetime", "decimal", "fractions", "functools", "heapq"),
    *("itertools", "json", "math", "operator", "random", "re", "string", "time", "typing"),
)
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)
"""For libraries of numbers: each would start a thread for every processor."""
CHILD_FD = 3
PEEK_S = 0.1  # between two looks at what a child and all it started have used
FD = struct.Struct("i")
ANCILLARY_BYTES = _socket.CMSG_SPACE(FD.size)


def main(arguments: Sequence[str]) -> None:
    """Confine this process at the level asked for, then serve until the worker hangs up."""
    control = _socket.socket(fileno=int(arguments[0]))
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _preload()
    _rehearse()
    code_pages.share_code()
    level, packages = arguments[1:]
    shown = {confine.PACKAGES: packages} if packages else {}
    if level in FILTERED:
        sqlite_locks.lock_by_folders()
    try:
        forker = confine.enter(level, shown)
    except OSError as error:
        control.send(str(error).encode()[:500])
        return
    if shown:
        sys.path.append(confine.place_of(level, confine.PACKAGES, shown))
        os.environ.update(ONE_THREAD)
    _forget_ourselves()
    forkers.limit_process(NOFILE=64)
    gc.collect()
    gc.freeze()
    linux.trim_heap()
    control.send(b"ready")
    Zygote(control, forker).serve()
    os._exit(0)


class Zygote:
    """Serves one program at a time."""

    def __init__(self, control: _socket.socket, forker: forkers.Forker):
        self.control = control
        self.forker = forker
        self.entering: dict[tuple[int, ...], list[Step]] = {}
        self.poll = select.poll()
        self.poll.register(control, select.POLLIN)
        if forker.bell is not None:
            self.poll.register(forker.bell, select.POLLIN)

    def serve(self) -> None:
        """Answer RUN packets until the worker is gone."""
        while True:
            packet, ancillary, _, _ = self.control.recvmsg(256, ANCILLARY_BYTES)
            if not packet:
                return
            if packet[:1] != b"R":  # a STOP that crossed with the END it asks for
                continue
            self._run(packet, FD.unpack(ancillary[0][2])[0])

    def _run(self, packet: bytes, fd: int) -> None:
        _, sequence, cpu_s, memory, nproc, fsize, tmp, answer = wire.RUN.unpack(packet)
        started = time.monotonic()
        limits = (fd, int(cpu_s), memory, fsize, nproc)
        entering = self.entering.get(limits)
        if entering is None:
            entering = self.entering[limits] = _entering(*limits, self.forker)
        try:
            self.forker.prepare(tmp, nproc)
            pid = self.forker.fork()
        except OSError:
            os.close(fd)
            self.control.send(wire.END.pack(wire.SANDBOX, sequence, 0, 0.0, 0.0, 0.0, 0))
            return
        if pid == 0:
            try:
                serve(CHILD_FD, codec, answer, entering)
            finally:
                os._exit(0)
        os.close(fd)
        reason, longest = self._watch(pid, sequence, cpu_s)
        _, status, usage = os.wait4(pid, 0)
        ended = time.monotonic()
        used = usage.ru_utime + usage.ru_stime + self.forker.clean(pid)
        if os.WIFSIGNALED(status) and reason == wire.EXITED:
            killed = os.WTERMSIG(status)
            if killed == signal.SIGXCPU or (killed == signal.SIGKILL and used >= cpu_s):
                reason = wire.CPU
        self.control.send(
            wire.END.pack(reason, sequence, status, used, longest, ended - started, usage.ru_maxrss)
        )

    def _watch(self, pid: int, sequence: int, cpu_s: float) -> tuple[bytes, float]:
        """Wait for the child's end, a limit, or the worker's word; kill in the last two.

        Returns how it ended, and the CPU seconds of the longest test that was watched. The end may
        come before the word that a test is over: such a test counts until then.
        """
        pidfd = os.pidfd_open(pid)
        self.poll.register(pidfd, select.POLLIN)
        used = longest = 0.0
        test: tuple[float, float] | None = None  # when the one being watched began, and may end
        try:
            while True:
                left = min(cpu_s, test[1] if test else cpu_s) - used
                if left <= 0:
                    self.forker.kill(pid)
                    return wire.CPU, longest
                ready = {fd for fd, _ in self.poll.poll(min(left, PEEK_S) * 1000 + 1)}
                if self.forker.bell in ready and pidfd not in ready:
                    self.forker.answer()
                packet = self.control.recv(256) if self.control.fileno() in ready else None
                if packet == b"":
                    self.forker.kill(pid)
                    os._exit(0)
                exited, stopped = pidfd in ready, packet == wire.STOP.pack(b"K", sequence)
                if test or not (exited or stopped):
                    used = self.forker.spent(pid)
                    longest = max(longest, used - test[0] if test else 0.0)
                if exited:
                    return wire.EXITED, longest
                if stopped:
                    self.forker.kill(pid)
                    return wire.STOPPED, longest
                if packet and packet[:1] == b"T" and len(packet) == wire.WATCH.size:
                    _, number, allowed = wire.WATCH.unpack(packet)
                    if number == sequence:
                        test = (used, used + allowed) if allowed else None
        finally:
            self.poll.unregister(pidfd)
            os.close(pidfd)


def _preload() -> None:
    """Import what programs import; ``random`` without its habit of reseeding after a fork."""
    register = os.register_at_fork
    os.register_at_fork = lambda **_: None
    try:
        for name in PRELOADED:
            importlib.import_module(name)
    finally:
        os.register_at_fork = register
    sys.modules["random"].seed(0)


def _rehearse() -> None:
    """Play a few programs here, so that no child pays for what can be warmed up once.

    The interpreter specialises code as it runs; each page it changes after a fork is a page copied.
    """
    source = "def f(x):\n    return [x + 1, 'a', 2.5]\n"
    program = codec.encode(["calls", ["g"], source, ""]).encode()
    frames = [program, *[wire.pack_calls([("f", "[1]"), ("g", '[[1.5,"a"],{"t":[1]}]')])] * 4]
    for _ in range(12):
        ours, theirs = _socket.socketpair()
        ours.sendall(b"".join(wire.HEADER.pack(len(frame)) + frame for frame in frames))
        ours.shutdown(_socket.SHUT_WR)
        serve(theirs.fileno(), codec, 1 << 20, [(os.getpid, ())] * 8)
    del sys.modules["candidate"]


def _entering(
    fd: int, cpu_s: int, memory: int, fsize: int, nproc: int, forker: forkers.Forker
) -> list[Step]:
    """What a child does first: keep one descriptor, take the limits, drop what is left."""
    limits = (
        (resource.RLIMIT_CPU, (cpu_s + 2, cpu_s + 3)),  # the kernel's own watch, if ours is late
        (resource.RLIMIT_AS, (memory, memory)),
        (resource.RLIMIT_FSIZE, (fsize, fsize)),
    )
    return [
        *([(os.dup2, (fd, CHILD_FD))] if fd != CHILD_FD else []),
        (os.closerange, (CHILD_FD + 1, 64)),
        (os.setsid, ()),
        (os.chdir, (forkers.TMP,)),
        *((resource.setrlimit, limit) for limit in limits),
        *forker.dropping(nproc),
    ]


def _forget_ourselves() -> None:
    """A program must not find our modules by import."""
    for name in list(sys.modules):
        if name.partition(".")[0] in ("models", "runners"):
            del sys.modules[name]
    sys.argv = [""]
    os.environ.pop("LD_BIND_NOW", None)
