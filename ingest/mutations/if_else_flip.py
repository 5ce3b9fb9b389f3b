"""If-else flip: the condition is negated and the two bodies change places."""

import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import libcst as cst

from ingest.mutations.analysis.aliases import Aliases, aliases_of
from ingest.mutations.analysis.effects import Unknown, effects_of
from ingest.mutations.analysis.not_a_number import NotANumber
from ingest.mutations.analysis.told import tells
from ingest.mutations.base import (
    Changes,
    Decline,
    Edit,
    Examples,
    Leaves,
    Mutated,
    Mutation,
    Site,
    code,
)
from ingest.mutations.renaming import line_reason
from ingest.mutations.source.cut import Cut, cut_at
from ingest.mutations.source.lines import NoCut
from ingest.mutations.source.program import Program
from ingest.mutations.source.tree import inside

COMPLEMENTS: dict[type[cst.BaseCompOp], tuple[str, str]] = {
    cst.Equal: ("==", "!="),
    cst.NotEqual: ("!=", "=="),
    cst.LessThan: ("<", ">="),
    cst.GreaterThanEqual: (">=", "<"),
    cst.GreaterThan: (">", "<="),
    cst.LessThanEqual: ("<=", ">"),
    cst.Is: ("is", "is not"),
    cst.IsNot: ("is not", "is"),
    cst.In: ("in", "not in"),
    cst.NotIn: ("not in", "in"),
}
ORDERS = (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual)
ACTIVE = (cst.Call, cst.Await, cst.Yield, cst.NamedExpr)
EQUALS = (cst.Equal, cst.NotEqual)
COMPARING = frozenset({"__eq__", "__ge__", "__gt__", "__le__", "__lt__", "__ne__"})
SET_MAKERS = frozenset({"Counter", "frozenset", "set"})
SET_METHODS = frozenset({"difference", "intersection", "symmetric_difference", "union"})
VIEWS = frozenset({"items", "keys"})
NOT_A_NUMBER = re.compile(r"(is|s|q|np)?nanj?\d*|unpack|unpack_from|iter_unpack", re.IGNORECASE)
"""Words that stand for NaN, or for bytes read as numbers."""


@dataclass(frozen=True)
class Unfit(Exception):
    """Why a condition cannot be negated."""

    code: str
    why: str


class IfElseFlip(Mutation):
    """Conditions are and, or and not over comparisons with one operator, without calls.

    Assumed of the arguments: of two that are compared, one is smaller or they are equal, which
    sets and what is not a number are not.
    """

    name = "if_else_flip"
    rules = 2
    examples: ClassVar[Examples] = (
        Changes(
            code("""
                def f(a, b):
                    if a == b or not a < 3:  # same
                        return 1
                    else:
                        b = 2
                        return b
            """),
            code("""
                def f(a, b):
                    if a != b and a < 3:  # same
                        b = 2
                        return b
                    else:
                        return 1
            """),
        ),
        Changes(
            code("""
                def f(a, b, c):
                    if a < b and b in c or c is None:
                        x = 1
                    else:
                        x = 2
                    return x
            """),
            code("""
                def f(a, b, c):
                    if (a >= b or b not in c) and c is not None:
                        x = 2
                    else:
                        x = 1
                    return x
            """),
        ),
        Changes(
            "def f(a):\r\n\tif (a >\r\n\t\t\t1):\r\n\t\treturn a\r\n\telse:\r\n\t\treturn 0",
            "def f(a):\r\n\tif (a <=\r\n\t\t\t1):\r\n\t\treturn 0\r\n\telse:\r\n\t\treturn a",
        ),
        Leaves(
            code("""
                def f(a):
                    if a > 1:
                        return a
                    elif a > 0:
                        return 1
                    else:
                        return 0
            """),
            "elif",
        ),
        Leaves(
            code("""
                def f(a):
                    if len(a) > 1:
                        return a
                    else:
                        return 0
            """),
            "call",
        ),
        Leaves(
            code("""
                def f(a):
                    if 0 < a < 9:
                        return a
                    else:
                        return 0
            """),
            "chained",
        ),
        Leaves(
            code("""
                def f(a):
                    if not a:
                        return a
                    else:
                        return 0
            """),
            "not_a_comparison",
        ),
        Leaves(
            code("""
                def f(a):
                    if a > 1: return a
                    else: return 0
            """),
            "one_line_body",
        ),
        Leaves(
            code("""
                def f(a):
                    b = {1, 2}
                    if {a} < b:
                        return a
                    else:
                        return 0
            """),
            "partial_order",
        ),
        Leaves(
            code("""
                def f(a):
                    b, c = set(a), {1}
                    if b < c:
                        return a
                    else:
                        return 0
            """),
            "partial_order",
        ),
        Leaves(
            code("""
                class C:
                    def __lt__(self, other):
                        return True

                def f(a):
                    b = C()
                    if b < a:
                        return a
                    else:
                        return 0
            """),
            "user_class",
        ),
        Leaves(
            code("""
                def f(a):
                    if a > 1:
                        return a
                    return a if a > 0 else 0
            """)
        ),
        Leaves(
            code("""
                def f(a):
                    b = float('inf') - a
                    if b < 1:
                        return a
                    else:
                        return 0
            """),
            "partial_order",
        ),
        Leaves(
            code("""
                def f(a):
                    b = 1e200 * 1e200
                    b -= b
                    if b < a:
                        return a
                    else:
                        return 0
            """),
            "partial_order",
        ),
        Leaves(
            code("""
                def f(a):
                    b = 'na'
                    if float(b + 'n') < a:
                        return a
                    else:
                        return 0
            """),
            "call",
        ),
        Leaves(
            code("""
                import sys

                def f(a):
                    try:
                        if a < 'x':
                            b = 1
                        else:
                            b = 2
                    except TypeError:
                        b = str(sys.exc_info()[1])
                    return b
            """),
            "told",
        ),
    )
    allows_any_leaf: ClassVar[bool] = False
    allows_calls: ClassVar[bool] = False

    def sites(self, program: Program) -> list[Site | Decline]:
        """Return every ``if`` that can be flipped, and those with an ``else`` that cannot."""
        found: list[Site | Decline] = []
        nodes = [node for node in inside(program.region) if isinstance(node, cst.If)]
        if nodes and (reason := line_reason(program)) is not None:
            return [self.decline(None, *reason)]
        branches = {id(node.orelse) for node in nodes}
        orders = _Orders(program)
        for node in nodes:
            if node.orelse is None:
                continue
            line = program.line(program.span(node)[0])
            is_branch = id(node) in branches and not self.allows_calls
            if is_branch or isinstance(node.orelse, cst.If):
                found.append(self.decline(line, "elif", "part of a chain with elif"))
                continue
            try:
                found.append(self._site(program, node, node.orelse, orders, line))
            except Unfit as reason:
                found.append(self.decline(line, reason.code, reason.why))
        return found

    def cut(
        self, source: str, site: Site, mutated: Mutated, entry_point: str | None, version: int
    ) -> Cut | NoCut:
        """Cut where the body of the ``if`` starts, in every version."""
        return cut_at((source, mutated.source), (site.edits[1].start, mutated.undo[1].start))

    def _site(
        self, program: Program, node: cst.If, other: cst.Else, orders: "_Orders", line: int
    ) -> Site:
        for part in inside(node.test):
            if isinstance(part, ACTIVE) and not (self.allows_calls and isinstance(part, cst.Call)):
                raise Unfit("call", "the condition may change something: it calls or assigns")
        if self.allows_calls and orders.may_change(node.test):
            raise Unfit("call", "the condition may change something: it calls what may")
        if not (
            isinstance(node.body, cst.IndentedBlock) and isinstance(other.body, cst.IndentedBlock)
        ):
            raise Unfit("one_line_body", "a body stands on the line of its header")
        operators: list[str] = []
        test = self._negated(program, node.test, orders, operators)
        start, end = program.outer_span(node.test)
        return self.site(
            line, [Edit(start, end, test), *_exchanged(program, node, other)], operators
        )

    def _negated(
        self,
        program: Program,
        node: cst.BaseExpression,
        orders: "_Orders",
        operators: list[str],
    ) -> str:
        """Return the negation's text, with the parentheses that stood around the expression."""
        start, end = program.outer_span(node)
        inner_start, inner_end = program.span(node)
        source = program.source
        before, after = source[start:inner_start], source[inner_end:end]
        match node:
            case cst.BooleanOperation():
                text = self._negated_operation(program, node, orders, operators)
            case cst.UnaryOperation(operator=cst.Not()):
                text = self._affirmed(program, node.expression, orders, operators)
            case cst.Comparison() if len(node.comparisons) == 1:
                text = self._complement(program, node, node.comparisons[0], orders, operators)
            case _ if self.allows_any_leaf:
                chained = isinstance(node, cst.Comparison | cst.IfExp | cst.Lambda)
                inner = source[inner_start:inner_end]
                text = f"not ({inner})" if chained else f"not {inner}"
            case cst.Comparison():
                raise Unfit("chained", "a chained comparison")
            case _:
                raise Unfit("not_a_comparison", "a part of the condition is no comparison")
        return before + text + after

    def _negated_operation(
        self,
        program: Program,
        node: cst.BooleanOperation,
        orders: "_Orders",
        operators: list[str],
    ) -> str:
        operator_start, operator_end = program.span(node.operator)
        left_end = program.outer_span(node.left)[1]
        right_start = program.outer_span(node.right)[0]
        becomes_or = isinstance(node.operator, cst.And)
        sides = []
        for side in (node.left, node.right):
            text = self._negated(program, side, orders, operators)
            if not becomes_or and _is_bare_and(side):
                text = f"({text})"  # it becomes an or, which binds looser than the and around it
            sides.append(text)
        between = program.source[left_end:operator_start], program.source[operator_end:right_start]
        return sides[0] + between[0] + ("or" if becomes_or else "and") + between[1] + sides[1]

    def _affirmed(
        self,
        program: Program,
        node: cst.BaseExpression,
        orders: "_Orders",
        operators: list[str],
    ) -> str:
        """Return the text of what stands under a ``not``, once it is a fit condition."""
        self._negated(program, node, orders, operators)
        start, end = program.outer_span(node)
        return program.source[start:end]

    def _complement(
        self,
        program: Program,
        node: cst.Comparison,
        target: cst.ComparisonTarget,
        orders: "_Orders",
        operators: list[str],
    ) -> str:
        operator, complement = COMPLEMENTS[type(target.operator)]
        if isinstance(target.operator, ORDERS):
            orders.check_order(node.left, target.comparator)
        elif isinstance(target.operator, EQUALS):
            orders.check_classes()
        operators.append(operator)
        start, end = program.span(node)
        operator_start, operator_end = program.span(target.operator)
        source = program.source
        return source[start:operator_start] + complement + source[operator_end:end]


class IfElseFlip2(IfElseFlip):
    """Anything else without a call may be negated by ``not``: names, chained comparisons."""

    version = 2
    allows_any_leaf = True
    examples: ClassVar[Examples] = (
        Changes(
            code("""
                def f(a, b, c):
                    if a == b and not c or 0 < a < 9:
                        return 1
                    else:
                        return 2
            """),
            code("""
                def f(a, b, c):
                    if (a != b or c) and not (0 < a < 9):
                        return 2
                    else:
                        return 1
            """),
        ),
        Leaves(
            code("""
                def f(a):
                    if (b := a):
                        return b
                    else:
                        return 0
            """),
            "call",
        ),
    )


class IfElseFlip3(IfElseFlip2):
    """Calls that change nothing may stand in the condition; the last branch of a chain is flipped.

    The paper bars calls that might change the state. The condition is asked as often as before.
    """

    version = 3
    allows_calls = True
    examples: ClassVar[Examples] = (
        Changes(
            code("""
                def f(a):
                    if len(a) > 1 and a.startswith('b') or any(map(str.isupper, a)):
                        return 1
                    else:
                        return 2
            """),
            code("""
                def f(a):
                    if (len(a) <= 1 or not a.startswith('b')) and not any(map(str.isupper, a)):
                        return 2
                    else:
                        return 1
            """),
        ),
        Changes(
            code("""
                def f(a):
                    if a > 1:
                        return a
                    elif a > 0:
                        return 1
                    else:
                        b = 2
                        return b
            """),
            code("""
                def f(a):
                    if a > 1:
                        return a
                    elif a <= 0:
                        b = 2
                        return b
                    else:
                        return 1
            """),
        ),
        Leaves(
            code("""
                def f(a):
                    if a.pop() > 1:
                        return 1
                    else:
                        return 2
            """),
            "call",
        ),
        Leaves(
            code("""
                def g(a):
                    return a

                def f(a):
                    if g(a) > 1:
                        return 1
                    else:
                        return 2
            """),
            "call",
        ),
        Leaves(
            code("""
                def f(a):
                    b = iter(a)
                    if sum(b) > 1:
                        return 1
                    else:
                        return list(b)
            """),
            "call",
        ),
        Leaves(
            code("""
                def f(a):
                    b = 'na'
                    if float(b + 'n') < a:
                        return a
                    else:
                        return 0
            """),
            "partial_order",
        ),
        Leaves(
            code("""
                def f(a):
                    if set(a) < set('ab'):
                        return a
                    else:
                        return 0
            """),
            "partial_order",
        ),
    )


def _is_bare_and(node: cst.BaseExpression) -> bool:
    is_and = isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.And)
    return is_and and not node.lpar


class _Orders:
    """What is known of the order of a program's values."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @cached_property
    def aliases(self) -> Aliases:
        """Which variables hold numbers and the like alone."""
        return aliases_of(self.program)

    @cached_property
    def has_sets(self) -> bool:
        """Whether the program makes what may be neither smaller, nor equal, nor greater."""
        read = {id(value) for node in self.program.nodes for value in _read_at_once(node)}
        return any(_makes_set(node) and id(node) not in read for node in self.program.nodes)

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
        return any(
            isinstance(node, cst.ClassDef) and _compares(self.program, node)
            for node in self.program.nodes
        )

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


def _read_at_once(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
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


def _compares(program: Program, node: cst.ClassDef) -> bool:
    """Say whether objects of a class may compare otherwise than by their identity."""
    if node.decorators or any(not _is_plain(program, each.value) for each in node.bases):
        return True
    return any(isinstance(part, cst.Name) and part.value in COMPARING for part in inside(node.body))


def _is_plain(program: Program, base: cst.BaseExpression) -> bool:
    """Say whether a base class is a builtin one that compares nothing."""
    if not isinstance(base, cst.Name) or not program.scopes.is_free(base):
        return False
    found = getattr(builtins, base.value, None)
    return found is object or (isinstance(found, type) and issubclass(found, BaseException))


def _exchanged(program: Program, node: cst.If, other: cst.Else) -> list[Edit]:
    """Return the edits that let two bodies change places, line by line."""
    source = program.source
    assert isinstance(node.body, cst.IndentedBlock)
    assert isinstance(other.body, cst.IndentedBlock)
    first = program.span(node.body.header)[1]
    first_end = program.line_start(program.line(program.span(other)[0]))
    second = program.span(other.body.header)[1]
    last_line = program.line(program.span(other.body.body[-1])[1] - 1)
    second_end = program.line_start(last_line + 1)
    one, two = source[first:first_end], source[second:second_end]
    if not two.endswith(("\n", "\r")):
        end = "\r\n" if one.endswith("\r\n") else one[-1]
        one, two = one[: -len(end)], two + end
    return [Edit(first, first_end, two), Edit(second, second_end, one)]


VERSIONS = (IfElseFlip, IfElseFlip2, IfElseFlip3)
