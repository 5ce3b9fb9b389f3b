"""Whether tests execute all of some lines, judged by the lines that were seen to run.

The lines come from marks (``runners.projects.coverage``), and in tests from a tracer. Versions of
Python show a tracer different lines of a statement. So a statement counts as executed when any of
its lines was seen. Of a statement with a body, the lines are those of the header; the body is
checked statement by statement. Some lines are not checked, because there may be no code for them.
They are ``else``, ``finally`` and ``try``, an ``if`` or ``while`` whose condition is a constant,
``global`` and ``nonlocal``, a bare annotation, and a constant alone. A test compares this with the
lines that Python shows while it executes each kind of statement.
"""

import ast
from bisect import bisect_left
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ingest.parsing import FunctionNode
from ingest.projects.functions import LineRange, parsed_source
from ingest.projects.regions import RegionRules, RegionSpan

Covered = Mapping[str, Set[int]]
"""The lines that passing tests executed, from 1, by the path of the file."""


@dataclass(frozen=True)
class Executables:
    """The statements of a file that can be executed, in order, and its functions' bodies."""

    statements: tuple[LineRange, ...]
    bodies: tuple[LineRange, ...]

    def all_covered(self, lines: LineRange, covered: Set[int]) -> bool:
        """Say whether some lines have statements, and each was executed."""
        start = bisect_left(self.statements, lines.first, key=lambda each: each.first)
        end = bisect_left(self.statements, lines.last + 1, key=lambda each: each.first)
        wanted = self.statements[start:end]
        return bool(wanted) and all(_any_in(each, covered) for each in wanted)

    def function_covered(self, lines: LineRange, covered: Set[int]) -> bool:
        """Say whether a function around some lines has a line in its body that was executed."""
        around = [each for each in self.bodies if _within(lines, each)]
        return any(_any_in(each, covered) for each in around)


def covered_regions(
    project_files: Mapping[str, bytes], covered: Covered, rules: RegionRules
) -> Callable[[str, RegionSpan], bool]:
    """Return the test for ``region_samples.draws``: whether passing tests cover a region.

    By the paper each executable line of the region is executed. By the released code (``v1_code``)
    any line of a function around it is. A file that is not in ``covered`` has no executed line.
    """

    @lru_cache(maxsize=1)
    def of_file(path: str) -> Executables:
        return executables(project_files[path], path)

    def accepted(path: str, region: RegionSpan) -> bool:
        found, seen = of_file(path), covered.get(path, frozenset())
        if rules.by_file:
            return found.function_covered(region.lines, seen)
        return found.all_covered(region.lines, seen)

    return accepted


def executables(source: bytes, path: str = "source") -> Executables:
    """Return the statements of a file that can be executed; raises BadInput."""
    tree, _ = parsed_source(path, source)
    statements: list[LineRange] = []
    bodies = []
    ahead: list[ast.AST] = [tree]
    while ahead:
        node = ahead.pop()
        if (header := _header(node)) is not None:
            statements.append(header)
        if isinstance(node, FunctionNode):
            bodies.append(LineRange(node.body[0].lineno, node.end_lineno or 0))
        for name in ("body", "handlers", "orelse", "finalbody", "cases"):
            ahead += getattr(node, name, [])
    return Executables(tuple(sorted(statements, key=lambda each: each.first)), tuple(bodies))


def _header(node: ast.AST) -> LineRange | None:
    """Return the lines of a statement, handler or case one of which shows that it was executed."""
    first: Any = node
    last: Any = node
    match node:
        case ast.Global() | ast.Nonlocal() | ast.AnnAssign(value=None, simple=1):
            return None
        case ast.Expr(value=ast.Constant()) | ast.Try() | ast.TryStar():
            return None
        case ast.If(test=ast.Constant()) | ast.While(test=ast.Constant()):
            return None
        case ast.If(test=last) | ast.While(test=last) | ast.Match(subject=last):
            pass
        case ast.For(iter=last) | ast.AsyncFor(iter=last):
            pass
        case ast.With(items=[*_, item]) | ast.AsyncWith(items=[*_, item]):
            last = item.optional_vars or item.context_expr
        case ast.match_case(pattern=first, guard=guard):
            last = guard or first
        case ast.ExceptHandler(type=None):
            return LineRange(node.lineno, node.lineno)
        case ast.ExceptHandler(type=ast.expr() as last):
            pass
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            decorators = [each.lineno for each in node.decorator_list]
            return LineRange(min([node.lineno, *decorators]), node.lineno)
        case ast.stmt():
            pass
        case _:
            return None
    return LineRange(first.lineno, last.end_lineno)


def _any_in(lines: LineRange, covered: Set[int]) -> bool:
    return any(line in covered for line in range(lines.first, lines.last + 1))


def _within(lines: LineRange, others: LineRange) -> bool:
    return others.first <= lines.first and lines.last <= others.last
