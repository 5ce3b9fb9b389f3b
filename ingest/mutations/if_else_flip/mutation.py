"""If-else flip: the condition is negated and the two bodies change places.

Idea: ``if c: A else: B`` does what ``if not c: B else: A`` does. The negation is written out.
Assumed of the arguments: of two that are compared, one is smaller or they are equal. Refused:
conditions that may change something, comparisons without a complement and chains of ``elif``. Also
bodies on the line of their header, and programs that read their own lines. Proved:
test_mutations.py, test_mutations_adversary.py, test_mutations_properties.py.
"""

from typing import ClassVar

import libcst as cst

from ingest.mutations.base import Decline, Edit, Examples, Mutated, Mutation, Site, Unfit
from ingest.mutations.if_else_flip import examples as flip_examples
from ingest.mutations.if_else_flip.negation import Negation
from ingest.mutations.if_else_flip.order import Order
from ingest.mutations.renaming import line_reason
from ingest.mutations.source.cut import Cut, cut_at
from ingest.mutations.source.lines import NoCut
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.tree import inside

ACTIVE = (cst.Call, cst.Await, cst.Yield, cst.NamedExpr)


class IfElseFlip(Mutation):
    """Conditions are and, or and not over comparisons with one operator, without calls.

    Assumed of the arguments: of two that are compared, one is smaller or they are equal. That is
    not true of sets, nor of what is not a number.
    """

    name = "if_else_flip"
    rules = 2
    examples: ClassVar[Examples] = flip_examples.COMPARISONS
    allows_any_leaf: ClassVar[bool] = False
    allows_calls: ClassVar[bool] = False

    def sites(self, program: ParsedProgram) -> list[Site | Decline]:
        """Return every ``if`` that can be flipped, and those with an ``else`` that cannot."""
        found: list[Site | Decline] = []
        nodes = program.region_nodes.of(cst.If)
        if nodes and (reason := line_reason(program)) is not None:
            return [self.decline(None, *reason)]
        branches = {id(node.orelse) for node in nodes}
        order = Order(program)
        for node in nodes:
            if node.orelse is None:
                continue
            line = program.line(program.span(node)[0])
            is_branch = id(node) in branches and not self.allows_calls
            if is_branch or isinstance(node.orelse, cst.If):
                found.append(self.decline(line, "elif", "part of a chain with elif"))
                continue
            try:
                found.append(self._site(program, node, node.orelse, order, line))
            except Unfit as reason:
                found.append(self.decline(line, reason.code, reason.why))
        return found

    def cut(
        self, source: str, site: Site, mutated: Mutated, entry_point: str | None, version: int
    ) -> Cut | NoCut:
        """Cut where the body of the ``if`` starts, in every version."""
        return cut_at((source, mutated.source), (site.edits[1].start, mutated.undo[1].start))

    def _site(
        self, program: ParsedProgram, node: cst.If, other: cst.Else, order: Order, line: int
    ) -> Site:
        for part in inside(node.test):
            if isinstance(part, ACTIVE) and not (self.allows_calls and isinstance(part, cst.Call)):
                raise Unfit("call", "the condition may change something: it calls or assigns")
        if self.allows_calls and order.may_change(node.test):
            raise Unfit("call", "the condition may change something: it calls what may")
        if not (
            isinstance(node.body, cst.IndentedBlock) and isinstance(other.body, cst.IndentedBlock)
        ):
            raise Unfit("one_line_body", "a body is on the line of its header")
        negation = Negation(program, order, self.allows_any_leaf)
        test = negation.text(node.test)
        start, end = program.outer_span(node.test)
        edits = [Edit(start, end, test), *_exchanged(program, node, other)]
        return self.site(line, edits, negation.operators)


class IfElseFlip2(IfElseFlip):
    """Anything else without a call may be negated by ``not``: names, chained comparisons."""

    version = 2
    allows_any_leaf = True
    examples: ClassVar[Examples] = flip_examples.ANY_CONDITION


class IfElseFlip3(IfElseFlip2):
    """Calls that change nothing may be in the condition; the last branch of a chain is flipped.

    The paper bars calls that might change the state. The condition is asked as often as before.
    """

    version = 3
    allows_calls = True
    examples: ClassVar[Examples] = flip_examples.PURE_CALLS


def _exchanged(program: ParsedProgram, node: cst.If, other: cst.Else) -> list[Edit]:
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
