"""The folder of an environment: the wheels of a lock, unpacked once, nothing of them run.

A wheel is an archive: a process behind the walls unpacks and compiles it (``unpack_process.py``)
and sends the files out. Here they are written to a folder, which suites and programs are shown
read-only. pip would install wheels too, but sets no limit to what one unpacks to.

That process is not trusted. Each path and size that it sends is checked like a member of a
stranger's archive. The folder gets its name, the hash of the lock, when the last file is there.

What a wheel's installation would add is left out: programs in ``bin``, headers and data outside the
packages. So are ``.pth`` files, which no interpreter without ``site`` reads.
"""

import io
import json
import socket
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ingest.projects.unpack import MAX_HEADER_BYTES, Members
from runners.judging.environments.locks import Lock, environments_dir, fetched
from runners.judging.sandbox import launch
from runners.judging.sandbox.walls.probe import namespace_level
from runners.printable import printable_line
from warehouse.errors import AssayError, BadInput, IsolationRefused

MAKE_S = 600
LOST = (OSError, EOFError, KeyError, TypeError, ValueError, OverflowError, RecursionError)


@dataclass(frozen=True)
class MakingLimits:
    """What the process that unpacks may use; each wheel may be as large as another archive."""

    cpu_s: float = 300.0
    memory_mb: int = 2048
    processes: int = 256
    file_mb: int = 500
    tmp_mb: int = 2_000
    tmp_files: int = 100_000


LIMITS = MakingLimits()


def folder_of(lock: Lock) -> Path:
    """Return the folder with the unpacked packages of a lock, made once.

    Raises AssayError where a wheel cannot be fetched, BadInput where one cannot be unpacked.
    """
    folder = environments_dir() / lock.sha256
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".making-") as beside:
        wheels, made = Path(beside) / "wheels", Path(beside) / "made"
        _made(fetched(lock, wheels), made)
        for place in (made, *made.rglob("*")):  # whatever our umask: another user reads them inside
            place.chmod(0o755 if place.is_dir() else 0o644)
        try:
            made.rename(folder)
        except OSError:
            if not folder.exists():  # else another process was faster
                raise
    return folder


def _made(wheels: Sequence[Path], folder: Path) -> None:
    """Write the files of some wheels, which a process behind the walls unpacks, to a new folder."""
    for place in (wheels[0].parent, *wheels):  # whatever our umask: another user reads them inside
        place.chmod(0o755 if place.is_dir() else 0o644)
    level = namespace_level()
    job = vars(LIMITS) | {"isolation": level, "wheels": str(wheels[0].parent)}
    ours, theirs = socket.socketpair()
    with ours, theirs:
        package = "runners.judging.environments"
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
