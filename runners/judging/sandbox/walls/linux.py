"""The few Linux calls Python lacks, by ctypes; each raises OSError when the kernel refuses."""

import contextlib
import ctypes
import os
import stat
import struct
from collections.abc import Iterable, Sequence

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_NOATIME = 1, 2, 4, 8, 1024
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
MNT_DETACH = 2

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _PR_SET_DUMPABLE = 1, 22, 38, 4
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_MOUNT_SETATTR, _LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 442, 444, 445, 446

_libc = ctypes.CDLL(None, use_errno=True)
_python = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock during a call


def _call(function: object, *arguments: object) -> int:
    result: int = function(*arguments)  # type: ignore[operator]
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def trim_heap() -> None:
    """Give free memory back, so that no fork copies its page tables; nothing where libc cannot."""
    with contextlib.suppress(AttributeError):
        _libc.malloc_trim(0)


def fork() -> int:
    """Fork without what Python does before and after: only where no thread runs but this one.

    The child draws the same random numbers as this process would.
    """
    return _call(_python.fork)


def unshare(flags: int) -> None:
    """Leave the namespaces named by the flags for fresh ones."""
    _call(_libc.unshare, flags)


def set_host_name(name: str) -> None:
    """Name the computer, for all that share this process's namespace of names."""
    _call(_libc.sethostname, name.encode(), ctypes.c_size_t(len(name)))


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount, bind or remount."""
    _call(
        _libc.mount,
        source.encode(),
        target.encode(),
        kind.encode(),
        ctypes.c_ulong(flags),
        data.encode(),
    )


def umount(target: str) -> None:
    """Detach a mount, even a busy one."""
    _call(_libc.umount2, target.encode(), MNT_DETACH)


def pivot_root(new_root: str) -> None:
    """Make ``new_root`` the root and let go of the old one."""
    os.chdir(new_root)
    _call(_libc.syscall, _PIVOT_ROOT[os.uname().machine], b".", b".")
    umount(".")
    os.chdir("/")


def bind_read_only(source: str, target: str, *, device: bool = False) -> None:
    """Bind a tree and everything mounted in it, read-only, without set-uid or devices.

    A ``device`` stays one, and can be written to: read-only are its owner, mode and times.
    """
    mount(source, target, "", MS_BIND | MS_REC)
    flags = MS_RDONLY | MS_NOSUID | (MS_NOEXEC if device else MS_NODEV)
    read_only = struct.pack("=QQQQ", flags, 0, 0, 0)
    at_recursive = 0x8000
    _call(
        _libc.syscall,
        _MOUNT_SETATTR,
        -100,
        target.encode(),
        at_recursive,
        read_only,
        ctypes.c_size_t(len(read_only)),
    )


def die_with_parent(parent: int) -> None:
    """Be killed when the parent ends, or end now if it is gone already.

    A change of user clears this again. ``parent`` is its process id as seen from here.
    """
    _call(_libc.prctl, _PR_SET_PDEATHSIG, 9, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def no_new_privileges() -> None:
    """Give up set-uid programs for good: what unprivileged seccomp and Landlock ask for."""
    _call(_libc.prctl, _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def undumpable() -> None:
    """Shut /proc/<pid> of this process to others of its user."""
    _call(_libc.prctl, _PR_SET_DUMPABLE, 0, 0, 0, 0)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


class Seccomp:
    """A filter ready to be installed: nothing is built after a fork."""

    def __init__(self, program: bytes):
        self._bytes = program
        self._program = _Program(len(program) // 8, program)
        self._pointer = ctypes.byref(self._program)

    def install(self) -> None:
        """Add the filter to this thread, for good."""
        _call(_libc.prctl, _PR_SET_SECCOMP, 2, self._pointer, 0, 0)

    def install_listening(self) -> int:
        """Add the filter and return a descriptor on which it asks what it leaves open."""
        return _call(_libc.syscall, _SECCOMP[os.uname().machine], 1, 8, self._pointer)


class NoCapabilities:
    """An empty capability set, ready to be installed."""

    def __init__(self) -> None:
        self._header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0), 8)
        self._sets = ctypes.create_string_buffer(24)

    def install(self) -> None:
        """Drop every capability of this thread."""
        _call(_libc.capset, self._header, self._sets)


def landlock_abi() -> int:
    """The version of Landlock the kernel reports; 0 when it has none."""
    try:
        return _call(_libc.syscall, _LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1)
    except OSError:
        return 0


def landlock(read_only: Iterable[str], writable_files: Sequence[str]) -> None:
    """Allow reading below the first paths and using the second ones; deny every other file.

    TCP, abstract sockets and signals out of the domain are denied too where the kernel can.
    """
    abi = landlock_abi()
    files = (1 << 13) - 1
    files |= (1 << 13) if abi >= 2 else 0  # refer
    files |= (1 << 14) if abi >= 3 else 0  # truncate
    files |= (1 << 15) if abi >= 5 else 0  # ioctl on devices
    attributes = struct.pack("=QQQ", files, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = _call(_libc.syscall, _LANDLOCK_CREATE, attributes, ctypes.c_size_t(size), 0)
    write_file, read_file, read_dir = 2, 4, 8
    try:
        for path in read_only:
            _landlock_path(ruleset, path, read_file | read_dir)
        for path in writable_files:
            _landlock_path(ruleset, path, write_file | read_file)
        _call(_libc.syscall, _LANDLOCK_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def _landlock_path(ruleset: int, path: str, access: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(fd).st_mode):
                access &= ~8
            rule = struct.pack("=Qi", access, fd)
            _call(_libc.syscall, _LANDLOCK_ADD, ruleset, 1, rule, 0)
        finally:
            os.close(fd)
