"""Call plain tests without pytest's protocol: a candidate that fails one has failed.

Idea: most of a child's cost is pytest's work between two tests, and the comparison of files
afterwards. A plain test is a function that takes no fixture, or a test of unittest: see
``cases.py``. No plug-in or conftest.py has a hook for it. So pytest would call it with the same
arguments in the same state. Filters of warnings, captured output and log handlers are those of
pytest here too. The message of a failed assert has no explanation by pytest. The child may read
files and compute. A seccomp filter ends it where it would change a file, start a process or a
thread, or send a signal. So its warm process has no files to compare.

What decides: an exception that pytest calls a failure, and a time limit. Any other end decides
nothing: a skip, an exit, a returned value, no memory, too deep a recursion, the filter. Then pytest
itself runs the tests in another child, as it does for every candidate that passes here. Plain tests
are called in the order of the request; tests between them that are not plain are left to pytest.

Refused: asynchronous tests, tests with marks of pytest that decide an outcome.
Proved by tests/runners/projects/checking/test_plain.py, measured in docs/decisions/0021.
"""

import fcntl
import inspect
import os
import stat
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, nullcontext, suppress
from time import process_time
from typing import Any

from runners.judging.sandbox.walls import bpf, linux
from runners.projects.inside import cases
from runners.projects.inside.reporter import Reporter
from runners.projects.inside.suite_process import N_FDS

HOOKS = (
    *("pytest_runtestloop", "pytest_runtest_protocol", "pytest_runtest_logstart"),
    *("pytest_runtest_setup", "pytest_runtest_call", "pytest_runtest_teardown"),
    *("pytest_runtest_makereport", "pytest_runtest_logreport", "pytest_runtest_logfinish"),
    *("pytest_pyfunc_call", "pytest_fixture_setup", "pytest_fixture_post_finalizer"),
    *("pytest_warning_recorded", "pytest_assertion_pass", "pytest_exception_interact"),
    "pytest_report_teststatus",
)
METHODS = ("setup", "runtest", "teardown")
OURS = ("_pytest.", "runners.projects.inside.")
MARKS = {"skip", "skipif", "xfail", "usefixtures", "filterwarnings"}
OF_A_MODULE = ("setUpModule", "setup_module", "tearDownModule", "teardown_module")
OPTIONS = ("usepdb", "trace", "setuponly", "setupshow", "setupplan")
ENOUGH_S = 0.03  # CPU of a candidate's child; the original calls all
UNSETTLED = 78  # the exit status of a child that leaves all to pytest


class PlainTests:
    """The plain ones among collected tests; made before the first fork.

    What pytest sets up around a test is set up in the warm process. So a child finds it there for
    the first test that it calls. A child in which pytest runs the tests undoes it first.
    """

    def __init__(self, session: Any, reporter: Reporter):
        self._reporter = reporter
        self._config = session.config
        self._calls: dict[str, tuple[Any, Mapping[str, Any]] | None] = {}
        program = bpf.reading_filter()
        self._filter = linux.Seccomp(program) if program is not None else None
        with suppress(ImportError, AttributeError):  # of another version of pytest
            self._pytest = _Pytest(session.config)
            steers = any(self._config.getoption(name, False) for name in OPTIONS)
            if self._filter and not steers and not _can_write():
                self._classify(session.items)

    def _classify(self, items: Iterable[Any]) -> None:
        hooked: dict[str, bool] = {}
        for item in items:
            folder = str(item.path)
            if folder not in hooked:
                hooked[folder] = _is_hooked(item.ihook)
            given = None if hooked[folder] else self._pytest.arguments_of(item)
            twice = item.nodeid in self._calls
            self._calls[item.nodeid] = None if given is None or twice else (item, given)

    def begin(self) -> Sequence[int]:
        """Set up in this process what pytest sets up around a test; return the files of its
        output."""
        if not self._calls:
            return ()
        self._pytest.enter()
        return self._pytest.captured()

    def prepare(self, tests: Iterable[str]) -> None:
        """Name the first plain one of these tests in the environment, before a child calls it."""
        first = next(filter(self._calls.get, tests), None)
        if first is not None:
            self._pytest.name(first)

    def leave(self) -> None:
        """In the child: undo what ``begin`` set up, for pytest sets it up itself."""
        if self._calls:
            self._pytest.leave()

    def confine(self) -> None:
        """In the child: install the filter, after which no file can be changed."""
        if self._filter is None or not self._calls:
            os._exit(UNSETTLED)
        self._filter.install()

    def run(self, tests: Iterable[str], most_s: float) -> int:
        """Call the plain ones of these tests up to the first that fails; return an exit status.

        No test begins after ``most_s`` CPU seconds of this process: pytest may find a failure
        sooner.
        """
        entered = True
        for test in tests:
            call = self._calls.get(test)
            if call is None:
                continue
            if process_time() > most_s:
                break
            if not entered:
                self._pytest.enter()
            self._pytest.name(test)
            self._reporter.begin(test)
            error = self._pytest.error_of(*call)
            if isinstance(error, self._pytest.unsettling):
                return UNSETTLED
            self._reporter.end(test, error)
            if error is not None:
                self._reporter.finish(1)
                return 0
            self._pytest.leave()
            entered = False
        self._reporter.finish(0)
        return 0


class _Pytest:
    """What pytest sets up around a test; raises AttributeError where this pytest lacks a part."""

    def __init__(self, config: Any):
        self._config = config
        self._named = ""
        python: Any = __import__("_pytest.python", fromlist=["python"])
        outcomes: Any = __import__("_pytest.outcomes", fromlist=["outcomes"])
        self._catching: Any = __import__("_pytest.logging", fromlist=["logging"]).catching_logs
        self._capture = config.pluginmanager.getplugin("capturemanager")
        self._logging = config.pluginmanager.getplugin("logging-plugin")
        unittest: Any = __import__("_pytest.unittest", fromlist=["unittest"])
        self._function, self._case = python.Function, unittest.TestCaseFunction
        if not hasattr(self._case, "addSubTest"):  # before 9 the first subtest that fails is last
            self._case = None
        self._given = python.get_direct_param_fixture_func
        self._collectors = {python.Class, python.Module, python.Package, unittest.UnitTestCase}
        self._package = python.Package
        main: Any = __import__("_pytest.main", fromlist=["main"])
        self._collectors |= {main.Session, main.Dir}
        skip = __import__("unittest").SkipTest
        under: Any = __import__("_pytest.warnings", fromlist=["warnings"]).catch_warnings_for_item
        with under(config, config.hook, "runtest", None):
            self._filters = warnings.filters[:]
        self.unsettling = (
            *(outcomes.Skipped, outcomes.XFailed, outcomes.Exit, skip, _Result),
            *(KeyboardInterrupt, MemoryError, RecursionError),
        )

    def arguments_of(self, item: Any) -> Mapping[str, Any] | None:
        """Return what a plain test is called with, None for a test that is not plain."""
        function = getattr(item, "function", None)
        case = type(item) is self._case
        if not (case or type(item) is self._function) or not inspect.isroutine(function):
            return None
        if case and not cases.is_plain(item):
            return None
        own = (inspect.iscoroutinefunction, inspect.isasyncgenfunction, inspect.isgeneratorfunction)
        if any(each(function) for each in own) or any(m.name in MARKS for m in item.iter_markers()):
            return None
        if not all(map(_is_of_pytest, item.listchain())):
            return None
        for node in item.listchain()[:-1]:
            if type(node) not in self._collectors:
                return None
            if type(node) is self._package and not _is_quiet(f"{node.path}/__init__.py"):
                return None
        given = getattr(getattr(item, "callspec", None), "params", {})
        known = item._fixtureinfo.name2fixturedefs
        added = cases.fixtures_of(item) if case else set()
        for name in item.fixturenames:
            if name in added:
                continue
            definitions = known.get(name, ())
            if name not in given or [each.func for each in definitions] != [self._given]:
                return None
        if set(item._fixtureinfo.argnames) != set(given):
            return None
        return dict(given)

    def enter(self) -> None:
        """Capture output, warnings and records of loggers, as pytest does around a test."""
        if self._capture is not None:
            self._capture.resume_global_capture()
        self._around = ExitStack()
        self._around.enter_context(warnings.catch_warnings(record=True))  # which nobody reads
        self._around.enter_context(self._logged("caplog_handler"))
        self._around.enter_context(self._logged("report_handler"))
        warnings.filters[:] = self._filters  # type: ignore[index]

    def leave(self) -> None:
        """End what ``enter`` began, and name no test."""
        os.environ.pop("PYTEST_CURRENT_TEST", None)
        self._named = ""
        self._around.close()
        if self._capture is not None:
            self._capture.suspend_global_capture(in_=False)
            self._capture.read_global_capture()

    def captured(self) -> Sequence[int]:
        """Return the files that capture standard output and standard error."""
        return [stream.tmpfile.fileno() for stream in captured_streams(self._config)]

    def name(self, test: str) -> None:
        """Name the test in the environment, as pytest does."""
        if test != self._named:
            os.environ["PYTEST_CURRENT_TEST"] = f"{test} (call)".replace("\0", "(null)")
            self._named = test

    def error_of(self, item: Any, arguments: Mapping[str, Any]) -> BaseException | None:
        """Call a test as pytest does; return what it raised, None where it passed."""
        try:
            if type(item) is self._case:
                errors = [error or _Result() for error in cases.errors_of(item)]
                left = (error for error in errors if isinstance(error, self.unsettling))
                return next(left, errors[0] if errors else None)
            return None if item.obj(**arguments) is None else _Result()
        except BaseException as error:
            return error

    def _logged(self, name: str) -> Any:
        if self._logging is None:
            return nullcontext()
        return self._catching(getattr(self._logging, name), level=self._logging.log_level)


def captured_streams(config: Any) -> list[Any]:
    """Return pytest's streams that capture a file descriptor; none under another way to capture."""
    capture = config.pluginmanager.getplugin("capturemanager")
    streams = getattr(capture, "_global_capturing", None)
    found = [getattr(streams, name, None) for name in ("out", "err")]
    return [each for each in found if getattr(each, "targetfd", None) is not None]


class _Result(Exception):
    """A test returned something: pytest decides what that means."""


def _is_hooked(hooks: Any) -> bool:
    """Say whether anything but pytest and this process has a hook around tests."""
    return not all(
        _is_ours(each.function) for name in HOOKS for each in getattr(hooks, name).get_hookimpls()
    )


def _is_of_pytest(node: Any) -> bool:
    """Say whether methods of pytest set a node up, run it and tear it down: none was replaced."""
    return all(_is_ours(getattr(node, name)) for name in METHODS if hasattr(node, name))


def _is_ours(function: Any) -> bool:
    """Say whether pytest or this process wrote a function; a wrapper may claim its module."""
    globals_ = getattr(getattr(function, "__func__", function), "__globals__", {})
    return str(globals_.get("__name__")).startswith(OURS)


def _is_quiet(file: str) -> bool:
    """Say whether a package of tests was imported, without functions that pytest would call."""
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == file:
            return not any(hasattr(module, name) for name in OF_A_MODULE)
    return False


def _can_write() -> bool:
    """Say whether a child could change a file that the project left open or mapped."""
    mmap: Any = sys.modules.get("mmap")
    if mmap is not None:
        import gc

        if any(type(each) is mmap.mmap for each in gc.get_objects()):
            return True
    for fd in range(N_FDS):
        with suppress(OSError):  # nothing open
            found = os.fstat(fd)
            writes = fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
            if writes and stat.S_ISREG(found.st_mode) and found.st_nlink:
                return True
    return False
