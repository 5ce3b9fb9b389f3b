"""Tests of unittest that run without pytest: which tests can, and which errors such a run raises.

pytest passes such a test to unittest, and receives its results. It also adds a fixture that calls
``setUpClass`` and ``tearDownClass``. Where a class does not override these, they do nothing. Then
unittest alone does the same as pytest: ``setUp``, the test, ``tearDown`` and the cleanups.

Refused: classes that override ``run``, such as asynchronous ones, and tests that are marked to be
skipped or to fail. So are tests that add a cleanup of their class. Proved by
tests/runners/projects/checking/test_plain.py.
"""

from typing import Any

OF_UNITTEST = ("run", "__call__", "setUpClass", "tearDownClass", "doClassCleanups")
MARKED = ("__unittest_skip__", "__unittest_expecting_failure__")


def is_plain(item: Any) -> bool:
    """Say whether unittest alone does all that pytest does for this collected test of unittest."""
    made: Any = __import__("unittest").TestCase
    kind = item.parent.obj
    if any(getattr(each, name, False) for each in (kind, item.function) for name in MARKED):
        return False
    inherits = all(_function(kind, name) is _function(made, name) for name in OF_UNITTEST)
    return inherits and not kind._class_cleanups


def fixtures_of(item: Any) -> set[str]:
    """Return the fixtures that pytest adds to each test of a class, to call ``setUpClass``."""
    return {f"_unittest_setUpClass_fixture_{item.parent.obj.__qualname__}", "request"}


def _function(kind: Any, name: str) -> object:
    found = getattr(kind, name)
    return getattr(found, "__func__", found)


def errors_of(item: Any) -> list[BaseException | None]:
    """Run a test; return the errors of it and its subtests, None for an end such as a skip."""
    case, result = item.instance, CaseResult()
    setattr(case, item.name, item.obj)  # as pytest does
    try:
        case(result=result)
    finally:
        delattr(case, item.name)
        item._obj = None  # as pytest does, so that the next test finds no instance of this one
        del item._instance
    if case._class_cleanups:  # the test asked for them, and pytest calls them after its class
        result.errors.append(None)
    return result.errors


class CaseResult:
    """Collects the results of a test; the methods have the names that unittest calls."""

    failfast = False

    def __init__(self) -> None:
        self.errors: list[BaseException | None] = []

    def _raised(self, test: object, error: Any) -> None:
        self.errors.append(error[1])

    def _part_ended(self, test: object, part: object, error: Any) -> None:
        if error is not None:
            self.errors.append(error[1])

    def _other(self, *given: object) -> None:
        self.errors.append(None)

    def _nothing(self, *given: object) -> None:
        pass

    addError = addFailure = _raised  # noqa: N815
    addSubTest = _part_ended  # noqa: N815
    addSkip = addExpectedFailure = addUnexpectedSuccess = _other  # noqa: N815
    startTest = stopTest = addSuccess = addDuration = _nothing  # noqa: N815
