"""The process that compiles and runs one program of another language behind the walls.

The first process of the namespaces holds what is trusted: it writes the files, watches the clocks,
ends everything and tells how each step ended. Each step is a child that gives up every privilege
and becomes a tool of the machine, or the program that a tool made. All steps share a private /tmp,
which ends with this process.
"""

import contextlib
import json
import os
import select
import signal
import socket
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from runners.judging.sandbox.walls import bpf, confine, forkers, linux

WORK = f"{forkers.TMP}/work"
HIGH_FD = 64
N_FDS = 256
PEEK_S = 0.05
KEPT_BYTES = 16_000  # of what a step prints, from its end
TMP_FILES = 4096


def main(arguments: Sequence[str]) -> None:
    """Take one job from the socket, run its steps until one fails, and tell how each ended."""
    connection = socket.socket(fileno=int(arguments[0]))
    with connection.makefile("rb") as asked:
        job = json.loads(asked.readline())
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        forker = confine.enter(job["isolation"], job["shown"], tools=True)
        assert isinstance(forker, forkers.NamespaceForker)
        linux.umount(forkers.TMP)
        forkers.mount_tmp(job["tmp_mb"] << 20, TMP_FILES, programs=True)
        _write(job["files"], forker)
    except OSError as error:
        connection.sendall(json.dumps({"refused": str(error)}).encode())
        return
    ends: list[dict[str, Any]] = []
    for step in job["steps"]:
        ends.append(ToolStep(step, forker, connection).ended())
        if ends[-1]["why"] != "exited" or ends[-1]["status"] != 0:
            break
    connection.sendall(json.dumps({"ends": ends}).encode())
    os._exit(0)


def _write(files: Mapping[str, str], forker: forkers.NamespaceForker) -> None:
    """Write the files where the steps work; the folder belongs to the user that they become."""
    work = Path(WORK)
    work.mkdir()
    for name, text in files.items():
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_bytes(text.encode(errors="surrogatepass"))
    if not forker.single:
        os.chown(WORK, forkers.CHILD_ID, forkers.CHILD_ID)


class ToolStep:
    """One child, what it prints, and how it ends."""

    def __init__(
        self, step: Mapping[str, Any], forker: forkers.NamespaceForker, control: socket.socket
    ):
        self.step = step
        self.forker = forker
        self.control = control
        self.kept = {"out": b"", "err": b""}

    def ended(self) -> dict[str, Any]:
        """Run the step; return how it ended and the end of what it printed."""
        given = os.pipe()
        pipes = {"out": os.pipe(), "err": os.pipe()}
        began = time.monotonic()
        pid = self.forker.fork()
        if pid == 0:
            try:
                self._become(given[0], pipes["out"][1], pipes["err"][1])
            except OSError as error:
                os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
            finally:
                os._exit(127)
        for fd in (given[0], *(pipe[1] for pipe in pipes.values())):
            os.close(fd)
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        with contextlib.suppress(BrokenPipeError):  # it has ended already
            os.write(given[1], self.step["stdin"].encode())  # less than a pipe holds
        os.close(given[1])
        why = self._watched(pid, {pipe[0]: name for name, pipe in pipes.items()}, began)
        _, status, usage = os.wait4(pid, 0)
        used = usage.ru_utime + usage.ru_stime + self.forker.end_all()
        for name in self.step["remove"]:
            Path(WORK, name).unlink(missing_ok=True)
        killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if why == "exited" and (killed == signal.SIGXCPU or used >= self.step["cpu_s"]):
            why = "cpu"
        return {
            "why": why,
            "signal": killed,
            "status": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "cpu_s": used,
            "wall_s": time.monotonic() - began,
            "max_rss_kb": usage.ru_maxrss,
            **{name: text.decode(errors="replace") for name, text in self.kept.items()},
        }

    def _watched(self, pid: int, pipes: dict[int, str], began: float) -> str:
        """Read what the child prints until its end or a limit, and kill at a limit."""
        pidfd = os.pidfd_open(pid)
        poll = select.poll()
        for fd in (pidfd, self.control.fileno(), *pipes):
            poll.register(fd, select.POLLIN)
        why = ""
        while pipes or not why:
            ready = [fd for fd, _ in poll.poll(PEEK_S * 1000)]
            for fd in ready:
                if fd in pipes:
                    data = os.read(fd, 1 << 16)
                    name = pipes[fd]
                    self.kept[name] = (self.kept[name] + data)[-KEPT_BYTES:]
                    if not data:
                        poll.unregister(fd)
                        os.close(fd)
                        del pipes[fd]
            if self.control.fileno() in ready:  # nobody waits for an answer any more
                os._exit(0)
            if why:
                continue
            if pidfd in ready:
                why = "exited"
            elif self.forker.spent(pid) > self.step["cpu_s"]:
                why = "cpu"
            elif time.monotonic() - began > self.step["wall_s"]:
                why = "wall"
            if why:
                poll.unregister(pidfd)
                os.close(pidfd)
                self._kill_all()
        return why

    def _kill_all(self) -> None:
        """Kill all but this process: what outlives the child would keep its pipes open."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)

    def _become(self, *fds: int) -> None:
        """Take the limits, drop all privileges, and become the program of the step."""
        step = self.step
        for place, fd in enumerate(fds):
            os.dup2(fd, HIGH_FD + place)
        for place in range(len(fds)):
            os.dup2(HIGH_FD + place, place)
        os.closerange(len(fds), N_FDS)
        os.setsid()
        os.chdir(WORK)
        memory = {step["memory_limit"]: step["memory_mb"] << 20}
        size, cpu_s = step["file_mb"] << 20, int(step["cpu_s"])
        self.forker.drop(step["processes"], NOFILE=N_FDS, **memory, FSIZE=size, CPU=cpu_s + 2)
        if not step["forks"]:
            program = bpf.program_filter()
            assert program is not None
            linux.Seccomp(program).install()
        os.execve(step["command"][0], step["command"], step["environment"])
