"""Which comparisons of a program have a complement, and which conditions change nothing.

Idea: ``not a < b`` is ``a >= b`` where one of two values is smaller or they are equal.
Assumed: arguments are of Python's own types; they are neither sets nor NaN.
Refused: comparing classes of the program, sets on both sides, what may be NaN, and programs that
read the text of an error. Proved: tests/ingest/mutations/test_mutations_adversary.py.
"""

import builtins
import re
from collections.abc import Iterator
from functools import cached_property

import libcst as cst

from ingest.mutations.analysis.numbers.not_a_number import NotANumber
from ingest.mutations.analysis.objects.aliases import Aliases, aliases_of
from ingest.mutations.analysis.statements.effects import Unknown, effects_of
from ingest.mutations.analysis.statements.error_texts import tells
from ingest.mutations.base import Unfit
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.tree import inside

COMPARING = frozenset({"__eq__", "__ge__", "__gt__", "__le__", "__lt__", "__ne__"})
SET_MAKERS = frozenset({"Counter", "frozenset", "set"})
SET_METHODS = frozenset({"difference", "intersection", "symmetric_difference", "union"})
VIEWS = frozenset({"items", "keys"})
NOT_A_NUMBER = re.compile(r"(is|s|q|np)?nanj?\d*|unpack|unpack_from|iter_unpack", re.IGNORECASE)
"""Words that stand for NaN, or for bytes read as numbers."""


class Order:
    """What is known of the order of a program's values."""

    def __init__(self, program: ParsedProgram) -> None:
        self.program = program

    @cached_property
    def aliases(self) -> Aliases:
        """Which variables hold numbers and the like alone."""
        return aliases_of(self.program)

    @cached_property
    def has_sets(self) -> bool:
        """Whether the program makes what may be neither smaller, nor equal, nor greater."""
        nodes = self.program.nodes.all
        read = {id(value) for node in nodes for value in _views_used_at_once(node)}
        return any(_makes_set(node) and id(node) not in read for node in nodes)

    def may_change(self, node: cst.BaseExpression) -> bool:
        """Say whether evaluating an expression may change anything; False is certain."""
        if not any(isinstance(part, cst.Call) for part in inside(node)):
            return False
        try:
            effects = effects_of(self.program, self.aliases, node)
        except Unknown:
            return True
        return bool(effects.written or effects.changed & self.aliases.iterators)

    @cached_property
    def not_a_number(self) -> NotANumber:
        """Which values may be NaN."""
        return NotANumber(self.program, self.aliases)

    @cached_property
    def tells_errors(self) -> bool:
        """Whether the program may tell the error of a comparison."""
        return tells(self.program, TypeError)

    @cached_property
    def has_comparing_class(self) -> bool:
        """Whether objects of a class of the program may compare in their own way."""
        return any(_compares(self.program, node) for node in self.program.nodes.of(cst.ClassDef))

    @cached_property
    def speaks_of_nan(self) -> bool:
        """Whether a word of the program is NaN, in any case."""
        return any(NOT_A_NUMBER.fullmatch(word) for word in self.program.words)

    def check_classes(self) -> None:
        """Refuse classes whose objects may compare in their own way."""
        if self.has_comparing_class:
            raise Unfit("user_class", "a class of the program may compare in its own way")

    def check_order(self, left: cst.BaseExpression, right: cst.BaseExpression) -> None:
        """Refuse operands of which neither may be smaller: sets, and what is not a number."""
        self.check_classes()
        if self.speaks_of_nan:
            raise Unfit("partial_order", "the program speaks of NaN, which no order complements")
        if self.tells_errors:
            raise Unfit("told", "the program may tell the error of a comparison, with its operator")
        if any(self.not_a_number.may_be(each) for each in (left, right)):
            raise Unfit("partial_order", "a side may be NaN, which no order complements")
        if self.has_sets and not (self.aliases.is_scalar(left) or self.aliases.is_scalar(right)):
            raise Unfit("partial_order", "sets may be compared, which have no total order")


def _makes_set(node: cst.CSTNode) -> bool:
    match node:
        case cst.Set() | cst.SetComp():
            return True
        case cst.Name(value=name):
            return name in SET_MAKERS
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
            return name in SET_METHODS | VIEWS
        case cst.Param(annotation=cst.Annotation() as note):
            return any("set" in each.value.lower() for each in _words_of(note))
        case _:
            return False


def _words_of(note: cst.Annotation) -> Iterator[cst.Name | cst.SimpleString]:
    for node in inside(note):
        if isinstance(node, cst.Name | cst.SimpleString):
            yield node


def _views_used_at_once(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the views of a dict that are looped over or handed to a call."""
    match node:
        case cst.For() | cst.CompFor():
            values = [node.iter]
        case cst.Call():
            values = [argument.value for argument in node.args]
        case _:
            return
    for value in values:
        if (
            isinstance(value, cst.Call)
            and isinstance(value.func, cst.Attribute)
            and value.func.attr.value in VIEWS
        ):
            yield value


def _compares(program: ParsedProgram, node: cst.ClassDef) -> bool:
    """Say whether objects of a class may compare otherwise than by their identity."""
    if node.decorators or any(not _is_plain(program, each.value) for each in node.bases):
        return True
    return any(isinstance(part, cst.Name) and part.value in COMPARING for part in inside(node.body))


def _is_plain(program: ParsedProgram, base: cst.BaseExpression) -> bool:
    """Say whether a base class is a builtin one that compares nothing."""
    if not isinstance(base, cst.Name) or not program.scopes.is_free(base):
        return False
    found = getattr(builtins, base.value, None)
    return found is object or (isinstance(found, type) and issubclass(found, BaseException))
