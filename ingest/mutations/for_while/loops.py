"""Loops over a ``range`` and the edits that make each count by hand.

Idea: the loop variable is set before a ``while`` and counted at the end of its body. A bound that
the body may change is kept in a new name.
Assumed: bounds are whole numbers, neither False nor True, as long as only arguments decide them.
Refused: ``continue``, ``else``, a variable that is set inside, used later or by other code, and
bounds that the program may make of fractions.
Proved: tests/ingest/mutations/test_mutations_beyond.py.
"""

from functools import cached_property

import libcst as cst

from ingest.mutations.analysis.flow.reaching import Flow, flow_of
from ingest.mutations.analysis.numbers.whole_numbers import WholeNumbers
from ingest.mutations.analysis.objects.aliases import Aliases, aliases_of
from ingest.mutations.analysis.objects.new_objects import only_new_objects, only_parameters
from ingest.mutations.analysis.objects.own_types import makes_classes
from ingest.mutations.analysis.statements.effects import Unknown, effects_of_body
from ingest.mutations.base import Edit, Unfit
from ingest.mutations.for_while.bounds import (
    bound_text,
    bounds_of,
    is_divided,
    is_simple,
    is_truth,
)
from ingest.mutations.insertion import NEW_NAME, indent_of, newline_of
from ingest.mutations.renaming import dynamic_reason, line_reason
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.scopes import Kind, Role, Scope, Variable
from ingest.mutations.source.tree import children, inside

LOOPS = (cst.For, cst.While)


class RangeLoops:
    """What is known of a program's loops."""

    def __init__(self, program: ParsedProgram) -> None:
        self.program = program
        self.dynamic = dynamic_reason(program) or line_reason(program)
        self.has_classes = makes_classes(program)
        self._flows: dict[Scope, Flow] = {}

    @cached_property
    def aliases(self) -> Aliases:
        """Which variables may stand for one object."""
        return aliases_of(self.program)

    @cached_property
    def whole(self) -> WholeNumbers:
        """Which values are whole numbers."""
        return WholeNumbers(self.program, self.aliases)

    @cached_property
    def makes_others(self) -> bool:
        """Whether the program may make numbers that are not whole."""
        return self.whole.makes_others()

    @cached_property
    def owned(self) -> set[Variable]:
        """The variables that hold only what was made for them."""
        return only_new_objects(self.program)

    @cached_property
    def parameters(self) -> set[Variable]:
        """The parameters that are never set."""
        return only_parameters(self.program)

    def over_range(self, node: cst.For) -> bool:
        """Say whether a loop is over a call of ``range`` and sets one plain name."""
        return isinstance(node.target, cst.Name) and self.program.calls_builtin(
            node.iter, {"range"}
        )

    def edits(self, node: cst.For) -> list[Edit]:
        """Return the edits that make a loop over a range count by hand; raises Unfit."""
        program = self.program
        assert isinstance(node.target, cst.Name)
        assert isinstance(node.iter, cst.Call)
        name = node.target.value
        self._check(node, node.target)
        start, stop, step = bounds_of(program, node.iter)
        stop_text = bound_text(program, stop)
        start_text = "0" if start is None else bound_text(program, start)
        if any(is_divided(each) for each in (start, stop)):
            raise Unfit("not_whole", "a bound is no whole number, which range refuses")
        if start is not None and is_truth(program, start):
            raise Unfit("truth", "the loop starts at False or True, which range makes a number")
        self._check_bounds(start, stop)
        if program.scopes.variable_of[node.target] in program.bound_variables_in(node.iter):
            raise Unfit("own_bound", "the loop's own variable is in its bounds")
        indent, end = indent_of(program, node), newline_of(program)
        before = f"{name} = {start_text}{end}{indent}"
        if not self._is_stable(node, stop):
            before += f"{NEW_NAME} = {stop_text}{end}{indent}"
            stop_text = NEW_NAME
        header = f"{before}while {name} {'<' if step > 0 else '>'} {stop_text}"
        return [
            Edit(program.span(node)[0], program.outer_span(node.iter)[1], header),
            self._counted(node, f"{name} {'+' if step > 0 else '-'}= {abs(step)}", end),
        ]

    def _check_bounds(self, start: cst.BaseExpression | None, stop: cst.BaseExpression) -> None:
        """Refuse bounds that the program itself may make of something else than whole numbers."""
        if start is not None and not self.whole.is_whole(start):
            raise Unfit("not_whole", "the loop may start at what is no whole number, or at True")
        if not self.whole.is_number(stop) and self.makes_others:
            raise Unfit("not_whole", "the program may make a bound that is no whole number")

    def _counted(self, node: cst.For, text: str, end: str) -> Edit:
        """Return the edit that puts a statement after the last of a loop's body."""
        program = self.program
        assert isinstance(node.body, cst.IndentedBlock)
        last = program.line(program.span(node.body.body[-1])[1] - 1)
        place = program.line_start(last + 1)
        indent = indent_of(program, node.body.body[0])
        is_ended = program.source[place - 1] in "\r\n"
        line = f"{indent}{text}{end}" if is_ended else f"{end}{indent}{text}"
        return Edit(place, place, line)

    def _check(self, node: cst.For, target: cst.Name) -> None:
        """Refuse loops whose variable, or whose way out, would tell the difference."""
        variable = self.program.scopes.variable_of[target]
        scope = variable.scope
        if node.asynchronous is not None or not isinstance(node.body, cst.IndentedBlock):
            raise Unfit("one_line_body", "the body is on the line of its header")
        if node.orelse is not None:
            raise Unfit("else", "the loop has an else")
        if self.dynamic is not None:
            raise Unfit(*self.dynamic)
        if scope is None or scope.kind not in (Kind.FUNCTION, Kind.MODULE):
            raise Unfit("captured", "the loop variable belongs to a class")
        flow = self._flow(scope)
        if variable in flow.opaque or self.program.scopes.occurrence_of[target].scope is not scope:
            raise Unfit("captured", "other code may use the loop variable at any time")
        body = {part for part in inside(node.body) if isinstance(part, cst.Name)}
        if any(each.node in body and each.role != Role.LOAD for each in variable.occurrences):
            raise Unfit("assigned", "the body sets the loop variable")
        definition = self.program.scopes.occurrence_of[target]
        if any(definition in seen and use.node not in body for use, seen in flow.reaching.items()):
            raise Unfit("used_after", "the loop variable may be used after the loop")
        if _continues(node.body):
            raise Unfit("continue", "continue would pass by the counting")

    def _flow(self, scope: Scope) -> Flow:
        if scope not in self._flows:
            self._flows[scope] = flow_of(self.program.scopes, scope, starts_loops=True)
        return self._flows[scope]

    def _is_stable(self, node: cst.For, stop: cst.BaseExpression) -> bool:
        """Say whether a bound has the same value however often the loop asks for it."""
        if not is_simple(self.program, stop):
            return False
        read = self.program.bound_variables_in(stop)
        measured = {
            variable
            for part in inside(stop)
            if isinstance(part, cst.Call)
            for variable in self.program.bound_variables_in(part)
        }
        if any(variable.is_captured for variable in read) or read & self._set_in(node.body):
            return False
        if not measured:
            return True  # numbers do not change in place
        if self.has_classes:
            return False
        try:
            effects = effects_of_body(self.program, self.aliases, node.body)
        except Unknown:
            return False
        changed = effects.changed
        if measured <= self.owned | self.parameters:
            changed = changed - (self.owned - effects.within - measured)
        return not self.aliases.meet(changed, measured)

    def _set_in(self, body: cst.BaseSuite) -> set[Variable]:
        """Return the variables that a block sets, deletes or declares."""
        scopes = self.program.scopes
        return {
            scopes.variable_of[part]
            for part in inside(body)
            if isinstance(part, cst.Name)
            and part in scopes.variable_of
            and scopes.occurrence_of[part].role != Role.LOAD
        }


def _continues(body: cst.BaseSuite) -> bool:
    """Say whether a ``continue`` in a loop's body is the loop's own."""
    stack: list[cst.CSTNode] = list(body.body)
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Continue):
            return True
        if isinstance(node, LOOPS):
            stack += [] if node.orelse is None else [node.orelse]
        elif not isinstance(node, cst.FunctionDef | cst.ClassDef):
            stack += children(node)
    return False
