"""The loop of a warm process: fork for each candidate, watch the child, clean up after it.

The warm process is the first of its process namespace and has given up every privilege. So a
candidate cannot signal it, although it has the same user. One ``kill(-1)`` by the warm process ends
all that a candidate started. It runs no candidate itself.
"""

import fcntl
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from runners.judging.sandbox.walls import confine, forkers, linux
from runners.projects.inside.suite_process import N_FDS, PROJECT, REPORT_FD
from runners.projects.inside.tree import Tree

PEEK_S = 0.1
MAX_PACKET_BYTES = 4096
UNFIT = 77  # the exit status of a child that cannot exchange its function


@dataclass(frozen=True)
class ChildTask:
    """The request to one child (see ``Asked``), and its limits."""

    path: str | None
    function: Mapping[str, Any] | None
    lines: Sequence[str]
    tests: Sequence[str]
    source: bytes
    plainly: bool
    cpu_s: float
    wall_s: float


class Preparation(Protocol):
    """What a warm process does before it forks: each page that a child touches costs time."""

    def begin(self) -> Sequence[int]:
        """Called before the first task; returns the files that plain children share, still
        empty."""

    def prepare(self, task: ChildTask) -> None:
        """Called before the fork for this task."""


class Forking:
    """Takes requests from a socket; ``serve`` returns in each child, and nowhere else."""

    def __init__(self, control: socket.socket, forker: forkers.NamespaceForker):
        self._control = control
        self._forker = forker

    def serve(self, preparation: Preparation | None = None) -> ChildTask:
        """Fork for each request until the other side closes; return the request in the child."""
        if threading.active_count() > 1:
            self._say(why="threads", names=[each.name for each in threading.enumerate()][1:9])
            os._exit(0)
        self._forker.end_all()
        _collect_garbage()
        os.chdir(PROJECT)
        self._tree = Tree([forkers.TMP, confine.SHM])
        self._shared = preparation.begin() if preparation else ()
        self._offsets = _offsets()
        gc.freeze()
        linux.trim_heap()
        self._say(why="serving")
        while True:
            packet, fds, _, _ = socket.recv_fds(self._control, MAX_PACKET_BYTES, 1)
            if not packet or len(fds) != 1:
                os._exit(0)
            began = time.monotonic(), time.process_time()
            task = _task(fds[0])
            if preparation:
                preparation.prepare(task)
            pid = self._forker.fork(bare=True)
            if pid == 0:
                self._begin(int(task.cpu_s))
                return task
            self._end(pid, task, *began)

    def _begin(self, cpu_s: int) -> None:
        """Become the child of one request."""
        os.close(self._control.fileno())
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s + 2, cpu_s + 3))

    def _end(self, pid: int, task: ChildTask, began: float, used_before: float) -> None:
        """Wait for a child's end, restore what it changed, and report how it ended."""
        why = self._watch(pid, began + task.wall_s, task.cpu_s)
        _, status, usage = os.wait4(pid, 0)
        used = usage.ru_utime + usage.ru_stime + self._forker.end_all()
        killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if why == "exited" and (
            killed == signal.SIGXCPU or (killed and used >= task.cpu_s) or used > task.cpu_s
        ):
            why = "cpu"
        if not task.plainly:
            self._tree.restore()
            os.chdir(PROJECT)  # another folder of this name, if the child removed it
        elif task.path is not None:  # such a child has written its own file, and no other
            self._tree.write_back(f"{PROJECT}/{task.path}")
        for fd in self._shared:
            os.ftruncate(fd, 0)
        for fd, offset in self._offsets.items():
            os.lseek(fd, offset, os.SEEK_SET)
        self._say(
            why=why,
            signal=killed,
            status=os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            cpu_s=used,
            own_cpu_s=time.process_time() - used_before,
            wall_s=time.monotonic() - began,
        )

    def _watch(self, pid: int, until: float, cpu_s: float) -> str:
        """Return how the child ended: by itself, or killed at a limit."""
        pidfd = os.pidfd_open(pid)
        poll = select.poll()
        for fd in (pidfd, self._control.fileno()):
            poll.register(fd, select.POLLIN)
        try:
            while True:
                ready = {fd for fd, _ in poll.poll(PEEK_S * 1000)}
                if pidfd in ready:
                    return "exited"
                if self._control.fileno() in ready:  # nobody waits for an answer any more
                    os._exit(0)
                why = "cpu" if self._forker.spent(pid) > cpu_s else ""
                why = why or ("wall" if time.monotonic() > until else "")
                if why:
                    self._forker.kill(pid)
                    return why
        finally:
            os.close(pidfd)

    def _say(self, **words: object) -> None:
        self._control.send(json.dumps(words).encode())


def _task(asked: int) -> ChildTask:
    """Return the request of the trusted side.

    The child writes its report into the same file, after the request.
    """
    size = os.fstat(asked).st_size
    head, _, source = os.read(asked, size).partition(b"\n")
    os.dup2(asked, REPORT_FD)
    os.close(asked)
    return ChildTask(source=source, **json.loads(head))


def _offsets() -> dict[int, int]:
    """Return the offset of each open file, which a process shares with its forks."""
    found = {}
    for fd in set(range(N_FDS)) - {REPORT_FD}:
        with suppress(OSError):  # nothing open, or no file
            found[fd] = os.lseek(fd, 0, os.SEEK_CUR)
    return found


def _collect_garbage() -> None:
    """Collect the garbage of the imports, without warnings.

    A file that is still open would be an error of the first test, where warnings are errors. A
    process that runs the whole suite mostly collects it after its tests.
    """
    hook = sys.unraisablehook
    sys.unraisablehook = lambda _: None
    try:
        gc.collect()
    finally:
        sys.unraisablehook = hook


def keep_high(fd: int, lowest: int) -> int:
    """Return a copy of a descriptor, at ``lowest`` or above; close the descriptor itself."""
    kept = fcntl.fcntl(fd, fcntl.F_DUPFD, lowest)
    os.close(fd)
    return kept
