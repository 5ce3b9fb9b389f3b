"""A program as the mutations see it: parsed once, with the place of every node."""

import ast
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

import libcst as cst

from ingest.mutations.source.lines import NoCut, Shape, line_starts, shape_of
from ingest.mutations.source.scopes import Scope, Scopes, Variable, bind
from ingest.mutations.source.spans import Span, written
from ingest.mutations.source.tree import Nodes, inside
from ingest.parsing import parse

WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Unreadable:
    """Why a text is no program that can be mutated."""

    code: str
    why: str


class ParsedProgram:
    """A program and its entry point: a top-level function, or None for the whole program."""

    def __init__(
        self,
        source: str,
        module: cst.Module,
        entry: cst.FunctionDef | None,
        shape: Shape | NoCut,
        spans: dict[int, Span],
    ) -> None:
        self.source = source
        self.module = module
        self.region: cst.FunctionDef | cst.Module = entry or module
        self.shape = shape
        self._spans = spans

    @cached_property
    def scopes(self) -> Scopes:
        """The program's scopes and variables."""
        return bind(self.module)

    @cached_property
    def scope(self) -> Scope:
        """The entry point's scope."""
        return self.scopes.of_node[self.region]

    @cached_property
    def nodes(self) -> Nodes:
        """Every node of the whole program."""
        return Nodes(self.module)

    @cached_property
    def region_nodes(self) -> Nodes:
        """Every node of the entry point."""
        return self.nodes if self.region is self.module else Nodes(self.region)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word that occurs in the text, in strings and comments too."""
        return frozenset(WORD.findall(self.source))

    @cached_property
    def trusts_builtins(self) -> bool:
        """Whether a name that no scope binds is Python's own: no star import may bind it."""
        return not any(scope.star_import for scope in self.scopes.all)

    def is_builtin(self, node: cst.CSTNode) -> bool:
        """Say whether a node is a name that the program leaves to Python."""
        return isinstance(node, cst.Name) and self.trusts_builtins and self.scopes.is_free(node)

    def calls_builtin(self, node: cst.CSTNode, names: Collection[str]) -> bool:
        """Say whether a node calls one of some builtins."""
        return (
            isinstance(node, cst.Call)
            and isinstance(node.func, cst.Name)
            and node.func.value in names
            and self.is_builtin(node.func)
        )

    def variables_in(self, node: cst.CSTNode) -> Iterator[Variable]:
        """Yield the variables whose names are in a node, once for each name."""
        variable_of = self.scopes.variable_of
        for part in inside(node):
            if isinstance(part, cst.Name) and part in variable_of:
                yield variable_of[part]

    def bound_variables_in(self, node: cst.CSTNode) -> set[Variable]:
        """Return the variables in a node that a scope of the program binds."""
        return {each for each in self.variables_in(node) if each.scope is not None}

    @cached_property
    def _starts(self) -> list[int]:
        return line_starts(self.source)

    def span(self, node: cst.CSTNode) -> Span:
        """Return where a node starts and ends, without the parentheses around it."""
        return self._spans[id(node)]

    def outer_span(self, node: cst.BaseExpression) -> Span:
        """Return where an expression starts and ends, with the parentheses around it."""
        start, end = self.span(node)
        if node.lpar:
            start = self.span(node.lpar[0])[0]
        if node.rpar:
            end = self.span(node.rpar[-1])[1]
        return start, end

    def text(self, node: cst.CSTNode) -> str:
        """Return the source of a node, without the parentheses around it."""
        start, end = self.span(node)
        return self.source[start:end]

    def line(self, place: int) -> int:
        """Return the line number of a character, from 1."""
        return bisect_right(self._starts, place)

    def line_start(self, line: int) -> int:
        """Return where a line starts; the line after the last starts where the text ends."""
        return self._starts[line - 1] if line <= len(self._starts) else len(self.source)

    def is_kept(self, place: int) -> bool:
        """Say whether a character is before the cut at three quarters of the lines."""
        return isinstance(self.shape, Shape) and self.line(place) <= self.shape.kept_line


def parse_program(source: str, entry_point: str | None) -> ParsedProgram | Unreadable:
    """Parse a program. The entry point is the last top-level function of that name."""
    try:
        tree = parse(source)
    except (SyntaxError, ValueError) as error:
        return Unreadable("syntax", f"no Python program: {error}")
    except (RecursionError, MemoryError) as error:
        return Unreadable("too_deep", f"nested too deeply for Python: {type(error).__name__}")
    try:
        return _read(source, tree, entry_point)
    except (cst.ParserSyntaxError, cst.CSTValidationError, UnicodeError) as error:
        return Unreadable("libcst_syntax", f"libCST does not read it: {type(error).__name__}")
    except RecursionError:
        return Unreadable("too_deep", "nested too deeply for libCST")


def _read(source: str, tree: ast.Module, entry_point: str | None) -> ParsedProgram | Unreadable:
    try:
        module = cst.parse_module(source)
    except TypeError as error:  # libCST's own, for a lambda in parentheses right after a keyword
        return Unreadable("libcst_syntax", f"libCST does not read it: {error}")
    text, spans = written(module)
    if text != source:
        return Unreadable("libcst_text", "libCST does not give the text back")
    entry = None
    if entry_point is not None:
        found = [
            node
            for node in module.body
            if isinstance(node, cst.FunctionDef) and node.name.value == entry_point
        ]
        if not found:
            return Unreadable("no_entry_point", f"no top-level function {entry_point!r}")
        entry = found[-1]
    program = ParsedProgram(source, module, entry, shape_of(source, tree, entry_point), spans)
    if any(scope.unsupported for scope in program.scopes.all):
        return Unreadable("type_parameters", "type parameters are not analysed")
    return program
