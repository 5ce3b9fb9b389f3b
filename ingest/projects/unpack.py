"""An archive of source code into a folder, whole or not at all.

Archives are written by strangers. Each member must have a plain name inside the folder that no
earlier member has. Its parents are folders of this archive, never links. Links are made last, so
nothing is written through one, and each must lead to a place inside. tarfile's ``data`` filter is
not used. It strips the root of an absolute name, and lets a later member replace an earlier one or
write through a link. It sets no limit, and does not exist for zip.
"""

import os
import shutil
import stat
import tarfile
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, NoReturn

from ingest.files import opened
from warehouse.errors import AssayError, BadInput

MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 2_000
MAX_DEPTH = 100
"""Most folders around a file: Python walks through folders by recursion."""

MAX_HEADER_BYTES = 64_000
"""Longest header that only extends another, such as one with a long name."""

EXTENDING = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)


@dataclass(frozen=True)
class UnpackLimits:
    """How large an archive may be, and how much it may unpack to.

    The latter is ``free_bytes``, or ``ratio`` times its size if more, and never over ``n_bytes``.
    """

    members: int = 50_000
    archive_bytes: int = 100_000_000
    n_bytes: int = 500_000_000
    free_bytes: int = 50_000_000
    ratio: int = 100

    def of(self, archive: Path) -> int:
        """Return the bytes that an archive may unpack to."""
        return min(self.n_bytes, max(self.free_bytes, self.ratio * archive.stat().st_size))


LIMITS = UnpackLimits()
SOURCES = (".tar.gz", ".tgz", ".zip")
WHEELS = (".whl",)


def unpack(
    archive: Path,
    folder: Path,
    limits: UnpackLimits = LIMITS,
    endings: tuple[str, ...] = SOURCES,
) -> None:
    """Unpack a .tar.gz or .zip to a new folder; with the ``endings`` of WHEELS, a wheel.

    Raises BadInput, and leaves nothing, for an archive that is damaged, hostile or too large.
    """
    if not archive.name.lower().endswith(endings):
        raise BadInput("is no archive of source code: .tar.gz and .zip are read", path=archive)
    if not archive.is_file():
        raise BadInput("no such file", path=archive)
    if archive.stat().st_size > limits.archive_bytes:
        raise BadInput(f"has more than {limits.archive_bytes:,} bytes", path=archive)
    if os.path.lexists(folder):
        raise BadInput("exists already", path=folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".unpacking-") as beside:
        root = Path(beside) / "root"
        root.mkdir()
        members = Members(archive, root, limits.members, limits.of(archive))
        try:
            if archive.name.lower().endswith((".zip", ".whl")):
                _unzip(archive, members)
            else:
                _untar(archive, members, limits)
            members.link()
        except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error) as error:
            raise BadInput(f"the archive is damaged ({error})", path=archive) from error
        except (ValueError, NotImplementedError, RuntimeError) as error:  # also RecursionError
            reason = f"the archive cannot be read ({type(error).__name__}: {error})"
            raise BadInput(reason, path=archive) from error
        except OSError as error:
            reason = f"{archive} cannot be unpacked to it ({error.strerror or error})"
            raise AssayError(f"{folder}: {reason}") from error
        if "file" not in members.kinds.values():
            raise BadInput("the archive holds no file", path=archive)
        try:
            root.rename(folder)
        except OSError as error:  # another process was faster
            raise BadInput("exists already", path=folder) from error


class Members:
    """What was unpacked so far, by its place below the folder, and what still may be."""

    def __init__(self, archive: Path, root: Path, n_members: int, n_bytes: int):
        self.kinds: dict[str, str] = {}
        self._links: dict[str, str] = {}
        self._archive = archive
        self._root = root
        self._n_left = n_members
        self._limit = self._bytes_left = n_bytes

    def refuse(self, name: str, reason: str) -> NoReturn:
        """Raise BadInput for a member."""
        shown = name if len(name) < 100 else f"{name[:100]}..."
        raise BadInput(f"the member {shown!r} {reason}", path=self._archive)

    def count(self, name: str, size: int) -> None:
        """Take a member from what the limits leave."""
        self._n_left -= 1
        if self._n_left < 0:
            raise BadInput("the archive has too many members", path=self._archive)
        self.take_bytes(name, size)

    def take_bytes(self, name: str, size: int) -> None:
        """Take the bytes of a member from what the limits leave."""
        self._bytes_left -= size
        if self._bytes_left < 0 or size < 0:
            self.refuse(name, f"is too large: the archive may unpack to {self._limit:,} bytes")

    def folder(self, name: str) -> None:
        """Make a folder; the root may be named as well."""
        place = self._place(name)
        if place and self.kinds.get(place) != "folder":
            self._take(name, place, "folder")
            (self._root / place).mkdir()

    def file(self, name: str, content: IO[bytes], size: int, *, executable: bool) -> None:
        """Write a file of a size."""
        place = self._place(name)
        self._take(name, place, "file")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        mode = 0o755 if executable else 0o644
        with os.fdopen(os.open(self._root / place, flags, mode), "wb") as file:
            shutil.copyfileobj(content, file)
            if file.tell() != size:
                self.refuse(name, f"has {file.tell():,} bytes where {size:,} are announced")

    def hard_link(self, name: str, target: str) -> None:
        """Give a second name to a file that was unpacked before."""
        place, source = self._place(name), self._place(target)
        if self.kinds.get(source) != "file":
            self.refuse(name, f"is a hard link to {target!r}, which is no file before it")
        # whoever copies or reads the files reads this one again
        self.take_bytes(name, (self._root / source).stat().st_size)
        self._take(name, place, "file")
        os.link(self._root / source, self._root / place)

    def symbolic_link(self, name: str, target: str) -> None:
        """Keep a link until everything else is unpacked."""
        self._check_text(target)
        place = self._place(name)
        self._take(name, place, "link")
        self._links[place] = target

    def link(self) -> None:
        """Make the symbolic links, all of which lead to places inside."""
        for place, target in self._links.items():
            if target.startswith("/") or not self._leads_inside(place, target):
                self.refuse(place, f"is a link to {target!r}: outside, or through another link")
        for place, target in self._links.items():
            (self._root / place).symlink_to(target)

    def _leads_inside(self, place: str, target: str) -> bool:
        """Say whether a link leads inside, by its text; one through another link does not."""
        behind = place.split("/")[:-1]
        for part in target.split("/"):
            if "/".join(behind) in self._links or (part == ".." and not behind):
                return False
            if part == "..":
                behind.pop()
            elif part not in ("", "."):
                behind.append(part)
        return True

    def _place(self, name: str) -> str:
        """Return where a name is below the folder, in one spelling."""
        self._check_text(name)
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            self.refuse(name, "would be outside the folder")
        if any(len(part.encode()) > MAX_NAME_BYTES for part in path.parts):
            self.refuse(name, "has too long a name")
        if len(path.parts) > MAX_DEPTH + 1:
            self.refuse(name, f"is in more than {MAX_DEPTH} folders")
        return "/".join(path.parts)

    def _check_text(self, name: str) -> None:
        """Refuse a name, or a target of a link, that is not plain text."""
        strange = any(ord(letter) < 32 or letter in "\\\x7f" for letter in name)
        if not name or strange or not is_utf8(name):
            self.refuse(name, "has a name with a backslash, a control character or no UTF-8")
        if len(name.encode()) > MAX_PATH_BYTES:
            self.refuse(name, "has too long a path")

    def _take(self, name: str, place: str, kind: str) -> None:
        """Note a new member, and make the folders above it."""
        if not place or place in self.kinds:
            self.refuse(name, "has the name of another member")
        for parent in [str(each) for each in PurePosixPath(place).parents][-2::-1]:
            if parent not in self.kinds:
                self.count(name, 0)
            if self.kinds.setdefault(parent, "folder") != "folder":
                self.refuse(name, f"is below {parent!r}, which is a {self.kinds[parent]}")
            (self._root / parent).mkdir(exist_ok=True)
        self.kinds[place] = kind


def is_utf8(name: str) -> bool:
    """Say whether a name of a file can be written in UTF-8."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


class _Header(tarfile.TarInfo):
    """A header, refused where tarfile would take it for the archive's end or read too much."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> "_Header":
        try:
            found = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if not any(buf):  # where the archive ends
                raise
            # tarfile would take this for the end as well
            raise tarfile.ReadError(f"a header: {error}") from error
        if found.type in EXTENDING and found.size > MAX_HEADER_BYTES:
            raise tarfile.ReadError(f"a header that extends another has {found.size:,} bytes")
        return found

    def _proc_gnusparse_10(self, *_: Any) -> NoReturn:
        """Refuse a sparse file before its map is read, which is as long as it says."""
        raise tarfile.ReadError("it holds a sparse file")


def _untar(archive: Path, members: Members, limits: UnpackLimits) -> None:
    # as a stream: one pass, forwards, over bytes that are counted as they are unpacked
    with opened(archive, limit=limits.n_bytes) as stream:
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as packed:
            for member in packed:
                members.count(member.name, member.size)
                if member.isdir():
                    members.folder(member.name)
                elif member.issym():
                    members.symbolic_link(member.name, member.linkname)
                elif member.islnk():
                    members.hard_link(member.name, member.linkname)
                elif member.isreg() and not member.issparse():
                    content = packed.extractfile(member)
                    assert content is not None  # of a regular file
                    executable = bool(member.mode & stat.S_IXUSR)
                    members.file(member.name, content, member.size, executable=executable)
                else:
                    members.refuse(member.name, "is a device, a pipe or a sparse file")
        while stream.read(1 << 20):
            pass  # what follows the end is counted, and the sum at the end of the stream checked


def _unzip(archive: Path, members: Members) -> None:
    with opened(archive, unpack=False) as file, zipfile.ZipFile(file) as packed:
        for member in packed.infolist():
            members.count(member.filename, member.file_size)
            mode = member.external_attr >> 16 if member.create_system == 3 else 0
            kind = stat.S_IFMT(mode)
            if member.flag_bits & 1:
                members.refuse(member.filename, "is encrypted")
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                members.refuse(member.filename, "is packed in a way that no archive of source is")
            if member.is_dir():
                members.folder(member.filename)
            elif kind == stat.S_IFLNK:
                if member.file_size > MAX_PATH_BYTES:
                    members.refuse(member.filename, "is a link to too long a name")
                members.symbolic_link(member.filename, packed.read(member).decode())
            elif kind in (0, stat.S_IFREG):
                with packed.open(member) as content:
                    executable = bool(mode & stat.S_IXUSR)
                    members.file(member.filename, content, member.file_size, executable=executable)
            else:
                members.refuse(member.filename, "is a device or a pipe")
