"""The trusted side of a warm process: start it, ask it for one candidate, end it.

The trusted side takes a descriptor of the process before anything of the project runs. So it can
end the process whatever the project does. Each candidate has a separate file in memory, with the
request first and the report after it.
"""

import contextlib
import json
import os
import select
import signal
import socket
import struct
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any

from ingest.projects.project import Project
from runners.judging.sandbox import launch
from runners.printable import printable_line
from runners.projects.events import MAX_NUMBER, record_of
from runners.projects.suite import (
    GRACE_S,
    PLAIN,
    SuiteLimits,
    arguments_of,
    pack,
    set_aside,
)
from warehouse.errors import AssayError, IsolationRefused

FUNCTION, MODULE = "function", "module"
TIERS = (FUNCTION, MODULE)
MAX_REPORT_BYTES = 16 << 20
MAX_PACKET_BYTES = 1 << 16
CREDENTIALS = struct.Struct("3i")
SEED = "0"  # of Python's string hashes: that of a suite's first attempt


class NotWarm(AssayError):
    """A warm process did not come up; the text says why."""


@dataclass(frozen=True)
class CheckLimits(SuiteLimits):
    """What one candidate may use; ``start_s``: seconds a warm process may take to come up."""

    start_s: float = 300.0


@dataclass(frozen=True)
class Asked:
    """The request to one child of a warm process; without a path the child runs the original.

    ``plainly``: the child calls plain tests itself, see ``inside/plain.py``. Then it changes no
    file but the one at ``path``.
    """

    tests: Sequence[str]
    path: str | None = None
    source: str = ""
    function: Mapping[str, Any] | None = None
    lines: Sequence[str] = ()
    plainly: bool = False

    def packed(self, **limits: float) -> bytes:
        """Return the request as the child reads it: a line of JSON, then the file."""
        head = {key: value for key, value in vars(self).items() if key != "source"}
        return json.dumps(head | limits).encode() + b"\n" + self.source.encode()


@dataclass
class Answer:
    """How a child ended, ``{}`` where the warm process was lost, and what it reported."""

    end: dict[str, Any] = field(default_factory=dict)
    report: bytes = b""


class WarmProcess:
    """One warm process of a tier; raises NotWarm, or IsolationRefused, where it cannot start."""

    def __init__(
        self, project: Project, environment: Path, level: str, tier: str, limits: CheckLimits
    ):
        self.limits = limits
        self._pidfd = -1
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        job = vars(limits) | {
            "isolation": level,
            "environment": str(environment),
            "tier": tier,
            "arguments": arguments_of(project),
            "options": [*PLAIN, *(project.curated.pytest if project.curated else ())],
            "tests": list(project.tests),
            "paths": sorted({str(PurePosixPath(place).parent) for place in project.sources}),
            "set_aside": set_aside(project),
        }
        with theirs:
            self._process = launch.start(
                "warm_process",
                [],
                theirs.fileno(),
                package="runners.projects.inside",
                environment={**launch.ENVIRONMENT, "PYTHONHASHSEED": SEED},
                warns=True,
            )
            try:
                self._start(project, job, theirs)
            except BaseException:
                self.close()
                raise

    def _start(self, project: Project, job: Mapping[str, Any], theirs: socket.socket) -> None:
        """Give the job, and wait until the process takes candidates."""
        with (
            tempfile.TemporaryFile() as archive,
            tempfile.TemporaryFile() as report,
            memory_file(json.dumps(job).encode()) as asked,
        ):
            pack(project, archive)
            archive.flush()
            archive.seek(0)
            fds = [asked.fileno(), archive.fileno(), report.fileno()]
            socket.send_fds(self._control, [b"job"], fds)
            theirs.close()
            until = time.monotonic() + self.limits.start_s
            said = self._said(until)
            if said.get("why") == "refused":
                raise IsolationRefused(f"{job['isolation']} is refused: {said['reason']}")
            if said.get("why") == "entered":
                said = self._said(until)
            if said.get("why") != "serving":
                report.seek(0)
                lines = report.read(MAX_REPORT_BYTES).splitlines()
                raise NotWarm(printable_line(_why_not_warm(said, lines, time.monotonic() >= until)))
        self._control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)

    def _said(self, until: float) -> dict[str, Any]:
        """Return the next message of the process, {} where there is none in time."""
        if not select.select([self._control], [], [], max(0, until - time.monotonic()))[0]:
            return {}
        try:
            data, ancillary, _, _ = self._control.recvmsg(
                MAX_PACKET_BYTES, socket.CMSG_SPACE(CREDENTIALS.size)
            )
        except OSError:
            return {}
        if self._pidfd < 0:
            for _, kind, content in ancillary:
                if kind == socket.SCM_CREDENTIALS:
                    self._pidfd = os.pidfd_open(CREDENTIALS.unpack(content)[0])
        return _read(data)

    def ask(self, asked: Asked, cpu_s: float, wall_s: float) -> Answer:
        """Send a request to one child, with its limits; ends the process if it does not answer."""
        request = asked.packed(cpu_s=cpu_s, wall_s=wall_s)
        end, report = {}, b""
        fd = os.memfd_create("asked")
        try:
            os.pwrite(fd, request, 0)
            socket.send_fds(self._control, [b"asked"], [fd])
            if select.select([self._control], [], [], wall_s + GRACE_S)[0]:
                end = _end_of(self._control.recv(MAX_PACKET_BYTES))
            size = os.fstat(fd).st_size - len(request)
            report = os.pread(fd, min(size, MAX_REPORT_BYTES), len(request)) if size > 0 else b""
            if size > MAX_REPORT_BYTES and end:
                end |= {"why": "flood", "limit": MAX_REPORT_BYTES}
        except OSError:
            end = {}
        finally:
            os.close(fd)
        if not end:
            self.close()
        return Answer(end, report)

    @property
    def is_closed(self) -> bool:
        """Say whether the process was ended."""
        return self._control.fileno() < 0

    def close(self) -> None:
        """End the process and all that it started."""
        self._control.close()
        if self._pidfd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            os.close(self._pidfd)
            self._pidfd = -1
        try:
            self._process.wait(GRACE_S)
        except Exception:
            self._process.kill()
            self._process.wait()


def memory_file(content: bytes) -> IO[bytes]:
    """Return an open file in memory with this content, to be read from its start."""
    file = os.fdopen(os.memfd_create("asked"), "w+b")
    file.write(content)
    file.seek(0)
    return file


def _read(data: bytes) -> dict[str, Any]:
    """Return a message of a warm process, {} where it is none."""
    try:
        found = json.loads(data)
    except ValueError:
        return {}
    return found if isinstance(found, dict) and isinstance(found.get("why"), str) else {}


def _end_of(data: bytes) -> dict[str, Any]:
    """Return how a child ended, {} where the message does not say so.

    Modules of a project that are imported in the process could send other messages.
    """
    found = _read(data)
    numbers = [found.get(name) for name in ("cpu_s", "own_cpu_s", "wall_s")]
    fits = (
        found.get("why") in ("exited", "cpu", "wall")
        and type(found.get("signal")) is int
        and type(found.get("status")) in (int, type(None))
        and all(isinstance(each, int | float) and 0 <= each <= MAX_NUMBER for each in numbers)
    )
    return found if fits else {}


def _why_not_warm(said: Mapping[str, Any], lines: Sequence[bytes], late: bool) -> str:
    if late:
        return "it took too long to start"
    if said.get("why") == "threads":
        return f"it holds threads after its import: {said.get('names')}"
    record = record_of(lines)
    if record.broken:
        place, _, error = record.broken[0]
        return f"{place}: {error}"
    return record.error or f"it ended while {record.collecting or 'it'} was collected"
