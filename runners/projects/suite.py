"""One run of a project's whole suite behind the walls of the sandbox.

Idea: the walls hold a read-only environment, an interpreter's library and a private /tmp in memory.
The project is packed here and unpacked there, so tests write into a copy that ends with them. A
process of ours is the first of the namespaces: it forks pytest, which gives up its privileges, and
watches CPU time and time. Outcomes come through a pipe, one line per test.

Assumed: namespaces, which give the private /tmp; only a machine with them runs suites. Tests and
project share one interpreter, so a hostile project can forge its own report (``same_interpreter``).
It reaches nothing else.

Left out: the project is not built. Its sources are put on ``sys.path`` from the copy. So extension
modules in C, files that a build generates, and programs of its entry points are missing. What needs
them fails to import, or its tests fail, and the row says so. Its metadata come from PKG-INFO. No
test can start a program, open a socket, lock a file, or change how the end of child processes is
reported.
"""

import io
import json
import select
import socket
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any

from ingest.projects.project import Project
from runners.judging.sandbox import launch
from runners.printable import printable_line
from runners.projects.coverage import SourceLines, TestLines, lines_by_test
from runners.projects.events import TestRecord, record_of
from runners.projects.verdicts import verdict_of
from warehouse.errors import BadInput, IsolationRefused

HARNESS_VERSION = "2"
PLAIN = ("-p", "no:cacheprovider", "-o", "addopts=", "--rootdir=/tmp/project", "-q", "--tb=no")
LEFT_OUT = {".git", ".hg", ".svn", ".tox", ".nox", ".venv", "__pycache__", ".pytest_cache"}
COMPILED = {".c", ".cc", ".cpp", ".pyx", ".rs"}
MAX_REPORT_BYTES = 64 << 20
MAX_PROJECT_BYTES = 128 << 20
TAIL_BYTES = 16_000
GRACE_S = 10.0
NO_FILES: Mapping[str, SourceLines] = {}


@dataclass(frozen=True)
class SuiteLimits:
    """What one run of a suite may use."""

    cpu_s: float = 300.0
    wall_s: float = 900.0
    memory_mb: int = 2048  # address space of one process
    processes: int = 256  # and threads, all together
    file_mb: int = 64  # the largest file
    tmp_mb: int = 512  # the private /tmp, with the copy of the project
    tmp_files: int = 100_000


@dataclass(frozen=True)
class SuiteResult:
    """How one run of a suite ended, each test in the order of collection, and the lines it ran."""

    verdict: str
    reason: str | None
    isolation: str | None
    cpu_s: float | None = None
    wall_s: float | None = None
    max_rss_kb: int | None = None
    tests: tuple[TestRecord, ...] = ()
    lines: tuple[TestLines, ...] = ()
    output: tuple[str, ...] = field(default=(), repr=False)


def arguments_of(project: Project) -> list[str]:
    """Return pytest's arguments for a project: plain ones, the curated ones, where tests are."""
    options = project.curated.pytest if project.curated else ()
    return [*PLAIN, *options, *project.tests]


def set_aside(project: Project) -> dict[str, str]:
    """Return the tests that are not run, each with its reason."""
    return dict(project.curated.quarantine) if project.curated else {}


def run_suite(
    project: Project,
    environment: Path,
    limits: SuiteLimits,
    level: str,
    attempt: int,
    files: Mapping[str, SourceLines] = NO_FILES,
) -> SuiteResult:
    """Run all tests of a project once. Each attempt has another seed of Python's string hashes.

    ``files`` are the source files for which the lines that each test ran are recorded.

    Raises BadInput for a project too large to copy, IsolationRefused where the level is refused.
    """
    job = vars(limits) | {
        "isolation": level,
        "environment": str(environment),
        "arguments": arguments_of(project),
        "paths": sorted({str(PurePosixPath(place).parent) for place in project.sources}),
        "set_aside": set_aside(project),
        "probed": sorted(files),
    }
    with tempfile.TemporaryFile() as archive:
        pack(project, archive)
        archive.flush()
        archive.seek(0)
        run = _Run(limits)
        end = run.wait(archive, job, {"PYTHONHASHSEED": str(attempt - 1)})
    if end.get("why") == "refused":
        raise IsolationRefused(f"{level} is refused: {end['reason']}")
    record = record_of(bytes(run.report).splitlines())
    output = run.output.decode(errors="replace").splitlines()
    verdict, reason = verdict_of(record, end, output)
    if verdict == "import_failed" and (compiled := _compiled(project)):
        reason = printable_line(f"{compiled} is not built, as no extension module is; {reason}")
    return SuiteResult(
        verdict=verdict,
        reason=reason,
        isolation=level,
        cpu_s=end.get("cpu_s"),
        wall_s=end.get("wall_s"),
        max_rss_kb=end.get("max_rss_kb"),
        tests=tuple(record.tests.values()),
        lines=tuple(lines_by_test(record, files)),
        output=tuple(output),
    )


def _compiled(project: Project) -> str | None:
    """Return the first file of a project that a build would compile, None where it has none."""
    below = (path for path in _below(project.folder) if path.suffix in COMPILED)
    return next((path.relative_to(project.folder).as_posix() for path in below), None)


class _Run:
    """The process of one suite, and what it wrote."""

    def __init__(self, limits: SuiteLimits):
        self.limits = limits
        self.report = bytearray()
        self.output = bytearray()

    def wait(
        self, archive: IO[bytes], job: Mapping[str, Any], environment: Mapping[str, str]
    ) -> dict[str, Any]:
        """Start it and read what it writes; return how it ended, {} if it was lost."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        reports, report_end = socket.socketpair()
        outputs, output_end = socket.socketpair()
        process = launch.start(
            "suite_process",
            [],
            theirs.fileno(),
            package="runners.projects.inside",
            environment={**launch.ENVIRONMENT, **environment},
            warns=True,
        )
        with ours, reports, outputs:
            try:
                with theirs, report_end, output_end:
                    given = [archive.fileno(), report_end.fileno(), output_end.fileno()]
                    socket.send_fds(ours, [json.dumps(job).encode()], given)
                end = self._taken(ours, reports, outputs)
            except OSError:
                end = {}
            finally:
                ours.close()
                try:
                    process.wait(GRACE_S)
                finally:
                    process.kill()
                    process.wait()
        if end.get("why") in ("cpu", "wall"):
            end["limit"] = self.limits.cpu_s if end["why"] == "cpu" else self.limits.wall_s
        return end

    def _taken(
        self, control: socket.socket, reports: socket.socket, outputs: socket.socket
    ) -> dict[str, Any]:
        until = time.monotonic() + self.limits.wall_s + GRACE_S
        end: dict[str, Any] = {}
        left = {control, reports, outputs}
        while left and (wait := until - time.monotonic()) > 0:
            for ready in select.select(list(left), [], [], wait)[0]:
                data = ready.recv(1 << 20)
                if not data:
                    left.discard(ready)
                elif ready is control:
                    end = json.loads(data)
                    left.discard(control)
                    until = min(until, time.monotonic() + GRACE_S)
                elif ready is reports:
                    self.report += data
                else:
                    self.output = (self.output + data)[-TAIL_BYTES:]
            if len(self.report) > MAX_REPORT_BYTES:
                self.report.clear()
                return {"why": "flood", "limit": MAX_REPORT_BYTES}
        return end


def pack(project: Project, file: IO[bytes]) -> None:
    """Write a project as one archive: every file and link of its folder, and its metadata.

    Hidden files of a checkout are no part of it.
    """
    hidden = project.archive is not None
    left = MAX_PROJECT_BYTES
    with tarfile.open(fileobj=file, mode="w:", format=tarfile.PAX_FORMAT) as archive:
        for path in (project.folder, *_below(project.folder, hidden=hidden)):
            member = archive.gettarinfo(path, f"project/{path.relative_to(project.folder)}")
            if member is not None and member.islnk() and not path.is_symlink():
                # the second name of a file becomes a file
                member.type, member.size = tarfile.REGTYPE, path.stat().st_size
            if member is None or not (member.isreg() or member.isdir() or member.issym()):
                continue  # a pipe, a socket or a device of a checkout
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mode |= 0o755 if member.isdir() else 0o644
            left -= member.size
            if left < 0:
                reason = f"holds more than {MAX_PROJECT_BYTES:,} bytes: it is not copied"
                raise BadInput(reason, path=project.folder)
            if member.isreg():
                with path.open("rb") as content:
                    archive.addfile(member, content)
            else:
                archive.addfile(member)
        for name, data in _metadata(project):
            member = tarfile.TarInfo(f"metadata/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


def _below(folder: Path, *, hidden: bool = False) -> Iterator[Path]:
    left = [folder]
    while left:
        found = left.pop()
        if found != folder:
            yield found
        if found == folder or (found.is_dir() and not found.is_symlink()):
            kept = [each for each in found.iterdir() if each.name not in LEFT_OUT]
            left += sorted(
                (each for each in kept if hidden or not each.name.startswith(".")), reverse=True
            )


def _metadata(project: Project) -> Iterator[tuple[str, bytes]]:
    """Yield what ``importlib.metadata`` reads of the project: PKG-INFO, where there is one."""
    headers = project.folder / "PKG-INFO"
    if headers.is_file():
        name = project.name.replace("-", "_").replace("/", "_")
        yield f"{name}-{project.version}.dist-info/METADATA", headers.read_bytes()
