"""Operand swap: the two sides of a comparison change places, and its operator turns round.

Idea: ``a < b`` and ``b > a`` give one answer where neither side has an effect on the other.
Assumed: arguments compare alike from both sides, and are no iterators.
Refused: dependent sides, chains, classes of the program, comparisons under ``try`` or ``with``.
Proved: tests/ingest/mutations/test_mutations_beyond.py, test_mutations_adversary.py.
"""

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from ingest.mutations.analysis.flow.reaching import Flow, flow_of
from ingest.mutations.analysis.objects.aliases import aliases_of
from ingest.mutations.analysis.objects.own_types import makes_classes
from ingest.mutations.analysis.statements.effects import Effects, Unknown, effects_of, independent
from ingest.mutations.analysis.statements.visible_changes import GUARDS, is_guarded
from ingest.mutations.base import Decline, Edit, Examples, Mutation, Site, examples_in
from ingest.mutations.renaming import dynamic_reason
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.purity import NAMED_CONSTANTS
from ingest.mutations.source.scopes import Variable
from ingest.mutations.source.tree import children, inside

TURNED: dict[type[cst.BaseCompOp], tuple[str, str]] = {
    cst.Equal: ("==", "=="),
    cst.NotEqual: ("!=", "!="),
    cst.LessThan: ("<", ">"),
    cst.GreaterThan: (">", "<"),
    cst.LessThanEqual: ("<=", ">="),
    cst.GreaterThanEqual: (">=", "<="),
}
CONSTANTS = (cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString)
ACTIVE = (cst.Await, cst.NamedExpr, cst.Yield)
LATER = (cst.FunctionDef, cst.Lambda, cst.GeneratorExp)


class OperandSwap(Mutation):
    """One comparison with one operator. Neither side has an effect the other could see.

    Assumed of the arguments: their types compare alike from both sides, as Python's own do. And
    they are no iterators that are used up by reading. Where both sides raise, the other error comes
    first.
    """

    name = "operand_swap"
    rules = 2
    in_paper = False
    examples: ClassVar[Examples] = examples_in("""
        changes:
            def f(a, b):
                while a  <= (b + 1)*2:  # grow
                    a += 1
                return a
        into:
            def f(a, b):
                while (b + 1)*2  >= a:  # grow
                    a += 1
                return a
        changes:
            def f(a, b):
                c = [x for x in a if len(x) == 2 and x != b]
                return c
        into:
            def f(a, b):
                c = [x for x in a if 2 == len(x) and x != b]
                return c
        leaves: chained
            def f(a):
                b = 0 < a < 9
                return b
        leaves:
            def f(a):
                b = a in [1] or a is None
                return b
        leaves: unknown_call
            def f(a):
                b = g(a) == 1
                return b
        leaves: dependent
            def f(a):
                b = a.pop() == a[0]
                return b
        leaves: effect
            def f(a):
                b = (c := a) == 1
                return b, c
        leaves: guarded
            def f(a, b):
                try:
                    a = a[0] < b['k']
                except KeyError:
                    a = 1
                return a
                pass
        leaves: no_space
            def f(a):
                b = a if(a)==1 else 2
                return b
        leaves: same_text
            def f(a):
                b = a == a
                return b
        leaves: user_class
            class C:
                def __eq__(self, other):
                    return True

            def f(a):
                b = C() == a
                return b
        leaves: dependent
            it = iter([1])

            def f(a):
                b = sum(it) == len(list(it))
                return b
                pass
        leaves: dependent
            def f(a):
                g = lambda b: sum(b) == len(list(b))
                return g(iter(a))
                pass
        leaves: dependent
            def f(a):
                b = [1]
                c = any(map(lambda r: r.append(1), [b])) == len(b)
                return c
                pass
        leaves: dependent
            from collections import defaultdict

            def f(a):
                d = defaultdict(int)
                x = '%(k)s' % d == str(len(d))
                return x
                pass
    """)

    def sites(self, program: ParsedProgram) -> list[Site | Decline]:
        """Return the comparisons whose sides may change places, and those that may not."""
        found = list(_comparisons(program))
        if not found:
            return []
        if makes_classes(program):
            return [self.decline(None, "user_class", "operators may mean anything")]
        if (reason := dynamic_reason(program)) is not None:
            return [self.decline(None, *reason)]
        sides = _Sides(program)
        return [self._site(program, sides, node, guarded) for node, guarded in found]

    def _site(
        self, program: ParsedProgram, sides: "_Sides", node: cst.Comparison, guarded: bool
    ) -> Site | Decline:
        start, end = program.span(node)
        line = program.line(start)
        if len(node.comparisons) > 1:
            return self.decline(line, "chained", "a chained comparison")
        if not program.is_kept(end - 1):
            return self.decline(line, "after_cut", "the comparison ends after the cut")
        if guarded:
            return self.decline(line, "guarded", "under a try or with, where errors may be shown")
        target = node.comparisons[0]
        reason = sides.reason(node.left, target.comparator)
        if reason is not None:
            return self.decline(line, *reason)
        left = program.outer_span(node.left)
        right = program.outer_span(target.comparator)
        texts = [program.source[slice(*left)], program.source[slice(*right)]]
        if texts[0] == texts[1]:
            return self.decline(line, "same_text", "both sides have the same text")
        around = program.source[max(left[0] - 1, 0) : left[0]], program.source[right[1] :][:1]
        if any(_in_word(character) for character in around):
            return self.decline(line, "no_space", "a side would grow together with a word")
        operator, turned = TURNED[type(target.operator)]
        edits = [
            Edit(*left, texts[1]),
            Edit(*program.span(target.operator), turned),
            Edit(*right, texts[0]),
        ]
        return self.site(line, edits, [operator])


class _Sides:
    """What the sides of comparisons do."""

    def __init__(self, program: ParsedProgram) -> None:
        self.program = program
        self.aliases = aliases_of(program)
        self.flow: Flow = flow_of(program.scopes, program.scope)

    def reason(self, left: cst.BaseExpression, right: cst.BaseExpression) -> tuple[str, str] | None:
        """Say why two expressions must be evaluated in their order."""
        try:
            one, other = self._effects(left), self._effects(right)
        except Unknown as unknown:
            return unknown.code, unknown.why
        if not independent(one, other, self.aliases):
            return "dependent", "one side may depend on the other"
        for effects, beside in ((one, right), (other, left)):
            if effects.changed and not self._is_safe(beside):
                return "effect", "one side has an effect, and the other may raise an error"
        return None

    def _effects(self, node: cst.BaseExpression) -> Effects:
        if any(isinstance(part, ACTIVE) for part in inside(node)):
            raise Unknown("effect", "a side assigns, or hands over control")
        if isinstance(node, CONSTANTS):
            return Effects()
        return effects_of(self.program, self.aliases, node)

    def _is_safe(self, node: cst.BaseExpression) -> bool:
        """Say whether an expression cannot raise: a constant, or a name that has a value."""
        if isinstance(node, cst.UnaryOperation):
            return isinstance(node.expression, cst.Integer | cst.Float)
        if not isinstance(node, cst.Name):
            return isinstance(node, CONSTANTS)
        if node.value in NAMED_CONSTANTS:
            return True
        variable: Variable | None = self.program.scopes.variable_of.get(node)
        if variable is None:
            return True
        known = self.flow.reaching.get(self.program.scopes.occurrence_of[node], {None})
        return None not in known


def _comparisons(program: ParsedProgram) -> Iterator[tuple[cst.Comparison, bool]]:
    """Yield the comparisons that turn round, each with whether a ``try`` or ``with`` is around it.

    Those in f-strings are left out.
    """
    stack: list[tuple[cst.CSTNode, bool]] = [(program.region, False)]
    while stack:
        node, guarded = stack.pop()
        if isinstance(node, cst.FormattedString):
            continue
        if isinstance(node, cst.Comparison) and all(
            type(each.operator) in TURNED for each in node.comparisons
        ):
            yield node, guarded
        guards = isinstance(node, GUARDS) or (isinstance(node, LATER) and is_guarded(program, node))
        stack += [(part, guarded or guards) for part in reversed(children(node))]


def _in_word(character: str) -> bool:
    return character.isalnum() or character in {"_", "."}


VERSIONS = (OperandSwap,)
