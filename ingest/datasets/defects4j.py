"""Defects4J 3.0.1: the bugs whose fix replaces one line (Just et al. 2014; github.com/rjust).

A patch of Defects4J leads from the fixed program to the buggy one. The line that goes is the right
one, the line that comes is wrong. The tests of the projects are not run here: a repair is judged by
exact match, and all_pass is not available.
"""

import csv
import hashlib
import io
import re
import tarfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ingest.fields import Fields
from ingest.files import opened
from ingest.problems.dataset import Dataset
from ingest.problems.drafts import Release, Source
from ingest.problems.patches import Hunk, hunks
from ingest.problems.repair import REPAIRS, OneLine, draft, one_line_change
from warehouse.errors import BadInput

SOURCE = Source(
    dataset="defects4j",
    version="ca4a0ef",
    license="MIT",
    url="https://github.com/rjust/defects4j/tree/ca4a0ef98686bcd375336b1066acd6a54e875e34/"
    "framework/projects",
    sha256="0b54ec80b2fd5ab88aa291d351dfe6b11d40c03972145f1cd810ac6327ccbc7b",
    may_be_folder=True,
    local="an archive or a folder of <project>/patches, or an installed Defects4J",
)

SIX_PROJECTS = ("Chart", "Closure", "Lang", "Math", "Mockito", "Time")
"""The projects of Defects4J 1.2, on which repair tools were long compared."""

NAME = re.compile(r"(?:.*/)?(\w+/(?:patches/\d+\.src\.patch|active-bugs\.csv))")
MAX_FILE_BYTES = 10_000_000
MAX_ARCHIVE_BYTES = 10_000_000_000
"""All files of an archive together, unpacked."""


def read(path: Path, checkouts: Path | None = None, seed: int | None = None) -> Release:
    """Return the active bugs whose patch has one line for one, by project and number.

    ``checkouts`` holds working copies named like Lang_6b, as ``defects4j checkout -p Lang -v 6b``
    makes them: the lines around the wrong one come from there, where there is one.
    """
    if seed is not None:
        raise BadInput("no subset of defects4j is drawn: it takes no seed")
    files = _files(path)
    active = {
        project: _active(files, f"{project}/active-bugs.csv", path)
        for project in sorted({name.partition("/")[0] for name in files})
    }
    left_out: Counter[str] = Counter()
    drafts = []
    digest = hashlib.sha256()
    for project, bug, name in _patches(files):
        if bug not in active[project]:
            left_out["deprecated"] += 1
            continue
        place = Fields({}, path, name)
        change = _change(files[name], place)
        if change is None:
            left_out["not_one_line"] += 1
            continue
        change = _widened(change, checkouts, f"{project}_{bug}b", place)
        tags = ["project_tests", *(["six_projects"] if project in SIX_PROJECTS else [])]
        drafts.append(draft(f"{project}-{bug}", change, tags, name))
        digest.update(drafts[-1].prompt.encode())
    version_suffix = f", context of checkouts {digest.hexdigest()[:8]}" if checkouts else ""
    return Release(drafts, left_out, version_suffix)


def checksum(path: Path) -> str:
    """Return the SHA-256 over what is read: the same for an archive, a folder, an installation."""
    lines = [
        f"{name} {hashlib.sha256(data).hexdigest()}\n"
        for name, data in sorted(_files(path).items())
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def inputs(path: Path) -> list[Path]:
    """Return the files that are read."""
    return [file for _, file in _found(path)] if path.is_dir() else [path]


def _files(path: Path) -> dict[str, bytes]:
    """Return patches and bug lists by their names from the project on."""
    if path.is_dir():
        files = {name: _contents(file, path) for name, file in _found(path)}
    else:
        files = dict(_members(path))
    if not any(name.endswith(".src.patch") for name in files):
        raise BadInput(f"no <project>/patches/<bug>.src.patch: expected {SOURCE.local}", path=path)
    return files


def _found(folder: Path) -> Iterator[tuple[str, Path]]:
    installed = folder / "framework" / "projects"
    base = installed if installed.is_dir() else folder
    for pattern in ("*/active-bugs.csv", "*/patches/*.src.patch"):
        for file in sorted(base.glob(pattern)):
            yield file.relative_to(base).as_posix(), file


def _contents(file: Path, folder: Path) -> bytes:
    with opened(file, below=folder, unpack=False, limit=MAX_FILE_BYTES) as opened_file:
        return opened_file.read()


def _members(archive: Path) -> Iterator[tuple[str, bytes]]:
    with opened(archive, unpack=False) as raw:
        try:
            with tarfile.open(fileobj=raw) as tar:
                yield from _wanted(tar, archive)
        except (tarfile.TarError, EOFError, zlib.error, OSError) as error:
            raise BadInput(
                "not a tar archive that can be read, or one that is cut short", path=archive
            ) from error


def _wanted(tar: tarfile.TarFile, archive: Path) -> Iterator[tuple[str, bytes]]:
    seen: set[str] = set()
    n_bytes = 0
    for member in tar:
        n_bytes += member.size
        if n_bytes > MAX_ARCHIVE_BYTES:
            reason = f"unpacks to more than {MAX_ARCHIVE_BYTES:,} bytes"
            raise BadInput(reason, path=archive, row=member.name)
        name = NAME.fullmatch(member.name)
        if not name or not member.isfile():
            continue
        if name[1] in seen:
            raise BadInput(f"{name[1]} is there twice", path=archive, row=member.name)
        if member.size > MAX_FILE_BYTES:
            raise BadInput("the file is too large", path=archive, row=member.name)
        seen.add(name[1])
        file = tar.extractfile(member)
        yield name[1], file.read() if file else b""


def _active(files: dict[str, bytes], name: str, path: Path) -> set[int]:
    if name not in files:
        raise BadInput("the list of active bugs is missing", path=path, row=name)
    place = Fields({}, path, name)
    try:
        rows = list(csv.DictReader(io.StringIO(files[name].decode("utf-8"))))
        return {int(row["bug.id"]) for row in rows}
    except (UnicodeDecodeError, csv.Error, KeyError, TypeError, ValueError) as error:
        raise place.bad(f"no list of bugs by bug.id ({error!r})") from error


def _patches(files: dict[str, bytes]) -> list[tuple[str, int, str]]:
    """Return (project, bug, name) of all patches, in order."""
    patches = [name for name in files if name.endswith(".src.patch")]
    return sorted(
        (name.partition("/")[0], int(PurePosixPath(name).name.partition(".")[0]), name)
        for name in patches
    )


def _change(data: bytes, place: Fields) -> OneLine | None:
    """Return the change of a patch with one line for one; other patches need not be UTF-8."""
    try:
        found = hunks(data.decode("latin-1"))
        if [_size(found, mark) for mark in "-+"] != [1, 1]:
            return None
        found = hunks(data.decode("utf-8"))
    except ValueError as error:
        raise place.bad(f"not a patch we can read: {error}") from error
    changed = [hunk for hunk in found if hunk.changed("-") or hunk.changed("+")]
    return one_line_change(changed[0], buggy="+") if len(changed) == 1 else None


def _size(found: list[Hunk], mark: str) -> int:
    return sum(len(hunk.changed(mark)) for hunk in found)


def _widened(change: OneLine, checkouts: Path | None, name: str, place: Fields) -> OneLine:
    if checkouts is None or not (checkouts / name).is_dir():
        return change
    file = checkouts / name / change.path
    if ".." in PurePosixPath(change.path).parts:
        raise place.bad(f"the path {change.path!r} leads out of the working copy")
    try:
        return change.within(_contents(file, checkouts))
    except BadInput as error:
        raise place.bad(f"{file} cannot be read ({error.reason})") from error
    except ValueError as error:
        raise place.bad(f"{file} is not the file of the patch: {error}") from error


DATASET = Dataset(
    SOURCE, REPAIRS, read, options=("checkouts", "seed"), checksum=checksum, inputs=inputs
)
