"""The process that makes an environment of wheels behind the walls, and sends its files out.

Of the host's files it sees the wheels and the interpreter's library, and it has no network. The
first process of the namespaces forks once. The child gives up every privilege and unpacks the
wheels into a private /tmp, under the limits for archives from strangers. It compiles what they
hold; no code of a wheel is run. Each file leaves as a line of JSON with its path and size, then its
bytes; a last line says that all were sent.
"""

import compileall
import json
import os
import shutil
import signal
import socket
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import IO, Any

from ingest.projects.unpack import WHEELS, unpack
from runners.judging.sandbox.walls import confine, forkers, linux
from warehouse.errors import AssayError

GIVEN = "/wheels"
DATA_KEPT = ("purelib", "platlib")
N_FDS = 256


def main(arguments: Sequence[str]) -> None:
    """Take one job from the socket, and send the files of its wheels, or why there are none."""
    connection = socket.socket(fileno=int(arguments[0]))
    with connection.makefile("rb") as asked:
        job = json.loads(asked.readline())
    stream = connection.makefile("wb")
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        forker = confine.enter(job["isolation"], {GIVEN: job["wheels"]})
        linux.umount(forkers.TMP)
        forkers.mount_tmp(job["tmp_mb"] << 20, job["tmp_files"])
    except OSError as error:
        _say(stream, refused=str(error))
        return
    pid = forker.fork()
    if pid == 0:
        try:
            _drop(job, forker)
            _make(stream)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    os._exit(0)


def _drop(job: Mapping[str, Any], forker: forkers.Forker) -> None:
    """Take the limits, and give up every privilege."""
    os.setsid()
    os.chdir(forkers.TMP)
    memory, size, cpu_s = job["memory_mb"] << 20, job["file_mb"] << 20, int(job["cpu_s"])
    forker.drop(job["processes"], NOFILE=N_FDS, AS=memory, FSIZE=size, CPU=cpu_s)


def _make(stream: IO[bytes]) -> None:
    """Unpack the wheels, compile what they hold, and send it."""
    made = Path(forkers.TMP) / "made"
    made.mkdir()
    for wheel in sorted(Path(GIVEN).glob("*.whl")):
        unpacked = made.parent / wheel.stem
        try:
            unpack(wheel, unpacked, endings=WHEELS)
            _add(unpacked, made)
        except (AssayError, OSError) as error:
            _say(stream, bad=getattr(error, "reason", str(error)), wheel=wheel.name)
            return
    # unchecked: the file has another time on the host, so a check by time would fail
    mode = PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(
        made, stripdir=made, prependdir=confine.PACKAGES, quiet=2, invalidation_mode=mode
    )
    for file in _files(made):
        content = file.read_bytes()
        _say(stream, file=file.relative_to(made).as_posix(), size=len(content))
        stream.write(content)
    _say(stream, end=True)


def _add(unpacked: Path, made: Path) -> None:
    """Move a wheel's packages to the others; of two files of one name, the first stays."""
    places: list[Path] = [unpacked]
    for data in unpacked.glob("*.data"):
        places += [data / name for name in DATA_KEPT if (data / name).is_dir()]
    for base in reversed(places):
        for file in _files(base):
            target = made / file.relative_to(base)
            if ".data" not in target.relative_to(made).parts[0] and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                file.rename(target)
    shutil.rmtree(unpacked)


def _files(folder: Path) -> Iterable[Path]:
    return [file for file in sorted(folder.rglob("*")) if file.is_file() and not file.is_symlink()]


def _say(stream: IO[bytes], **words: object) -> None:
    stream.write(json.dumps(words).encode() + b"\n")
    stream.flush()
