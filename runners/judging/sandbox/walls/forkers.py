"""Fork children at a level of isolation, and leave nothing of them behind.

At the namespace levels zygote and child are alone in a process namespace. A child gets a fresh /tmp
when the last one left something. At the Landlock level it adds a filter against new processes and
signals, and can write no file at all.
"""

import contextlib
import errno
import fcntl
import os
import resource
import signal
import struct
import time

from runners.judging.sandbox.inside.child import Step
from runners.judging.sandbox.walls import bpf, linux

CHILD_ID = 1000  # the user a program is, inside
TMP = "/tmp"
TMP_BYTES = 16 << 20
TMP_FILES = 1024
FAMILY = 64  # process ids looked at for what a child has started
WALL = 0x40000000  # wait for every kind of child
# Signals are not queued: the queue is counted by user, so one program could fill another's.
LIMITS = {"CORE": 0, "MEMLOCK": 0, "MSGQUEUE": 0, "SIGPENDING": 0}


class Forker:
    """What a zygote needs of its level; each level changes what it has a better way for."""

    bell: int | None = None  # readable when ``answer`` is to be called

    def prepare(self, tmp: int, nproc: int) -> None:
        """Size the private /tmp, where there is one, and expect a child of so many threads."""

    def fork(self) -> int:
        """Fork a child at this level; raises OSError when the machine cannot."""
        return os.fork()

    def dropping(self, nproc: int) -> list[Step]:
        """What the child does to give up every privilege that is left."""
        raise NotImplementedError

    def drop(self, nproc: int, **limits: int) -> None:
        """In the child: take limits by the kernel's names, and give up every privilege."""
        limit_process(**limits)
        for function, given in self.dropping(nproc):
            function(*given)

    def answer(self) -> None:
        """Decide what a child waits to be allowed."""

    def spent(self, pid: int) -> float:
        """CPU seconds that the child and what it started have used, without what ended unseen."""
        try:
            return time.clock_gettime(_clock(pid))
        except OSError:  # it ended this instant
            return 0.0

    def kill(self, pid: int) -> None:
        """Kill the child and all it started."""
        os.kill(pid, signal.SIGKILL)

    def clean(self, pid: int) -> float:
        """After the child: leave nothing of it behind; returns CPU seconds of what it had left."""
        return 0.0


class NamespaceForker(Forker):
    """The zygote is the first process of a namespace that holds nothing but it and its child.

    So whatever a child starts falls to the zygote in the end. It can kill all of it at once, and
    waits for each, which gives its CPU time.
    """

    def __init__(self, proc: int, *, single: bool):
        self.single = single
        self.capabilities = linux.NoCapabilities()
        self.last_pid: int | None = None
        with contextlib.suppress(OSError):  # a kernel, or a /proc, that does not let us
            self.last_pid = os.open("sys/kernel/ns_last_pid", os.O_WRONLY, dir_fd=proc)
        self.seen: dict[int, float] = {}
        self.pristine = self._state()
        self.tmp_bytes = TMP_BYTES

    def prepare(self, tmp: int, nproc: int) -> None:
        """Mount another /tmp where the size is not the last one."""
        if tmp != self.tmp_bytes:
            self.tmp_bytes = tmp
            self._fresh_tmp()

    def fork(self, *, bare: bool = False) -> int:
        """Fork; every child has the same process id, which tells nothing of those before.

        ``bare``: see ``linux.fork``.
        """
        self.seen = {}
        if self.last_pid is not None:
            try:
                os.pwrite(self.last_pid, b"1", 0)
            except OSError:
                os.close(self.last_pid)
                self.last_pid = None
        return linux.fork() if bare else os.fork()

    def spent(self, pid: int) -> float:
        """The time of all that can be seen now, and what was last seen of those that have ended."""
        for each in range(pid, pid + FAMILY):
            with contextlib.suppress(OSError):
                self.seen[each] = time.clock_gettime(_clock(each))
        return sum(self.seen.values())

    def dropping(self, nproc: int) -> list[Step]:
        """Become the program's user; with a single id, give up the capabilities instead."""
        if self.single:
            return [*_processes(nproc + 1), (self.capabilities.install, ())]  # and the zygote
        ids = (CHILD_ID, CHILD_ID, CHILD_ID)
        return [*_processes(nproc), (os.setresgid, ids), (os.setresuid, ids)]

    def kill(self, pid: int) -> None:
        """Kill all there is but this process."""
        self._kill_all()

    def clean(self, pid: int) -> float:
        """End what is left, and give the next program a fresh /tmp if this one touched it."""
        used = self.end_all()
        if self._state() != self.pristine:
            self._fresh_tmp()
        return used

    def end_all(self) -> float:
        """End all there is but this process; returns the CPU seconds of what was left."""
        used = 0.0
        if self._kill_all():
            with contextlib.suppress(ChildProcessError):
                while True:
                    usage = os.wait4(-1, WALL)[2]
                    used += usage.ru_utime + usage.ru_stime
        return used

    def _kill_all(self) -> bool:
        """Kill all there is but this process; return whether there was anything, dead or alive."""
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def _fresh_tmp(self) -> None:
        linux.umount(TMP)
        mount_tmp(self.tmp_bytes)
        self.pristine = self._state()

    def _state(self) -> tuple[int, int, list[str]]:
        found = os.stat(TMP)  # noqa: PTH116
        # the change time moves with owner, mode, access time and all the rest, and cannot be set
        return found.st_mtime_ns, found.st_ctime_ns, sorted(os.listdir(TMP))  # noqa: PTH208


class FilterForker(Forker):
    """A child that can start nothing and signal nobody; needs no privilege.

    Where Landlock holds, it can write no file either.

    Where it runs under a separate user id, the kernel counts its threads. Elsewhere the zygote
    counts them: the kernel asks it before each one begins or ends. Where neither is possible, the
    child starts none.
    """

    REQUEST = struct.Struct("=QIIi60x")  # id, thread, flags, call
    REPLY = struct.Struct("=QqiI")  # id, value, error, flags
    RECEIVE, SEND = 0xC0502100, 0xC0182101
    GO_ON = 1

    def __init__(self, seccomp: linux.Seccomp, user: int | None, bell: int | None):
        self.seccomp = seccomp
        self.user = user
        self.bell = bell
        self.pid = os.getpid()
        self.capabilities = linux.NoCapabilities()
        self.threads = self.most = 0
        self.gone: set[int] = set()

    def prepare(self, tmp: int, nproc: int) -> None:
        """Count the threads of the next child; there is no private /tmp at this level."""
        self.threads, self.most = 1, nproc
        self.gone = set()

    def answer(self) -> None:
        """Let a thread end, or begin where there are not too many."""
        assert self.bell is not None
        request = bytearray(self.REQUEST.size)
        with contextlib.suppress(OSError):  # whoever asked is gone
            fcntl.ioctl(self.bell, self.RECEIVE, request)
            number, thread, _, call = self.REQUEST.unpack(request)
            begins = call == bpf.CLONE[os.uname().machine]
            refused = begins and self.threads >= self.most
            error, flags = (-errno.EAGAIN, 0) if refused else (0, self.GO_ON)
            fcntl.ioctl(self.bell, self.SEND, self.REPLY.pack(number, 0, error, flags))
            if begins and not refused:
                self.threads += 1
            elif not begins and thread not in self.gone:  # a signal may have it ask twice
                self.gone.add(thread)
                self.threads -= 1

    def dropping(self, nproc: int) -> list[Step]:
        """Become a stranger where root can, lose all capabilities, take the child's filter."""
        return [
            *_becoming(self.user, nproc),
            (self.capabilities.install, ()),
            (linux.undumpable, ()),
            (linux.die_with_parent, (self.pid,)),
            (self.seccomp.install, ()),
        ]


class PlainForker(Forker):
    """A bare fork with limits: nothing is contained but time and memory.

    What a child starts is killed with its session; its time is not counted.
    """

    def __init__(self, user: int | None, *, drops: bool):
        self.user = user
        self.drops = drops
        self.pid = os.getpid()
        self.capabilities = linux.NoCapabilities()

    def dropping(self, nproc: int) -> list[Step]:
        """At level ``rlimits``: another user where root can, and no capabilities."""
        steps = _becoming(self.user, nproc)
        if self.drops:
            steps += [(linux.no_new_privileges, ()), (self.capabilities.install, ())]
        return [*steps, (linux.die_with_parent, (self.pid,))]

    def kill(self, pid: int) -> None:
        """Kill the child and its session."""
        self.clean(pid)
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)

    def clean(self, pid: int) -> float:
        """Kill what it left in its session."""
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        return 0.0


def mount_tmp(
    size: int, files: int = TMP_FILES, place: str = TMP, *, programs: bool = False
) -> None:
    """Mount a private /tmp of this many bytes, and of so many files and folders.

    With ``programs`` a file there can be started.
    """
    linux.mount(
        "tmpfs",
        place,
        "tmpfs",
        linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOATIME | (0 if programs else linux.MS_NOEXEC),
        f"size={size},nr_inodes={files},mode=1777",
    )


def limit_process(**limits: int) -> None:
    """Take ``LIMITS`` and others, by the kernel's names, soft and hard alike."""
    for name, limit in {**LIMITS, **limits}.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))


def _clock(pid: int) -> int:
    """The CPU clock of a process, as the kernel encodes it."""
    return (~pid << 3) | 2


def _becoming(user: int | None, nproc: int) -> list[Step]:
    if user is None:
        return []
    ids = (user, user, user)
    return [*_processes(nproc), (os.setgroups, ([],)), (os.setresgid, ids), (os.setresuid, ids)]


def _processes(most: int) -> list[Step]:
    return [(resource.setrlimit, (resource.RLIMIT_NPROC, (most, most)))]
