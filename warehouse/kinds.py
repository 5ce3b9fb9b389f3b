"""Name in words what is at a path, and check that a file or folder can be there."""

import errno
import stat
from pathlib import Path

WORDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
    stat.S_IFREG: "a file",
}


def kind(mode: int) -> str:
    """Name the kind of a file by its mode."""
    return WORDS.get(stat.S_IFMT(mode), "no regular file")


def unfit_folder(path: Path) -> str:
    """Say why a path can be no folder; nothing where one is there or can be made."""
    found = _found(path)
    if isinstance(found, str):
        return found
    return "" if found is None or stat.S_ISDIR(found) else f"is {kind(found)}, not a folder"


def unfit_file(path: Path) -> str:
    """Say why no file can be written to a path; nothing where there is none or a regular one."""
    found = _found(path)
    if isinstance(found, str):
        return found
    if found is None or stat.S_ISREG(found):
        return ""
    return f"is {kind(found)}: only a regular file is replaced"


def _found(path: Path) -> int | str | None:
    """Return the mode of what a path leads to, None for nothing, or what is wrong on the way."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return "is a symbolic link to nothing" if path.is_symlink() else None
    except NotADirectoryError:
        return "lies below something that is no folder"
    except OSError as error:
        # of anything else, whoever opens the path says more
        return "leads in a circle of symbolic links" if error.errno == errno.ELOOP else None
