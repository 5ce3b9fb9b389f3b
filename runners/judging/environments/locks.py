"""The lock of an environment: requirements resolved to wheels, each by its SHA-256.

pip resolves them to wheels alone and reports version and SHA-256 of each, without any build. The
lock is kept, so that later runs take the same wheels; pip fetches each by its SHA-256. What pip is
asked is what its configuration says: an index, or a folder of wheels.
"""

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ingest.files import sha256_of
from ingest.projects.index import normalized
from warehouse import settings
from warehouse.errors import AssayError

RESOLVE_S, FETCH_S = 300, 900
PLAINLY = ("--no-input", "--disable-pip-version-check", "--retries", "3")
OUT_OF_REACH = re.compile(r"Retrying .* connection broken")  # a warning before each retry


class IndexOutOfReach(AssayError):
    """pip cannot ask the package index; another time it may."""


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


@dataclass(frozen=True)
class PartialLock:
    """The lock of the requirements that fit together; ``missing`` says why each other does not."""

    lock: Lock
    missing: Mapping[str, str]


def interpreter_tag() -> str:
    """Return what a lock holds for beside its packages: Python's version and the platform."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"{platform.python_implementation()} {version} {sysconfig.get_platform()}"


def environments_dir() -> Path:
    """Return the folder of locks and of unpacked packages."""
    return settings.cache_dir() / "environments"


def lock_of(requirements: Sequence[str]) -> Lock:
    """Return the lock of some requirements: the one that is kept, else resolved now by pip.

    Raises AssayError where pip finds no wheels for them, or the index is out of reach.
    """
    key = hashlib.sha256("\n".join([interpreter_tag(), *requirements]).encode()).hexdigest()
    kept = environments_dir() / "locks" / f"{key}.txt"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        text = _resolved(requirements)
        with tempfile.NamedTemporaryFile("w", dir=kept.parent, delete=False) as file:
            file.write(text)
        Path(file.name).replace(kept)
    return Lock(kept.read_text(encoding="utf-8"))


def partial_lock_of(requirements: Sequence[str]) -> PartialLock:
    """Return the lock of as many requirements as fit together, the first ones preferred.

    Raises IndexOutOfReach where the index cannot be asked.
    """
    fitting: list[str] = []
    missing: dict[str, str] = {}

    def add(some: Sequence[str]) -> None:
        """Add requirements that fit, found by halves: most often all of them do."""
        try:
            lock_of([*fitting, *some])
        except IndexOutOfReach:
            raise
        except AssayError as error:
            if len(some) == 1:
                missing[some[0]] = str(error)
                return
            middle = len(some) // 2
            add(some[:middle])
            add(some[middle:])
        else:
            fitting.extend(some)

    if requirements:
        add(requirements)
    lock = lock_of(fitting) if fitting else Lock(_text_of([]))
    return PartialLock(lock, missing)


def fetched(lock: Lock, folder: Path) -> list[Path]:
    """Return the wheels of a lock in a new folder, fetched by pip, which compares their SHA-256."""
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
    return _text_of(lines)


def _text_of(lines: Sequence[str]) -> str:
    return f"# {interpreter_tag()}\n" + "".join(sorted(lines))


def _pip(command: str, *arguments: str, seconds: int) -> None:
    """Run pip on wheels alone; raises AssayError with what it says is wrong."""
    plain = (sys.executable, "-P", "-m", "pip", command, "--only-binary", ":all:", "--quiet")
    try:
        done = subprocess.run(
            [*plain, *PLAINLY, *arguments],
            env={**os.environ, "COLUMNS": "10000"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as error:
        raise IndexOutOfReach(f"pip {command} took over {seconds} s: is the index slow?") from error
    if done.returncode and OUT_OF_REACH.search(done.stderr):
        raise IndexOutOfReach(
            "pip cannot reach the package index: connect it, or name a folder of wheels "
            "in PIP_FIND_LINKS and set PIP_NO_INDEX=1"
        )
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        reason = said[-1].removeprefix("ERROR: ") if said else f"it ended with {done.returncode}"
        raise AssayError(f"pip finds no wheels: {_without_addresses(reason)}")


def _without_addresses(text: str) -> str:
    return re.sub(r"\b(?:https?|file)://\S+", "(address)", text)[:300]
