"""Take a zygote into its level of isolation, and fork children at that level.

Everything a child can inherit is set here once. At the namespace levels zygote and child are alone
in a process namespace, and a child gets a fresh /tmp when the last one left something; at the
Landlock level it adds a filter against new processes and signals, and can write no file at all.
"""

import contextlib
import errno
import fcntl
import os
import resource
import select
import signal
import struct
import sys
import sysconfig
import time
from pathlib import Path
from typing import Protocol

from runners.judging.sandbox.inside.child import Step
from runners.judging.sandbox.walls import bpf, linux

HOST_IDS = 0x70000000  # first of the host's user ids that stand for those inside
CHILD_ID = 1000  # the user a program is, inside
TMP = "/tmp"
TMP_BYTES = 16 << 20
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
FAMILY = 64  # process ids looked at for what a child has started
WALL = 0x40000000  # wait for every kind of child


class Forker(Protocol):
    """What a zygote needs of its level."""

    bell: int | None  # readable when ``answer`` is to be called

    def prepare(self, tmp: int, nproc: int) -> None:
        """Size the private /tmp, where there is one, and expect a child of so many threads."""

    def fork(self) -> int:
        """Fork a child at this level; raises OSError when the machine cannot."""

    def dropping(self, nproc: int) -> list[Step]:
        """What the child does to give up every privilege that is left."""

    def answer(self) -> None:
        """Decide what a child waits to be allowed."""

    def spent(self, pid: int) -> float:
        """CPU seconds that the child and what it started have used, without what ended unseen."""

    def kill(self, pid: int) -> None:
        """Kill the child and all it started."""

    def clean(self, pid: int) -> float:
        """After the child: leave nothing of it behind; returns CPU seconds of what it had left."""


def enter(level: str) -> Forker:
    """Confine this process once; raises OSError when the machine does not offer the level.

    At the namespace levels the process that returns is the first of a new process namespace, and
    the one that called stays behind only to wait for it.
    """
    if level in ("ns+seccomp", "ns1+seccomp"):
        barrier = _barrier()
        try:
            return _enter_namespaces(single=level == "ns1+seccomp")
        except OSError as error:
            if barrier and error.errno in (errno.ENOSPC, errno.EPERM, errno.EACCES):
                raise OSError(f"{barrier} ({error.strerror})") from None
            raise
    if level in ("seccomp+landlock", "seccomp"):
        return _enter_filters(landlocked=level == "seccomp+landlock")
    return PlainForker(drops_user=level == "rlimits")


# What an administrator may have set against user namespaces, and the value that does it.
_BARRIERS = {
    "user.max_user_namespaces": "0",
    "kernel.unprivileged_userns_clone": "0",
    "kernel.apparmor_restrict_unprivileged_userns": "1",
}


def _barrier() -> str | None:
    """Say which setting of this machine stands against user namespaces, if one does."""
    for name, value in _BARRIERS.items():
        with contextlib.suppress(OSError):
            if (Path("/proc/sys") / name.replace(".", "/")).read_text().strip() == value:
                return f"user namespaces are disabled: {name} is {value}"
    return None


def _enter_namespaces(*, single: bool) -> Forker:
    namespaces = (
        *(linux.CLONE_NEWNS, linux.CLONE_NEWNET, linux.CLONE_NEWIPC),
        *(linux.CLONE_NEWUTS, linux.CLONE_NEWPID, linux.CLONE_NEWCGROUP),
    )
    flags = linux.CLONE_NEWUSER | sum(namespaces)
    worker = os.getppid()
    if os.geteuid() == 0:
        linux.unshare(linux.CLONE_NEWNS)
        proc = _build_root()
        _unshare_mapped(flags, proc, f"0 {HOST_IDS} {1 if single else 65536}\n")
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)
        os.setgroups([])
    elif single:
        uid, gid = os.geteuid(), os.getegid()
        linux.unshare(flags)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {uid} 1\n")
        Path("/proc/self/gid_map").write_text(f"0 {gid} 1\n")
        proc = _build_root()
    else:
        raise PermissionError("a second user id takes root")
    linux.die_with_parent(worker)  # the change of user has undone it
    outside = os.pidfd_open(os.getpid())
    first = os.fork()
    if first:
        _wait_for(first)
    linux.die_with_parent(0)
    if select.select([outside], [], [], 0)[0]:
        os._exit(1)
    os.close(outside)
    _mount_tmp(TMP_BYTES)
    forker = NamespaceForker(proc, single=single)
    os.close(proc)
    _base(namespaces=True).install()
    return forker


def _wait_for(pid: int) -> None:
    """Stay as the outer end of the container: end when it ends."""
    os.closerange(3, 64)
    os.waitpid(pid, 0)
    os._exit(0)


def _unshare_mapped(flags: int, proc: int, mapping: str) -> None:
    """Unshare while a helper left outside writes the id maps through the old /proc."""
    ready, go = os.pipe()
    target = os.getpid()
    helper = os.fork()
    if helper == 0:
        status = 1
        try:
            os.close(go)
            os.read(ready, 1)
            for name in ("uid_map", "gid_map"):
                fd = os.open(f"{target}/{name}", os.O_WRONLY, dir_fd=proc)
                os.write(fd, mapping.encode())
                os.close(fd)
            status = 0
        finally:
            os._exit(status)
    try:
        linux.unshare(flags)
    finally:
        os.write(go, b".")
        for fd in (ready, go):
            os.close(fd)
        _, status = os.waitpid(helper, 0)
    if status:
        raise PermissionError("the id maps were refused")


def library_paths() -> list[str]:
    """The read-only places a program needs: the interpreter's library and the C libraries."""
    paths = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    paths |= {str(Path(sys.base_prefix) / "lib")} if sys.base_prefix != "/usr" else set()
    paths |= {"/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo"}
    paths |= {"/lib", "/lib64"}
    return sorted(path for path in paths if Path(path).is_dir())


def _build_root() -> int:
    """Pivot into a small read-only tree: libraries, four devices, a place for /tmp.

    Returns a descriptor of the old /proc.
    """
    linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
    proc = os.open("/proc", os.O_PATH)
    paths = library_paths()
    root = next(
        place
        for place in ("/mnt", "/media", "/srv", "/opt", "/var", "/home", "/sys", "/tmp")
        if Path(place).is_dir() and not any(path.startswith(place + "/") for path in paths)
    )
    linux.mount("tmpfs", root, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=1m,mode=755")
    for path in paths:
        if Path(path).is_symlink():
            Path(root + path).symlink_to(Path(path).readlink())
            continue
        if any(path.startswith(other + "/") for other in paths):
            continue
        Path(root + path).mkdir(parents=True, exist_ok=True)
        linux.bind_read_only(path, root + path)
    Path(root + "/dev").mkdir()
    for device in DEVICES:
        Path(root + device).touch()
        linux.bind_read_only(device, root + device, device=True)
    Path(root + TMP).mkdir()
    linux.pivot_root(root)
    linux.mount(
        "none",
        "/",
        "",
        linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV,
    )
    return proc


def _mount_tmp(size: int) -> None:
    linux.mount(
        "tmpfs",
        TMP,
        "tmpfs",
        linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC | linux.MS_NOATIME,
        f"size={size},nr_inodes=1024,mode=1777",
    )


def _base(*, namespaces: bool, asks: bool = False) -> linux.Seccomp:
    program = bpf.base_filter(namespaces=namespaces, asks=asks)
    if program is None:
        raise OSError(f"no seccomp tables for {os.uname().machine}")
    linux.no_new_privileges()
    return linux.Seccomp(program)


def _clock(pid: int) -> int:
    """The CPU clock of a process, as the kernel encodes it."""
    return (~pid << 3) | 2


class NamespaceForker:
    """The zygote is the first process of a namespace that holds nothing but it and its child.

    So whatever a child starts falls to the zygote in the end: it can kill all of it at once, and
    waits for each, which tells its CPU time.
    """

    bell: int | None = None

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

    def fork(self) -> int:
        """Fork; every child has the same process id, which tells nothing of those before."""
        self.seen = {}
        if self.last_pid is not None:
            try:
                os.pwrite(self.last_pid, b"1", 0)
            except OSError:
                os.close(self.last_pid)
                self.last_pid = None
        return os.fork()

    def answer(self) -> None:
        """Nothing asks."""

    def spent(self, pid: int) -> float:
        """The time of all that can be seen now, and what was last seen of those that have ended."""
        for each in range(pid, pid + FAMILY):
            with contextlib.suppress(OSError):
                self.seen[each] = time.clock_gettime(_clock(each))
        return sum(self.seen.values())

    def dropping(self, nproc: int) -> list[Step]:
        """Become the program's user; with a single id, give up the capabilities instead."""
        if self.single:
            return [*_processes(nproc + 1), (self.capabilities.take, ())]  # and the zygote
        ids = (CHILD_ID, CHILD_ID, CHILD_ID)
        return [*_processes(nproc), (os.setresgid, ids), (os.setresuid, ids)]

    def kill(self, pid: int) -> None:
        """Kill all there is but this process."""
        self._kill_all()

    def clean(self, pid: int) -> float:
        """End what is left, and give the next program a fresh /tmp if this one touched it."""
        used = 0.0
        if self._kill_all():
            with contextlib.suppress(ChildProcessError):
                while True:
                    usage = os.wait4(-1, WALL)[2]
                    used += usage.ru_utime + usage.ru_stime
        if self._state() != self.pristine:
            self._fresh_tmp()
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
        _mount_tmp(self.tmp_bytes)
        self.pristine = self._state()

    def _state(self) -> tuple[int, int, list[str]]:
        found = os.stat(TMP)  # noqa: PTH116
        # the change time moves with owner, mode, access time and all the rest, and cannot be set
        return found.st_mtime_ns, found.st_ctime_ns, sorted(os.listdir(TMP))  # noqa: PTH208


def _enter_filters(*, landlocked: bool) -> Forker:
    linux.no_new_privileges()
    user = _stranger()
    if landlocked:
        if not linux.landlock_abi():
            raise OSError("Landlock is not available")
        linux.landlock(library_paths(), DEVICES)
    bell = None
    if user is None:  # a limit on processes would count all that this user runs
        with contextlib.suppress(OSError):  # one listener is all a process may have
            bell = _base(namespaces=False, asks=True).install_listening()
    child = bpf.child_filter(threads=user is not None or bell is not None)
    if child is None:
        raise OSError(f"no seccomp tables for {os.uname().machine}")
    if bell is None:
        _base(namespaces=False).install()
    return FilterForker(linux.Seccomp(child), user, bell)


class FilterForker:
    """A child that can start nothing and signal nobody; needs no privilege.

    Where it has a user of its own, the kernel counts its threads; else the zygote does, which the
    kernel then asks before each one begins or ends. Where neither can be had it starts none.
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

    def fork(self) -> int:
        """Fork."""
        return os.fork()

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

    def spent(self, pid: int) -> float:
        """The child's own time: it can start nothing."""
        return _spent_alone(pid)

    def dropping(self, nproc: int) -> list[Step]:
        """Become a stranger where root can, lose all capabilities, take the child's filter."""
        return [
            *_becoming(self.user, nproc),
            (self.capabilities.take, ()),
            (linux.undumpable, ()),
            (linux.die_with_parent, (self.pid,)),
            (self.seccomp.install, ()),
        ]

    def kill(self, pid: int) -> None:
        """Kill the child: it could not start another."""
        os.kill(pid, signal.SIGKILL)

    def clean(self, pid: int) -> float:
        """Nothing to do: a child could write no file and start no process."""
        return 0.0


class PlainForker:
    """A bare fork with limits: nothing is contained but time and memory."""

    bell: int | None = None

    def __init__(self, *, drops_user: bool):
        self.user = _stranger() if drops_user else None
        self.drops = drops_user
        self.pid = os.getpid()
        self.capabilities = linux.NoCapabilities()

    def prepare(self, tmp: int, nproc: int) -> None:
        """There is no private /tmp at this level."""

    def fork(self) -> int:
        """Fork."""
        return os.fork()

    def answer(self) -> None:
        """Nothing asks."""

    def spent(self, pid: int) -> float:
        """The child's own time: what it starts is not followed at this level."""
        return _spent_alone(pid)

    def dropping(self, nproc: int) -> list[Step]:
        """At level ``rlimits``: another user where root can, and no capabilities."""
        steps = _becoming(self.user, nproc)
        if self.drops:
            steps += [(linux.no_new_privileges, ()), (self.capabilities.take, ())]
        return [*steps, (linux.die_with_parent, (self.pid,))]

    def kill(self, pid: int) -> None:
        """Kill the child and its session."""
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)

    def clean(self, pid: int) -> float:
        """Kill what it left in its session."""
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        return 0.0


def _spent_alone(pid: int) -> float:
    try:
        return time.clock_gettime(_clock(pid))
    except OSError:  # it ended this instant
        return 0.0


def _stranger() -> int | None:
    """A user id nobody has, if this process may take one that can still read the library."""
    if os.geteuid() != 0:
        return None
    library = Path(sysconfig.get_path("stdlib"))
    if not all(place.stat().st_mode & 0o005 == 0o005 for place in (library, *library.parents)):
        return None
    return HOST_IDS + 0x10000 + os.getpid() % 0x10000


def _becoming(user: int | None, nproc: int) -> list[Step]:
    if user is None:
        return []
    ids = (user, user, user)
    return [*_processes(nproc), (os.setgroups, ([],)), (os.setresgid, ids), (os.setresuid, ids)]


def _processes(most: int) -> list[Step]:
    return [(resource.setrlimit, (resource.RLIMIT_NPROC, (most, most)))]
