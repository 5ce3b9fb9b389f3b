"""Take a zygote into its level of isolation. Everything a child can inherit is set here once."""

import contextlib
import errno
import os
import select
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

from models.words import WITH_NAMESPACES
from runners.judging.sandbox.walls import bpf, linux
from runners.judging.sandbox.walls.forkers import (
    TMP,
    TMP_BYTES,
    FilterForker,
    Forker,
    NamespaceForker,
    PlainForker,
    mount_tmp,
)

NOTHING: Mapping[str, str] = {}
HOST_IDS = 0x70000000  # first of the host's user ids that stand for those inside
SHM = "/dev/shm"  # empty, unless a place for named semaphores is mounted there
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
PACKAGES = "/environment"  # where packages that were unpacked on the host are to be read

# The name of the computer at the namespace levels. Any would do; a test of ClassEval expects this.
COMPUTER = "LAPTOP-2CS86KUM"
FILES = {  # what names are looked up in: the network is out of reach, so no server can be asked
    "/etc/hosts": f"127.0.0.1 localhost\n::1 localhost\n127.0.1.1 {COMPUTER}\n0.0.0.0 {COMPUTER}\n",
    "/etc/nsswitch.conf": "hosts: files\n",
}


def enter(
    level: str,
    shown: Mapping[str, str] = NOTHING,
    *,
    tools: bool = False,
    narrows: bool = False,
) -> Forker:
    """Confine this process once; raises OSError when the machine does not offer the level.

    ``shown`` are folders of the host by where they are to be read inside. Without namespaces they
    are read where they are. With ``tools`` children at the namespace levels may start programs.
    With ``narrows`` they may take one more filter.

    At the namespace levels the process that returns is the first of a new process namespace. The
    one that called stays behind only to wait for it.
    """
    os.umask(0o022)  # whatever ours: another user reads the root, and writes files inside
    if level in WITH_NAMESPACES:
        barrier = _barrier()
        try:
            single = level == "ns1+seccomp"
            return _enter_namespaces(shown, single=single, tools=tools, narrows=narrows)
        except OSError as error:
            if barrier and error.errno in (errno.ENOSPC, errno.EPERM, errno.EACCES):
                raise OSError(f"{barrier} ({error.strerror})") from None
            raise
    if level in ("seccomp+landlock", "seccomp"):
        return _enter_filters([*shown.values()], landlocked=level == "seccomp+landlock")
    drops = level == "rlimits"
    return PlainForker(_unused_user_id([*shown.values()]) if drops else None, drops=drops)


def place_of(level: str, place: str, shown: Mapping[str, str]) -> str:
    """Return where a process at a level reads a folder that is to be read at ``place``."""
    return place if level in WITH_NAMESPACES else shown[place]


# What an administrator may have set against user namespaces, and the value that does it.
_BARRIERS = {
    "user.max_user_namespaces": "0",
    "kernel.unprivileged_userns_clone": "0",
    "kernel.apparmor_restrict_unprivileged_userns": "1",
}


def _barrier() -> str | None:
    """Return the setting of this machine that refuses user namespaces, if one does."""
    for name, value in _BARRIERS.items():
        with contextlib.suppress(OSError):
            if (Path("/proc/sys") / name.replace(".", "/")).read_text().strip() == value:
                return f"user namespaces are disabled: {name} is {value}"
    return None


def _enter_namespaces(shown: Mapping[str, str], *, single: bool, **options: bool) -> Forker:
    namespaces = (
        *(linux.CLONE_NEWNS, linux.CLONE_NEWNET, linux.CLONE_NEWIPC),
        *(linux.CLONE_NEWUTS, linux.CLONE_NEWPID, linux.CLONE_NEWCGROUP),
    )
    flags = linux.CLONE_NEWUSER | sum(namespaces)
    worker = os.getppid()
    if os.geteuid() == 0:
        linux.unshare(linux.CLONE_NEWNS)
        proc = _build_root(shown)
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
        proc = _build_root(shown)
    else:
        raise PermissionError("a second user id takes root")
    linux.set_host_name(COMPUTER)
    linux.die_with_parent(worker)  # the change of user has undone it
    outside = os.pidfd_open(os.getpid())
    first = os.fork()
    if first:
        _wait_for(first)
    linux.die_with_parent(0)
    if select.select([outside], [], [], 0)[0]:
        os._exit(1)
    os.close(outside)
    mount_tmp(TMP_BYTES)
    forker = NamespaceForker(proc, single=single)
    os.close(proc)
    _base(namespaces=True, **options).install()
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


def _build_root(shown: Mapping[str, str]) -> int:
    """Pivot into a small read-only tree: libraries, shown folders, four devices, a place for /tmp.

    It holds the files of ``FILES`` too.

    Returns a descriptor of the old /proc.
    """
    linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
    proc = os.open("/proc", os.O_PATH)
    # opened while the new root hides none of them
    folders = {place: os.open(path, os.O_PATH | os.O_DIRECTORY) for place, path in shown.items()}
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
    for place, folder in folders.items():
        Path(root + place).mkdir(parents=True)
        linux.bind_read_only(f"/proc/self/fd/{folder}", root + place)
        os.close(folder)
    Path(root + SHM).mkdir(parents=True)
    for device in DEVICES:
        Path(root + device).touch()
        linux.bind_read_only(device, root + device, device=True)
    for place, text in FILES.items():
        Path(root + place).parent.mkdir(exist_ok=True)
        Path(root + place).write_text(text)
    Path(root + TMP).mkdir()
    linux.pivot_root(root)
    linux.mount(
        "none",
        "/",
        "",
        linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV,
    )
    return proc


def _base(*, namespaces: bool, **options: bool) -> linux.Seccomp:
    program = bpf.base_filter(namespaces=namespaces, **options)
    if program is None:
        raise OSError(f"no seccomp tables for {os.uname().machine}")
    linux.no_new_privileges()
    return linux.Seccomp(program)


def _enter_filters(shown: Sequence[str], *, landlocked: bool) -> Forker:
    linux.no_new_privileges()
    user = _unused_user_id(shown)
    if landlocked:
        if not linux.landlock_abi():
            raise OSError("Landlock is not available")
        linux.landlock([*library_paths(), *shown], DEVICES)
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


def _unused_user_id(shown: Sequence[str]) -> int | None:
    """A user id nobody has, if this process may take one that can still read what it must."""
    if os.geteuid() != 0:
        return None
    for folder in (Path(sysconfig.get_path("stdlib")), *map(Path, shown)):
        if not all(place.stat().st_mode & 0o005 == 0o005 for place in (folder, *folder.parents)):
            return None
    return HOST_IDS + 0x10000 + os.getpid() % 0x10000
