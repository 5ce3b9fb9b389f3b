"""A real project, unpacked: its origin, its source and its tests.

Nothing of a project is run here, not even its build backend.
"""

import email
import hashlib
import os
import re
import shutil
import tarfile
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from ingest.files import sha256_of
from ingest.projects.curated import CuratedProject, curated_projects
from ingest.projects.index import NAME, VERSION, archive_of, unfit_release
from ingest.projects.unpack import LIMITS, MAX_DEPTH, SOURCES, is_utf8, unpack
from models.keys import content_key
from warehouse import settings
from warehouse.errors import AssayError, BadInput, known_names
from warehouse.facts.projects import StoredRelease

UNKNOWN, CHECKOUT = "unknown", "checkout"
STATED = ("version", "license")
MAX_NAME = 200
KEPT, UNPACKED = "kept", "unpacked"
"""Folders of the cache: archives of what was named by a path, and archives unpacked."""

NO_SOURCE = {"setup.py", "conftest.py", "noxfile.py"}
"""Python files beside a package that do not belong to it."""


@dataclass(frozen=True)
class Project:
    """One version of a project.

    ``sha256`` is of the archive, or of the files of a checkout. ``folder`` holds the project,
    ``sources`` and ``tests`` are places below it: files, or folders with all they hold. ``curated``
    is its entry in the curated list, if it has one. ``wanted`` is the name that a command was
    given.
    """

    name: str
    version: str
    license: str
    sha256: str
    archive: Path | None
    folder: Path
    sources: tuple[str, ...]
    tests: tuple[str, ...]
    curated: CuratedProject | None = None
    wanted: str = field(default="", compare=False)

    @property
    def release_id(self) -> str:
        """The key of its release in the warehouse."""
        return content_key(self.name, self.version, self.sha256)

    def source_files(self) -> list[str]:
        """Return the places of its Python files, without those of tests; no link is followed."""
        found = {place for source in self.sources for place in _python_files(self.folder, source)}
        return sorted(
            place
            for place in found
            if not any(place == test or place.startswith(f"{test}/") for test in self.tests)
        )


def project_of(wanted: str) -> Project:
    """Return a project by the name of a curated one, by NAME==VERSION, or by a path.

    The path is that of an archive or of a checkout. An archive is fetched and unpacked once.
    """
    return replace(_found(wanted), wanted=wanted)


def _found(wanted: str) -> Project:
    if reason := unknown_project(wanted):
        raise BadInput(reason)
    known = curated_projects()
    name, _, version = wanted.partition("==")
    if name in known and version in ("", known[name].version):
        return _curated(known[name])
    path = Path(wanted).expanduser().absolute()
    if path.is_dir():
        path = path.resolve()  # of a link, nothing but the link would be read
        _layout(path)  # whatever else it is, a folder without source is not read
        return _described(path, _tree_sha256(path), None)
    if path.exists() or "/" in wanted:
        sha256 = sha256_of(path)
        return _described(_unpacked(path, sha256), sha256, path)
    archive, sha256 = archive_of(name, version)
    return _described(_unpacked(archive, sha256), sha256, archive)


def unknown_projects(names: Iterable[str], unknown: Callable[[str], str] | None = None) -> str:
    """Return why some names name no project, by ``unknown`` if it is given."""
    return "; ".join(reason for name in names if (reason := (unknown or unknown_project)(name)))


def unknown_project(wanted: str) -> str:
    """Return why a text names no project, or nothing; no archive is opened or fetched for it."""
    known = curated_projects()
    name, versioned, version = wanted.partition("==")
    path = Path(wanted).expanduser()
    if (name in known and not versioned) or (wanted and path.exists()):
        return ""
    if "/" in wanted:
        return f"{wanted}: no such file or folder"
    if version:
        return unfit_release(name, version)
    reason = f"no curated project, archive or checkout {wanted!r}{known_names(name, known)}"
    return f"{reason}; another project is named as NAME==VERSION"


def keep_archive(project: Project) -> None:
    """Keep a project that was named by a path, as an archive with its checksum in the name.

    An archive from an index is not kept here, because it can be fetched again. Hidden files of a
    checkout are left out. Raises BadInput for a checkout that changed meanwhile, or has a link that
    leads outside.
    """
    if (project.archive and project.archive.parent == _cache()) or _kept(project.sha256):
        return
    folder = _cache() / KEPT
    folder.mkdir(parents=True, exist_ok=True)
    name = project.archive.name if project.archive else f"{CHECKOUT}.tar.gz"
    with tempfile.TemporaryDirectory(dir=folder, prefix=".keeping-") as beside:
        made, unpacked = Path(beside) / name, Path(beside) / "unpacked"
        if project.archive:
            shutil.copyfile(project.archive, made)
        else:
            _pack(project, made)
            unpack(made, unpacked)
        found = sha256_of(made) if project.archive else _tree_sha256(_top(unpacked))
        if found != project.sha256:
            raise BadInput("changed while it was read", path=project.archive or project.folder)
        made.rename(folder / f"{project.sha256}-{name}")


def project_again(release: StoredRelease) -> Project:
    """Return a project that was ingested, from its archive, which is fetched if it is missing.

    Raises BadInput where the archive is out of reach.
    """
    named = f"{release.project} {release.version}"
    entry = curated_projects().get(release.project)
    try:
        if entry is not None and entry.sha256 == release.sha256:
            return _curated(entry)
        if kept := _kept(release.sha256):
            return _kept_project(release, kept)
        if release.source == CHECKOUT:
            raise BadInput("a checkout is kept when it is ingested, where no link leads outside")
        fetched = any(_cache().glob(f"{release.sha256}-*"))
        if not fetched and (_cache() / UNPACKED / release.sha256).exists():
            archive = Path(release.source)
            return _described(_unpacked(archive, release.sha256), release.sha256, archive)
        archive, sha256 = archive_of(release.project, release.version, release.sha256)
        found = _described(_unpacked(archive, sha256), sha256, archive)
        return replace(found, wanted=f"{release.project}=={release.version}")
    except AssayError as error:
        what = "its checkout" if release.source == CHECKOUT else release.source
        again = f"ingest {what} again with `assay ingest project`"
        raise BadInput(f"{named} is not here any more: {again} ({error})") from error


def _kept_project(release: StoredRelease, kept: Path) -> Project:
    """Return a project that was named by a path, from what is kept of it."""
    folder = _unpacked(kept, release.sha256)
    if release.source != CHECKOUT:
        found = _described(folder, release.sha256, kept)
        right = sha256_of(kept)
    else:
        found = replace(_described(folder, release.sha256, None), name=release.project)
        right = _tree_sha256(folder)
    if right != release.sha256:
        raise BadInput("it is damaged", path=kept)
    return replace(found, wanted=str(folder if found.archive is None else kept))


def _cache() -> Path:
    return settings.cache_dir() / "projects"


def _kept(sha256: str) -> Path | None:
    return next((_cache() / KEPT).glob(f"{sha256}-*"), None)


def _pack(project: Project, path: Path) -> None:
    """Write the files and links of a checkout, by name and without times, owners or hidden ones."""
    top = project.name if NAME.fullmatch(project.name) else CHECKOUT
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file in _files(project.folder):
            member = tarfile.TarInfo(f"{top}/{file.relative_to(project.folder).as_posix()}")
            if file.is_symlink():
                member.type, member.linkname = tarfile.SYMTYPE, str(file.readlink())
                archive.addfile(member)
            elif file.is_file():
                member.mode = 0o755 if os.access(file, os.X_OK) else 0o644
                with file.open("rb") as content:
                    member.size = os.fstat(content.fileno()).st_size
                    archive.addfile(member, content)


def _curated(entry: CuratedProject) -> Project:
    archive, sha256 = archive_of(entry.name, entry.version, entry.sha256)
    folder = _unpacked(archive, sha256)
    for place in (*entry.sources, *entry.tests):
        if not (folder / place).exists():
            raise BadInput(f"the project {entry.name} has no {place}", path=archive)
    return Project(
        name=entry.name,
        version=entry.version,
        license=entry.license,
        sha256=sha256,
        archive=archive,
        folder=folder,
        sources=tuple(entry.sources),
        tests=tuple(entry.tests),
        curated=entry,
        wanted=entry.name,
    )


def _unpacked(archive: Path, sha256: str) -> Path:
    """Return the folder of a project in its archive, unpacked once."""
    folder = _cache() / UNPACKED / sha256
    if not folder.exists():
        unpack(archive, folder)
    return _top(folder)


def _top(folder: Path) -> Path:
    """Return the only entry of a folder if it is a folder, else the folder itself."""
    top = list(folder.iterdir())
    alone = len(top) == 1 and top[0].is_dir() and not top[0].is_symlink()
    return top[0] if alone else folder


def _described(folder: Path, sha256: str, archive: Path | None) -> Project:
    """Return a project with what its folder says of it: metadata, packages, folders of tests."""
    headers = folder / "PKG-INFO"
    metadata = email.message_from_bytes(headers.read_bytes() if headers.is_file() else b"")
    declared = _declared(folder)
    license = metadata.get("License-Expression") or metadata.get("License") or declared["license"]
    sources, tests = _layout(folder, archive)
    return Project(
        name=_fitting(metadata["Name"], NAME) or _bare_name(folder, sha256, archive),
        version=_fitting(metadata["Version"] or declared["version"], VERSION) or UNKNOWN,
        # older projects write the whole text of their licence there
        license=_shown(str(license or UNKNOWN).partition("\n")[0]),
        sha256=sha256,
        archive=archive,
        folder=folder,
        sources=sources,
        tests=tests,
    )


def _declared(folder: Path) -> dict[str, str]:
    """Return version and licence as ``pyproject.toml`` states them, empty where it states none."""
    file, table = folder / "pyproject.toml", {}
    if file.is_file() and not file.is_symlink():
        with suppress(ValueError, RecursionError):  # of a file that is no TOML
            table = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {})
    found = {name: table.get(name) if isinstance(table, dict) else "" for name in STATED}
    if isinstance(license := found["license"], dict):
        found["license"] = license.get("text")
    return {name: value if isinstance(value, str) else "" for name, value in found.items()}


def _bare_name(folder: Path, sha256: str, archive: Path | None) -> str:
    """Return the name of a folder, or of the archive where no folder holds all that is in it."""
    if archive is None or folder.name != sha256:
        return _shown(folder.name)
    name = archive.name.removeprefix(f"{sha256}-")
    ending = next((each for each in SOURCES if name.lower().endswith(each)), "")
    return _shown(name[: len(name) - len(ending)])


def _fitting(value: object, pattern: re.Pattern[str]) -> str:
    """Return a value of the metadata, nothing where it does not match this pattern."""
    text = str(value or "").strip()
    return text if len(text) <= MAX_NAME and pattern.fullmatch(text) else ""


def _shown(text: str) -> str:
    """Return a text of a stranger with a question mark for each letter that is not printed."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:MAX_NAME])


def _layout(folder: Path, archive: Path | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return where source and tests lie: packages and modules at the top or in ``src``.

    Raises BadInput where there is no source.
    """
    base = folder / "src" if (folder / "src").is_dir() else folder
    sources = {file.parent for file in base.glob("*/__init__.py")}
    modules = filter(Path.is_file, base.glob("*.py"))
    sources |= {file for file in modules if base != folder or file.name not in NO_SOURCE}
    tests = {file for place in (folder, *sources) for file in _tests_in(place)}
    if not sources - tests:
        raise BadInput("there is no Python package or module in it", path=archive or folder)
    return _places(folder, sources - tests), _places(folder, tests)


def _places(folder: Path, found: Iterable[Path]) -> tuple[str, ...]:
    return tuple(sorted(each.relative_to(folder).as_posix() for each in found))


def _tests_in(folder: Path) -> Iterator[Path]:
    """Yield the folders and files of tests directly below a folder."""
    yield from (place for name in ("test", "tests") if (place := folder / name).is_dir())
    for pattern in ("test.py", "tests.py", "test_*.py", "*_test.py"):
        yield from filter(Path.is_file, folder.glob(pattern))


def _python_files(folder: Path, place: str) -> Iterator[str]:
    for file in _files(folder / place):
        if file.suffix == ".py" and file.is_file() and not file.is_symlink():
            yield file.relative_to(folder).as_posix()


def _files(place: Path) -> Iterator[Path]:
    """Yield a file, or the files and links below a folder that is no link, hidden ones left out."""
    left = [place]
    while left:
        found = left.pop()
        if found.is_dir() and not found.is_symlink():
            shown = (each for each in found.iterdir() if not each.name.startswith("."))
            left += sorted((each for each in shown if each.name != "__pycache__"), reverse=True)
        else:
            yield found


def _tree_sha256(folder: Path) -> str:
    """Return a checksum over the names and contents of a checkout, hidden files left out.

    Raises BadInput for files that an archive may not have: too many, too large, too deep, no UTF-8.
    """
    digest = hashlib.sha256()
    n_bytes = 0
    for number, file in enumerate(_files(folder), 1):
        if not file.is_symlink() and not file.is_file():
            continue  # a pipe, a socket or a device
        n_bytes += file.lstat().st_size
        if n_bytes > LIMITS.n_bytes or number > LIMITS.members:
            most = f"{LIMITS.members:,} files or {LIMITS.n_bytes:,} bytes"
            raise BadInput(f"has more than {most}: name the folder of one project", path=folder)
        name = file.relative_to(folder).as_posix()
        if name.count("/") > MAX_DEPTH or not is_utf8(name):
            reason = f"has a file name that is no UTF-8, or is in over {MAX_DEPTH} folders"
            raise BadInput(f"{reason}: {name[:100]!a}", path=folder)
        held = file.readlink() if file.is_symlink() else sha256_of(file)
        digest.update(f"{name} {held}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
