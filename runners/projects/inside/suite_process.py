"""The process that runs one suite: confined by the walls of the sandbox, then forked once.

The first process of the namespaces is trusted. It watches CPU time and wall time, ends all
processes and reports how the suite ended. Its child gives up every privilege, unpacks the project
into the private /tmp and becomes pytest. Nothing of the project is imported anywhere else.
"""

import fcntl
import json
import os
import select
import signal
import site
import socket
import sys
import tarfile
import time
import types
from collections.abc import Callable, Sequence
from typing import Any

from runners.judging.sandbox.walls import confine, forkers, linux
from runners.projects.inside.probes import LineProbes
from runners.projects.inside.reporter import Reporter

PROJECT, METADATA, HOME = "/tmp/project", "/tmp/metadata", "/tmp/home"
REPORT_FD, ARCHIVE_FD = 3, 4
HIGH_FD = 64
N_FDS = 256
SHM_BYTES = 16 << 20
PEEK_S = 0.1
MAX_JOB_BYTES = 1 << 20


def main(arguments: Sequence[str]) -> None:
    """Take one job from the control socket, run it behind the walls, and report how it ended."""
    control = socket.socket(fileno=int(arguments[0]))
    packet, fds, _, _ = socket.recv_fds(control, MAX_JOB_BYTES, 3)
    job = json.loads(packet)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        forker = confine.enter(job["isolation"], {confine.PACKAGES: job["environment"]})
        linux.umount(forkers.TMP)
        forkers.mount_tmp(job["tmp_mb"] << 20, job["tmp_files"])
        forkers.mount_tmp(SHM_BYTES, place=confine.SHM)
    except OSError as error:
        control.send(json.dumps({"why": "refused", "reason": str(error)}).encode())
        return
    pid = forker.fork()
    if pid == 0:
        status = 1
        try:
            _enter(job, forker, fds)
            status = _suite(job)
        except Exception as error:  # such as a pytest that cannot be imported
            os.write(2, f"\n{type(error).__name__}: {error}\n".encode(errors="replace"))
        finally:
            os._exit(status)
    for fd in fds:
        os.close(fd)
    began = time.monotonic()
    why = _watch(pid, job, forker, control)
    _, status, usage = os.wait4(pid, 0)
    used = usage.ru_utime + usage.ru_stime + forker.clean(pid)
    killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if why == "exited" and (killed == signal.SIGXCPU or (killed and used >= job["cpu_s"])):
        why = "cpu"
    end = {
        "why": why,
        "signal": killed,
        "status": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "cpu_s": used,
        "wall_s": time.monotonic() - began,
        "max_rss_kb": usage.ru_maxrss,
    }
    control.send(json.dumps(end).encode())
    os._exit(0)


def _watch(pid: int, job: dict[str, Any], forker: forkers.Forker, control: socket.socket) -> str:
    """Wait for the child's end or a limit, and kill at a limit; return which it was."""
    until = time.monotonic() + job["wall_s"]
    poll = select.poll()
    pidfd = os.pidfd_open(pid)
    for fd in (pidfd, control.fileno()):
        poll.register(fd, select.POLLIN)
    while True:
        ready = {fd for fd, _ in poll.poll(PEEK_S * 1000)}
        if pidfd in ready:
            return "exited"
        if control.fileno() in ready:  # nobody waits for an answer any more
            forker.kill(pid)
            os._exit(0)
        why = "cpu" if forker.spent(pid) > job["cpu_s"] else ""
        why = why or ("wall" if time.monotonic() > until else "")
        if why:
            forker.kill(pid)
            return why


def _enter(job: dict[str, Any], forker: forkers.Forker, fds: Sequence[int]) -> None:
    """Keep the descriptors of archive, report and output; set the limits; drop all privileges."""
    archive, report, output = (fcntl.fcntl(fd, fcntl.F_DUPFD, HIGH_FD) for fd in fds)
    for kept, fd in ((output, 1), (output, 2), (report, REPORT_FD), (archive, ARCHIVE_FD)):
        os.dup2(kept, fd)
    os.closerange(ARCHIVE_FD + 1, N_FDS)
    os.setsid()
    os.chdir(forkers.TMP)
    memory, size, cpu_s = job["memory_mb"] << 20, job["file_mb"] << 20, int(job["cpu_s"])
    forker.drop(job["processes"], NOFILE=N_FDS, AS=memory, FSIZE=size, CPU=cpu_s + 2)


def _suite(job: dict[str, Any]) -> int:
    """Unpack the project, restore a fresh interpreter's state, run pytest; return its exit
    status."""
    with os.fdopen(ARCHIVE_FD, "rb") as file, tarfile.open(fileobj=file, mode="r:") as archive:
        archive.extractall(forkers.TMP, filter="fully_trusted")  # we packed it ourselves
    os.mkdir(HOME)  # noqa: PTH102
    os.environ |= {"HOME": HOME, "COLUMNS": "200"}
    os.chdir(PROJECT)
    probes = LineProbes(PROJECT, job["probed"]) if job["probed"] else None
    reporter = Reporter(REPORT_FD, job["set_aside"], probes)
    look_fresh(job)
    if probes:
        probes.install()
    main: Callable[..., int] = __import__("pytest").main
    status = int(main(list(job["arguments"]), plugins=[reporter]))
    reporter.say_lines()
    reporter.finish(status)
    sys.stdout.flush()
    return status


def look_fresh(job: dict[str, Any]) -> None:
    """Remove our modules and paths, and restore what a plain interpreter has."""
    sources = [f"{PROJECT}/{place}".removesuffix("/.") for place in job["paths"]]
    sys.path[:] = [*dict.fromkeys([*sources, PROJECT, METADATA, *sys.path, confine.PACKAGES])]
    for name in list(sys.modules):
        if name.partition(".")[0] in ("models", "runners", "warehouse", "ingest"):
            del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.executable = "/usr/bin/python3"  # it does not exist here: no test starts a program
    sys.argv = [f"{confine.PACKAGES}/pytest/__main__.py", *job["arguments"]]
    site.setquit()
    site.setcopyright()
    site.sethelper()
