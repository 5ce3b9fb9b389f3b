"""Which lines of a project's sources each test runs, from the marks that the suite's process saw.

The process marks the first line of a statement (``inside/probes.py``). All lines of a statement run
with it, and a statement with a body has the lines of its header. Only the executable lines of
``ingest.projects.executed`` are reported. Versions of Python show a tracer different lines of a
statement; the tests of a line are the same under each version. The lines of a lambda's body run
when the lambda is called.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ingest.projects.executed import executables
from ingest.projects.functions import parsed_source, sources_of
from ingest.projects.project import Project
from models.projects.lines import text_of_lines
from runners.projects.events import SuiteRecord
from warehouse.errors import BadInput


@dataclass(frozen=True)
class SourceLines:
    """The executable lines of a file; ``spans`` has the last line by the first of each mark."""

    lines: frozenset[int]
    spans: Mapping[int, int]

    @cached_property
    def text(self) -> str:
        """Return the executable lines as compact text."""
        return text_of_lines(self.lines)

    def ran(self, marked: list[tuple[int, int]]) -> set[int]:
        """Return the executable lines that ran where the lines of these ranges were marked."""
        found: set[int] = set()
        end = max(self.spans, default=0)
        for first, last in marked:
            for line in range(first, min(last, end) + 1):
                found.update(range(line, self.spans.get(line, 0) + 1))
        return found & self.lines


@dataclass(frozen=True)
class TestLines:
    """The lines of a file that one test ran, as compact text; None is outside every test."""

    __test__ = False  # not a pytest class

    test: str | None
    path: str
    lines: str


def source_lines(project: Project) -> dict[str, SourceLines]:
    """Return the executable lines of each source file of a project that can be read."""
    found = {}
    for path, source in sources_of(project).texts.items():
        try:
            found[path] = lines_of(source, path)
        except BadInput:
            continue  # it is no Python, and no test can import it
    return found


def lines_by_test(record: SuiteRecord, files: Mapping[str, SourceLines]) -> Iterator[TestLines]:
    """Yield the lines of each test and file, where there are any."""
    known: dict[tuple[str, tuple[tuple[int, int], ...]], str] = {}
    for (test, path), marked in record.lines.items():
        if path not in files or (test and test not in record.tests):
            continue
        key = path, tuple(marked)
        if key not in known:
            known[key] = text_of_lines(files[path].ran(marked))
        if known[key]:
            yield TestLines(test or None, path, known[key])


def lines_of(source: bytes, path: str = "source") -> SourceLines:
    """Return the executable lines of a file; raises BadInput."""
    tree, _ = parsed_source(path, source)
    headers = [(each.first, each.last) for each in executables(source, path).statements]
    lines = {line for first, last in headers for line in range(first, last + 1)}
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    spans: dict[int, int] = {}
    for first, last in [*headers, *((each.lineno, each.end_lineno or 0) for each in bodies)]:
        spans[first] = max(last, spans.get(first, 0))
    return SourceLines(frozenset(lines), spans)
