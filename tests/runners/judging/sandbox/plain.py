"""Run a command as a plain user of this machine, for tests that start as root.

    python -m tests.runners.judging.sandbox.plain [--without-user-namespaces] pytest ...

The command sees the interpreter's library even where it lies in root's home, and a private /tmp.
``--without-user-namespaces``: as on a machine whose administrator allows none. Nothing of the
machine itself is changed: all of it happens in namespaces of the command.
"""

import ctypes
import os
import sys
from pathlib import Path

from runners.judging.sandbox import launch
from runners.judging.sandbox.walls import linux

NOBODY = 65534
WITHOUT = "--without-user-namespaces"


def main(arguments: list[str]) -> None:
    """Become nobody, then the command."""
    linux.unshare(linux.CLONE_NEWNS)
    linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
    _show(Path(launch.interpreter()).parent.parent)
    linux.mount("tmpfs", "/tmp", "tmpfs", 0, "mode=1777")
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # a change of user hides /proc/self from itself
    if arguments[0] == WITHOUT:
        del arguments[0]
        linux.unshare(linux.CLONE_NEWUSER)
        for name in ("uid_map", "gid_map"):
            Path("/proc/self/setgroups").write_text("deny")
            Path(f"/proc/self/{name}").write_text(f"{NOBODY} {NOBODY} 1\n")
        Path("/proc/sys/user/max_user_namespaces").write_text("0")
    os.environ |= {"HOME": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
    os.execvp(sys.executable, [sys.executable, "-m", *arguments])


def can_read(folder: Path) -> bool:
    """Say whether the command could read a folder: it has an empty /tmp, and is a stranger."""
    parents = [folder, *folder.parents]
    return Path("/tmp") not in parents and all(p.stat().st_mode & 0o001 for p in parents)


def _show(library: Path) -> None:
    """Let everybody walk to a folder that lies below a closed one."""
    closed = next((p for p in reversed(library.parents) if not p.stat().st_mode & 0o001), None)
    if closed is None:
        return
    held = os.open(library, os.O_PATH)
    linux.mount("tmpfs", str(closed), "tmpfs", 0, "size=1m,mode=755")
    library.mkdir(parents=True)
    linux.mount(f"/proc/self/fd/{held}", str(library), "", linux.MS_BIND)
    os.close(held)


if __name__ == "__main__":
    main(sys.argv[1:])
