"""A warm process of one project behind the walls: it imports once, then forks per candidate.

Tier ``function``: pytest has imported the project and collected its tests; a child exchanges one
function and runs the tests. Tier ``module``: only modules that are not of the project are imported.
A child writes the candidate's file into the tree, imports, collects and runs.
"""

import importlib
import json
import os
import random
import signal
import socket
import sys
import tarfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from runners.judging.sandbox.walls import code_pages, confine, forkers, linux
from runners.projects.inside.forking import UNFIT, ChildTask, Forking, keep_high
from runners.projects.inside.plain import ENOUGH_S, PlainTests, captured_streams
from runners.projects.inside.reporter import Reporter
from runners.projects.inside.suite_process import (
    HIGH_FD,
    HOME,
    N_FDS,
    PROJECT,
    REPORT_FD,
    SHM_BYTES,
    look_fresh,
)
from runners.projects.inside.swap import Functions, NoSwap
from runners.projects.inside.tree import write_all

FUNCTION = "function"
BYTECODE = "/tmp/bytecode"
NAMES = "/tmp/names"
MAX_NAMES = 20_000
FEW_FILES = 3  # of tests that are collected alone
WARM_ID = 1  # the process id of a warm process, the first of its namespace
SYNTAX = 2  # the exit status of a child whose file does not compile

Items = list[Any]


def main(arguments: Sequence[str]) -> None:
    """Take one job from the control socket, enter the walls, become the warm process."""
    given = socket.socket(fileno=int(arguments[0]))
    packet, fds, _, _ = socket.recv_fds(given, 64, 3)
    if packet != b"job":
        return
    with open(fds[0], "rb") as file:  # noqa: PTH123
        job = json.load(file)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    code_pages.share_code()
    try:
        forker = confine.enter(
            job["isolation"], {confine.PACKAGES: job["environment"]}, narrows=True
        )
        assert isinstance(forker, forkers.NamespaceForker)
        linux.umount(forkers.TMP)
        forkers.mount_tmp(job["tmp_mb"] << 20, job["tmp_files"])
        forkers.mount_tmp(SHM_BYTES, place=confine.SHM)
    except OSError as error:
        given.send(json.dumps({"why": "refused", "reason": str(error)}).encode())
        return
    given.send(b'{"why": "entered"}')  # credentials tell our process id, before the project runs
    try:
        control = socket.socket(fileno=keep_high(given.detach(), HIGH_FD))
        archive, report = (keep_high(fd, HIGH_FD) for fd in fds[1:])
        _drop(job, forker)
        _unpack(archive)
        os.dup2(report, REPORT_FD)
        os.close(report)
        warm = _imported if job["tier"] == FUNCTION else _bare
        os._exit(warm(job, Forking(control, forker)))
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(1)


def _drop(job: Mapping[str, Any], forker: forkers.NamespaceForker) -> None:
    """Set the limits, and give up every privilege, also that of choosing process ids."""
    forker.last_pid = None
    os.closerange(REPORT_FD, HIGH_FD)
    os.chdir(forkers.TMP)
    memory, size = job["memory_mb"] << 20, job["file_mb"] << 20
    forker.drop(job["processes"] + 1, NOFILE=N_FDS, AS=memory, FSIZE=size)  # and this process


def _unpack(archive: int) -> None:
    with os.fdopen(archive, "rb") as file, tarfile.open(fileobj=file, mode="r:") as packed:
        packed.extractall(forkers.TMP, filter="fully_trusted")  # we packed it ourselves
    os.mkdir(HOME)  # noqa: PTH102
    os.environ |= {"HOME": HOME, "COLUMNS": "200"}
    os.chdir(PROJECT)
    random.seed(0)


def _imported(job: Mapping[str, Any], forking: Forking) -> int:
    """Run pytest up to the point where its tests would run, then fork for each request."""
    reporter = Reporter(REPORT_FD, job["set_aside"])
    functions = Functions(f"{PROJECT}/")
    collected: list[Collected] = []  # it lives until the child ends
    look_fresh(dict(job))
    pytest: Any = __import__("pytest")

    def run(session: Any) -> None:
        if session.testsfailed:
            return
        functions.find_all()
        collected.append(Collected(session.items))
        plain = PlainTests(session, reporter)
        task = forking.serve(Prepared(functions, plain))
        path = f"{PROJECT}/{task.path}"
        if task.path is not None:
            _write(path, task.source)
        if task.plainly:
            plain.confine()
        else:
            plain.leave()
            _fresh_capture(session.config)
        if task.function is not None:
            try:
                functions.exchange(path, task.function, task.lines)
            except NoSwap:
                os._exit(UNFIT)
        if task.plainly:
            os._exit(plain.run(task.tests, ENOUGH_S if task.path else inf))
        session.items = collected[0].chosen(task.tests)

    functions.watch_calls()
    return _run(pytest, job["arguments"], reporter, run)


def _bare(job: Mapping[str, Any], forking: Forking) -> int:
    """Import what is not of the project, then fork for each request; each child becomes pytest."""
    reporter = Reporter(REPORT_FD, job["set_aside"])
    look_fresh(dict(job))
    pytest: Any = __import__("pytest")
    if os.fork() == 0:
        _rehearse(pytest, job)
    os.wait()
    _import_all(_names_found())
    request = forking.serve()
    sys.pycache_prefix = BYTECODE
    if request.path is not None:
        path = f"{PROJECT}/{request.path}"
        try:
            compile(request.source, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            what = f"{type(error).__name__}: {str(error)[:200]}"
            reporter.say("broken", request.path, False, what)
            return SYNTAX
        _write(path, request.source)
    chosen = request.tests

    def run(session: Any) -> None:
        session.items = Collected(session.items).chosen(chosen)

    files = dict.fromkeys(test.partition("::")[0] for test in chosen)
    places = [*files] if len(files) <= FEW_FILES else job["tests"]
    return _run(pytest, [*job["options"], *places], reporter, run)


def _run(
    pytest: Any, arguments: Sequence[str], reporter: Reporter, run: Callable[[Any], None]
) -> int:
    """Run pytest until the first failure, with ``run`` called when all is collected."""
    process_id, end = os.getpid, os._exit  # tests and candidates replace functions of a module

    class Chooser:
        @pytest.hookimpl(tryfirst=True)  # type: ignore[untyped-decorator]
        def pytest_runtestloop(self, session: Any) -> None:
            run(session)

        @pytest.hookimpl(trylast=True)  # type: ignore[untyped-decorator]
        def pytest_sessionfinish(self, session: Any, exitstatus: int) -> None:
            if process_id() != WARM_ID:  # nobody reads a summary, or needs an orderly end
                reporter.finish(int(exitstatus))
                end(0)

    status = int(pytest.main([*arguments, "--maxfail=1"], plugins=[reporter, Chooser()]))
    reporter.finish(status)
    return status


def _rehearse(pytest: Any, job: Mapping[str, Any]) -> None:
    """Collect in a child that ends: leave bytecode, and the names of what it imported."""
    status = 1
    try:
        sys.pycache_prefix, sys.dont_write_bytecode = BYTECODE, False

        class Stopper:
            @pytest.hookimpl(tryfirst=True)  # type: ignore[untyped-decorator]
            def pytest_runtestloop(self, session: Any) -> bool:
                return True

        pytest.main(list(job["arguments"]), plugins=[Stopper()])
        ours = (f"{PROJECT}/", "/tmp/")
        names = [
            name
            for name, module in list(sys.modules.items())
            if (file := getattr(module, "__file__", None)) and not str(file).startswith(ours)
        ]
        with open(NAMES, "w") as file:  # noqa: PTH123
            json.dump(names, file)
        status = 0
    finally:
        os._exit(status)


def _names_found() -> list[str]:
    """Return the modules that the rehearsal imported, in order; nothing where it did not finish."""
    try:
        with open(NAMES) as file:  # noqa: PTH123
            names = json.load(file)
        os.unlink(NAMES)  # noqa: PTH108
        return [name for name in names if isinstance(name, str)][:MAX_NAMES]
    except (OSError, ValueError, TypeError):
        return []


def _import_all(names: Iterable[str]) -> None:
    """Import modules by name, except those from the project's folders."""
    kept = sys.path[:]
    sys.path[:] = [place for place in kept if not place.startswith("/tmp/")]
    try:
        for name in names:
            if name not in sys.modules:
                try:
                    importlib.import_module(name)
                except BaseException:  # a stranger's module can raise anything; a child tries again
                    continue
    finally:
        sys.path[:] = kept
        importlib.invalidate_caches()


@dataclass(frozen=True)
class Prepared:
    """What a warm process of tier ``function`` does for its children before it forks."""

    functions: Functions
    plain: PlainTests

    def begin(self) -> Sequence[int]:
        """Set up in this process what pytest sets up around a test."""
        return self.plain.begin()

    def prepare(self, task: ChildTask) -> None:
        """Find the function that the child is to exchange, and name the test that comes first."""
        if task.path is not None and task.function is not None:
            self.functions.find(f"{PROJECT}/{task.path}", task.function)
        if task.plainly:
            self.plain.prepare(task.tests)


class Collected:
    """What pytest collected, by test.

    A child should touch only what it runs, for the kernel copies each page that it touches. So the
    whole list is kept, and tests are found by name.
    """

    def __init__(self, items: Items):
        self._all = items
        self._places: dict[str, list[int]] = {}
        for place, item in enumerate(items):
            self._places.setdefault(item.nodeid, []).append(place)

    def chosen(self, tests: Iterable[str]) -> Items:
        """Return the items of these tests, in the order of collection."""
        places = sorted(place for test in tests for place in self._places.get(test, ()))
        items = [self._all[place] for place in places]
        for item in items:
            item.repr_failure = _unshown
        return items


def _unshown(error: Any) -> str:
    """Render no failure: only its first line is reported, and the reporter reads that itself."""
    return ""


def _fresh_capture(config: Any) -> None:
    """Capture into files of this child alone: those of the warm process are shared by all.

    The objects stay: a test may hold the ``sys.stdout`` under which it was collected.
    """
    for stream in captured_streams(config):
        own = os.open("/tmp", os.O_TMPFILE | os.O_RDWR)
        old = stream.tmpfile.fileno()
        if os.path.sameopenfile(old, stream.targetfd):
            os.dup2(own, stream.targetfd)
        os.dup2(own, old)
        os.close(own)


def _write(path: str, source: bytes) -> None:
    """Write a file, and change its modification time.

    Python takes bytecode for up to date if size and second of the source are the same. So the
    bytecode of the original could be run in place of a candidate of the same length.
    """
    fd = os.open(path, os.O_WRONLY)
    before = os.fstat(fd).st_mtime
    write_all(fd, source)
    os.utime(fd, (before + 2, before + 2))
    os.close(fd)
