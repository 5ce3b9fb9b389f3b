"""The environment that a project's tests run in: locked, fetched and unpacked, nothing of it run.

pip resolves the requirements to wheels alone and reports version and SHA-256 of each, without any
build. The lock is kept, so that later runs take the same wheels; pip fetches each by its SHA-256.
A wheel is an archive: a process behind the walls unpacks and compiles it
(``inside/unpack_process.py``) and sends the files out. Here they are written to a folder, which
suites are shown read-only. pip would install wheels too, but sets no limit to what one unpacks to.

That process is not trusted. Each path and size that it sends is checked like a member of a
stranger's archive. The folder gets its name when the last file is there.

What a wheel's installation would add is left out: programs in ``bin``, headers and data outside the
packages. So are ``.pth`` files, which no interpreter without ``site`` reads.
"""

import hashlib
import io
import json
import os
import platform
import re
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes
from functools import cached_property
from pathlib import Path
from typing import IO

from ingest.files import sha256_of
from ingest.projects.index import normalized
from ingest.projects.project import Project
from ingest.projects.unpack import MAX_HEADER_BYTES, Members
from runners.judging.sandbox import launch
from runners.projects.suite import SuiteLimits, suite_level
from runners.projects.verdicts import printable_line
from warehouse import settings
from warehouse.errors import AssayError, BadInput, IsolationRefused

RUNNER = ("pytest",)
REQUIREMENT = re.compile(
    r"[a-z0-9][\w.-]*\s*(\[[\w.,\s-]*\])?\s*(\(?\s*[<>=!~][\w\s<>=!~.,*+-]*\)?)?\s*(;.*)?", re.I
)
EXTRA = re.compile(r";.*\bextra\b")
RESOLVE_S, FETCH_S, MAKE_S = 300, 900, 600
LIMITS = SuiteLimits(file_mb=500, tmp_mb=2_000)
"""Of the process that unpacks: each wheel may be as large as a stranger's archive."""
LOST = (OSError, EOFError, KeyError, TypeError, ValueError, OverflowError, RecursionError)


@dataclass(frozen=True)
class Lock:
    """The packages of an environment: a file of pip's requirements, every wheel by its SHA-256."""

    text: str

    @cached_property
    def sha256(self) -> str:
        """Return the SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def packages(self) -> dict[str, str]:
        """Return the version of each package by its name."""
        lines = [line for line in self.text.splitlines() if not line.startswith("#")]
        return dict(line.split(" ")[0].split("==") for line in lines)


def interpreter_tag() -> str:
    """Return what a lock holds for beside its packages: Python's version and the platform."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"{platform.python_implementation()} {version} {sysconfig.get_platform()}"


def requirements_of(project: Project) -> list[str]:
    """Return what a project's tests need, sorted: pytest, what it requires, what is curated.

    Raises BadInput for a requirement that is no name with versions, such as an address.
    """
    headers = project.folder / "PKG-INFO"
    metadata = message_from_bytes(headers.read_bytes() if headers.is_file() else b"")
    needed = [each for each in metadata.get_all("Requires-Dist", []) if not EXTRA.search(each)]
    needed = needed or _listed_beside(project.folder)
    curated = project.curated.requires if project.curated else ()
    found = sorted({" ".join(str(each).split()) for each in (*RUNNER, *needed, *curated)})
    for each in found:
        if not REQUIREMENT.fullmatch(each):
            reason = f"requires {each[:100]!r}: only names with versions are fetched"
            raise BadInput(f"{project.name} {project.version} {reason}")
    return found


def _listed_beside(folder: Path) -> list[str]:
    """Return what older sdists list in ``requires.txt``; a section ``[extra:marker]`` follows."""
    found, marker = [], ""
    for file in sorted(folder.glob("*.egg-info/requires.txt"))[:1]:
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("["):
                extra, _, marker = line.strip("[] ").partition(":")
                if extra or not marker:
                    break
            elif line.strip():
                found.append(f"{line.strip()} ; {marker}" if marker else line.strip())
    return found


def lock_of(requirements: Sequence[str]) -> Lock:
    """Return the lock of some requirements: the one that is kept, else resolved now by pip.

    Raises AssayError where pip finds no wheels for them, or the index is out of reach.
    """
    key = hashlib.sha256("\n".join([interpreter_tag(), *requirements]).encode()).hexdigest()
    kept = _folder() / "locks" / f"{key}.txt"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        text = _resolved(requirements)
        with tempfile.NamedTemporaryFile("w", dir=kept.parent, delete=False) as file:
            file.write(text)
        Path(file.name).replace(kept)
    return Lock(kept.read_text(encoding="utf-8"))


def folder_of(lock: Lock) -> Path:
    """Return the folder with the unpacked packages of a lock, made once.

    Raises AssayError where a wheel cannot be fetched, BadInput where one cannot be unpacked.
    """
    folder = _folder() / lock.sha256
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".making-") as beside:
        wheels, made = Path(beside) / "wheels", Path(beside) / "made"
        _made(fetched_wheels(lock, wheels), made)
        for place in (made, *made.rglob("*")):  # whatever our umask: another user reads them inside
            place.chmod(0o755 if place.is_dir() else 0o644)
        try:
            made.rename(folder)
        except OSError:
            if not folder.exists():  # else another process was faster
                raise
    return folder


def _folder() -> Path:
    return settings.cache_dir() / "environments"


def _resolved(requirements: Sequence[str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = ("--dry-run", "--ignore-installed", "--report", str(report))
        _pip("install", *options, "--", *requirements, seconds=RESOLVE_S)
        found = json.loads(report.read_text(encoding="utf-8"))
    lines = []
    for each in found["install"]:
        name, version = normalized(each["metadata"]["name"]), each["metadata"]["version"]
        sha256 = each["download_info"].get("archive_info", {}).get("hashes", {}).get("sha256")
        if sha256 is None:
            raise AssayError(f"pip names no SHA-256 of {name} {version}: its index lists none")
        lines.append(f"{name}=={version} --hash=sha256:{sha256}\n")
    return f"# {interpreter_tag()}\n" + "".join(sorted(lines))


def fetched_wheels(lock: Lock, folder: Path) -> list[Path]:
    """Return the wheels of a lock, fetched by pip, which compares their SHA-256."""
    folder.mkdir()
    listed = folder / "lock.txt"
    listed.write_text(lock.text, encoding="utf-8")
    options = ("--no-deps", "--require-hashes", "--dest", str(folder), "-r", str(listed))
    _pip("download", *options, seconds=FETCH_S)
    wheels = sorted(folder.glob("*.whl"))
    wanted = set(re.findall(r"sha256:(\w+)", lock.text))
    if {sha256_of(wheel) for wheel in wheels} != wanted:
        raise AssayError("pip fetched other wheels than those of the lock")
    return wheels


def _pip(command: str, *arguments: str, seconds: int) -> None:
    """Run pip on wheels alone; raises AssayError with what it says is wrong."""
    plain = (sys.executable, "-P", "-m", "pip", command, "--only-binary", ":all:", "--quiet")
    try:
        done = subprocess.run(
            [*plain, "--no-input", "--disable-pip-version-check", *arguments],
            env={**os.environ, "COLUMNS": "10000"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as error:
        raise AssayError(f"pip {command} took over {seconds} s: is the index slow?") from error
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        reason = said[-1].removeprefix("ERROR: ") if said else f"it ended with {done.returncode}"
        raise AssayError(f"pip finds no wheels: {_without_addresses(reason)}")


def _without_addresses(text: str) -> str:
    return re.sub(r"\b(?:https?|file)://\S+", "(address)", text)[:300]


def _made(wheels: Sequence[Path], folder: Path) -> None:
    """Write the files of some wheels, which a process behind the walls unpacks, to a new folder."""
    for place in (wheels[0].parent, *wheels):  # whatever our umask: another user reads them inside
        place.chmod(0o755 if place.is_dir() else 0o644)
    level = suite_level()
    job = vars(LIMITS) | {"isolation": level, "wheels": str(wheels[0].parent)}
    ours, theirs = socket.socketpair()
    with ours, theirs:
        package = "runners.projects.inside"
        process = launch.start("unpack_process", [], theirs.fileno(), package=package)
        theirs.close()
        late = threading.Timer(MAKE_S, process.kill)
        late.start()
        try:
            ours.sendall(json.dumps(job).encode() + b"\n")
            with ours.makefile("rb") as stream:
                _take(stream, folder, wheels[0].parent, level)
        except LOST as error:
            reason = f"the process that unpacks wheels was lost ({type(error).__name__}: {error})"
            raise AssayError(printable_line(reason)) from error
        finally:
            late.cancel()
            process.kill()
            process.wait()


def _take(stream: IO[bytes], folder: Path, wheels: Path, level: str) -> None:
    """Write the files that are sent, each checked; EOFError where the last line did not come."""
    folder.mkdir()
    members = Members(wheels, folder, LIMITS.tmp_files, LIMITS.tmp_mb << 20)
    while line := stream.readline(MAX_HEADER_BYTES):
        said = json.loads(line)
        if not isinstance(said, dict):
            raise ValueError("it sent no object")
        if "file" in said:
            name, size = str(said["file"]), int(said["size"])
            members.count(name, size)
            content = stream.read(size)
            if len(content) < size:
                break
            members.file(name, io.BytesIO(content), size, executable=False)
        elif "end" in said:
            return
        elif "refused" in said:
            raise IsolationRefused(f"{level} is refused: {said['refused']}")
        else:
            reason = printable_line(str(said.get("bad")))
            raise BadInput(reason, path=printable_line(str(said.get("wheel"))))
    raise EOFError("it ended in the middle")
