"""The private files, restored after each candidate, whatever it wrote.

What is compared is the content of each file, and not only its times: a write through a shared
mapping need not change them. No other process runs meanwhile, and all files have one owner.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

ALL = 0o7777


@dataclass
class TreeEntry:
    """A file with its content, a link with its target, or a folder with what it holds."""

    mode: int
    mtime_ns: int = 0
    content: bytes | str | None = None
    held: dict[str, "TreeEntry"] = field(default_factory=dict)


class Tree:
    """The files below some folders when this was made; ``restore`` raises OSError if it cannot."""

    def __init__(self, roots: Sequence[str]):
        self._held = {root: _entry(root) for root in roots}
        self._gone = f"{roots[0]}/.gone"
        self._n_gone = 0

    def restore(self) -> None:
        """Bring back what was changed or removed, and remove what was added.

        All removals come first, because what was added may fill the disk.
        """
        missing = [
            each for root, entry in self._held.items() for each in self._cleared(root, entry)
        ]
        for path, entry in missing:
            _make(path, entry)

    def write_back(self, path: str) -> None:
        """Restore content and time of one file."""
        (root,) = (each for each in self._held if path.startswith(f"{each}/"))
        entry = self._held[root]
        for name in path.removeprefix(f"{root}/").split("/"):
            entry = entry.held[name]
        assert isinstance(entry.content, bytes)
        fd = os.open(path, os.O_WRONLY)
        write_all(fd, entry.content)
        os.utime(fd, ns=(entry.mtime_ns, entry.mtime_ns))
        os.close(fd)

    def _cleared(self, folder: str, entry: TreeEntry) -> Iterator[tuple[str, TreeEntry]]:
        """Remove what was added or changed below a folder; yield what is missing then."""
        if os.lstat(folder).st_mode != entry.mode:
            os.chmod(folder, entry.mode & ALL)  # noqa: PTH101
        same = set()
        with os.scandir(folder) as found:
            for each in list(found):
                expected = entry.held.get(each.name)
                if expected is not None and _same(each, expected):
                    same.add(each.name)
                else:
                    self._remove(each)
        for name, expected in entry.held.items():
            path = f"{folder}/{name}"
            if name not in same:
                yield path, expected
            elif stat.S_ISDIR(expected.mode):
                yield from self._cleared(path, expected)

    def _remove(self, entry: "os.DirEntry[str]") -> None:
        """Remove a file, or a folder without following its depth: what it holds moves up first."""
        if not entry.is_dir(follow_symlinks=False):
            os.unlink(entry.path)  # noqa: PTH108
            return
        left = [entry.path]
        while left:
            folder = left.pop()
            os.chmod(folder, 0o700)  # noqa: PTH101
            with os.scandir(folder) as found:
                for each in list(found):
                    if each.is_dir(follow_symlinks=False):
                        self._n_gone += 1
                        os.chmod(each.path, 0o700)  # noqa: PTH101
                        left.append(f"{self._gone}{self._n_gone}")
                        os.rename(each.path, left[-1])  # noqa: PTH104
                    else:
                        os.unlink(each.path)  # noqa: PTH108
            os.rmdir(folder)  # noqa: PTH106


def write_all(fd: int, content: bytes) -> None:
    """Give an open file this content; truncating last keeps the pages that stay."""
    left = memoryview(content)
    while left:
        left = left[os.write(fd, left) :]
    os.ftruncate(fd, len(content))


def _entry(path: str) -> TreeEntry:
    found = os.lstat(path)
    entry = TreeEntry(found.st_mode, found.st_mtime_ns)
    if stat.S_ISLNK(found.st_mode):
        entry.content = os.readlink(path)  # noqa: PTH115
    elif stat.S_ISDIR(found.st_mode):
        with os.scandir(path) as held:
            entry.held = {each.name: _entry(each.path) for each in held}
    elif stat.S_ISREG(found.st_mode):
        entry.content = _content(path, found.st_size)
    return entry


def _content(path: str, size: int) -> bytes:
    """Return the content of a file of this size; nobody else writes to it."""
    fd = os.open(path, os.O_RDONLY)
    try:
        parts = []
        while size > 0 and (part := os.read(fd, size)):
            parts.append(part)
            size -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)
    finally:
        os.close(fd)


def _same(found: "os.DirEntry[str]", expected: TreeEntry) -> bool:
    state = found.stat(follow_symlinks=False)
    if stat.S_ISDIR(expected.mode):
        return stat.S_ISDIR(state.st_mode)
    if state.st_mode != expected.mode or state.st_nlink != 1:
        return False
    if stat.S_ISLNK(state.st_mode):
        return os.readlink(found.path) == expected.content  # noqa: PTH115
    if not isinstance(expected.content, bytes) or state.st_mtime_ns != expected.mtime_ns:
        return False
    size = len(expected.content)
    return state.st_size == size and _content(found.path, size) == expected.content


def _make(path: str, entry: TreeEntry) -> None:
    """Make a file, a link, or a folder with all that it holds."""
    if stat.S_ISDIR(entry.mode):
        os.mkdir(path)  # noqa: PTH102
        os.chmod(path, entry.mode & ALL)  # noqa: PTH101
        for name, held in entry.held.items():
            _make(f"{path}/{name}", held)
    elif isinstance(entry.content, str):
        os.symlink(entry.content, path)  # noqa: PTH211
    elif entry.content is not None:
        with open(path, "xb") as file:  # noqa: PTH123
            file.write(entry.content)
            os.fchmod(file.fileno(), entry.mode & ALL)
        os.utime(path, ns=(entry.mtime_ns, entry.mtime_ns))
