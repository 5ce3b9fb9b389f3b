"""Take a zygote into its level of isolation, and fork children at that level.

Everything a child can inherit is set here once. At the namespace levels each child also gets its
own process ids and, when the last one left something, a fresh /tmp; at the Landlock level it adds
a filter against new processes and signals, and can write no file at all.
"""

import contextlib
import os
import resource
import select
import signal
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from runners.sandbox import bpf, linux
from runners.sandbox.child import Step

HOST_IDS = 0x70000000  # first of the host's user ids that stand for those inside
CHILD_ID = 1000  # the user a program is, inside
TMP = "/tmp"
TMP_BYTES = 16 << 20
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")


class Forker(Protocol):
    """What a zygote needs of its level."""

    def size_tmp(self, size: int) -> None:
        """Let the private /tmp, where there is one, hold this many bytes."""

    def fork(self) -> int:
        """Fork a child at this level; raises OSError when the machine cannot."""

    def dropping(self, nproc: int) -> list[Step]:
        """What the child does to give up every privilege that is left."""

    def kill(self, pid: int) -> None:
        """Kill the child and all it started."""

    def clean(self, pid: int) -> None:
        """After the child: leave nothing of it behind."""


def enter(level: str) -> Forker:
    """Confine this process once; raises OSError when the machine does not offer the level.

    At the namespace levels the process that returns is the first of a new process namespace, and
    the one that called stays behind only to wait for it.
    """
    if level in ("ns+seccomp", "ns1+seccomp"):
        return _enter_namespaces(single=level == "ns1+seccomp")
    if level in ("seccomp+landlock", "seccomp"):
        return _enter_filters(landlocked=level == "seccomp+landlock")
    return PlainForker(drops_user=level == "rlimits")


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
        os.close(_build_root())
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
    forker = NamespaceForker(single=single)
    _install_base(namespaces=True, nested_filter=False)
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
        for fd in (ready, go, proc):
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
        linux.mount(device, root + device, "", linux.MS_BIND)
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
        linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC,
        f"size={size},nr_inodes=1024,mode=1777",
    )


def _install_base(*, namespaces: bool, nested_filter: bool) -> None:
    program = bpf.base_filter(namespaces=namespaces, nested_filter=nested_filter)
    if program is None:
        raise OSError(f"no seccomp tables for {os.uname().machine}")
    linux.no_new_privileges()
    linux.Seccomp(program).install()


class NamespaceForker:
    """Each child is the first process of its own process namespace."""

    def __init__(self, *, single: bool):
        self.single = single
        self.capabilities = linux.NoCapabilities()
        self.home = os.pidfd_open(os.getpid())
        self.unshare: Callable[[int], None] = getattr(os, "unshare", linux.unshare)
        self.setns: Callable[[int, int], None] = getattr(os, "setns", linux.setns)
        self.pristine = self._state()
        self.tmp_bytes = TMP_BYTES

    def size_tmp(self, size: int) -> None:
        """Mount another /tmp where the size is not the last one."""
        if size != self.tmp_bytes:
            self.tmp_bytes = size
            self._fresh_tmp()

    def fork(self) -> int:
        """Fork into a fresh process namespace."""
        self.unshare(linux.CLONE_NEWPID)
        try:
            pid = os.fork()
        except OSError:
            self.setns(self.home, linux.CLONE_NEWPID)
            raise
        if pid:
            self.setns(self.home, linux.CLONE_NEWPID)
        return pid

    def dropping(self, nproc: int) -> list[Step]:
        """Become the program's user; with a single id, give up the capabilities instead."""
        if self.single:
            return [*_processes(nproc + 1), (self.capabilities.take, ())]  # and the zygote
        ids = (CHILD_ID, CHILD_ID, CHILD_ID)
        return [*_processes(nproc), (os.setresgid, ids), (os.setresuid, ids)]

    def kill(self, pid: int) -> None:
        """Kill the child; the kernel kills the rest of its namespace."""
        os.kill(pid, signal.SIGKILL)

    def clean(self, pid: int) -> None:
        """Give the next program a fresh /tmp if this one touched it."""
        if self._state() != self.pristine:
            self._fresh_tmp()

    def _fresh_tmp(self) -> None:
        linux.umount(TMP)
        _mount_tmp(self.tmp_bytes)
        self.pristine = self._state()

    def _state(self) -> tuple[int, int, list[str]]:
        found = os.stat(TMP)  # noqa: PTH116
        return found.st_mode, found.st_mtime_ns, sorted(os.listdir(TMP))  # noqa: PTH208


def _enter_filters(*, landlocked: bool) -> Forker:
    child = bpf.child_filter()
    if child is None:
        raise OSError(f"no seccomp tables for {os.uname().machine}")
    linux.no_new_privileges()
    user = _stranger()
    if landlocked:
        if not linux.landlock_abi():
            raise OSError("Landlock is not available")
        linux.landlock(library_paths(), DEVICES)
    forker = FilterForker(linux.Seccomp(child), user)
    _install_base(namespaces=False, nested_filter=True)
    return forker


class FilterForker:
    """A child that can start nothing and signal nobody; needs no privilege."""

    def __init__(self, seccomp: linux.Seccomp, user: int | None):
        self.seccomp = seccomp
        self.user = user
        self.pid = os.getpid()
        self.capabilities = linux.NoCapabilities()

    def size_tmp(self, size: int) -> None:
        """There is no private /tmp at this level."""

    def fork(self) -> int:
        """Fork."""
        return os.fork()

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

    def clean(self, pid: int) -> None:
        """Nothing to do: a child could write no file and start no process."""


class PlainForker:
    """A bare fork with limits: nothing is contained but time and memory."""

    def __init__(self, *, drops_user: bool):
        self.user = _stranger() if drops_user else None
        self.drops = drops_user
        self.pid = os.getpid()
        self.capabilities = linux.NoCapabilities()

    def size_tmp(self, size: int) -> None:
        """There is no private /tmp at this level."""

    def fork(self) -> int:
        """Fork."""
        return os.fork()

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

    def clean(self, pid: int) -> None:
        """Kill what it left in its session."""
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)


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
