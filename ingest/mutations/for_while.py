"""For-while exchange: a ``for`` over a range becomes the ``while`` that counts by hand."""

from functools import cached_property
from typing import ClassVar

import libcst as cst

from ingest.mutations.analysis.aliases import Aliases, aliases_of
from ingest.mutations.analysis.effects import Unknown, effects_of_body
from ingest.mutations.analysis.flow import Flow, flow_of
from ingest.mutations.analysis.own_types import makes_classes
from ingest.mutations.analysis.owned import only_parameters, owned
from ingest.mutations.analysis.whole import Whole
from ingest.mutations.base import Changes, Decline, Edit, Examples, Leaves, Site, code
from ingest.mutations.insertion import NEW_NAME, LineMutation, indent_of, newline_of
from ingest.mutations.renaming import dynamic_reason, line_reason
from ingest.mutations.source.program import Program
from ingest.mutations.source.scopes import Kind, Role, Scope, Variable
from ingest.mutations.source.tree import children, inside

SUMS = (cst.Add, cst.FloorDivide, cst.Modulo, cst.Multiply, cst.Subtract)
LOOPS = (cst.For, cst.While)
TRUTHS = ("all", "any", "bool", "callable", "isinstance", "issubclass")


class Unfit(Exception):
    """Why a loop must stay as it is; the arguments are those of a refusal."""


class ForWhile(LineMutation):
    """The loop variable starts before the loop and is counted at the end of its body.

    Where the body may change the bound, it is kept in a new name. Assumed of the bounds: they are
    whole numbers, as those that ``range`` takes are, and not False or True.
    """

    name = "for_while"
    rules = 2
    examples: ClassVar[Examples] = (
        Changes(
            code("""
                def f(xs):
                    total = 0
                    for i in range(len(xs)):  # each
                        total += xs[i]
                        # counted
                    return total
            """),
            code("""
                def f(xs):
                    total = 0
                    i = 0
                    while i < len(xs):  # each
                        total += xs[i]
                        i += 1
                        # counted
                    return total
            """),
        ),
        Changes(
            code("""
                def f(n):
                    total = 0
                    for k in range(n, -1, -2):
                        if total > k:
                            break
                        total += k
                    return total
            """),
            code("""
                def f(n):
                    total = 0
                    k = n
                    while k > -1:
                        if total > k:
                            break
                        total += k
                        k -= 2
                    return total
            """),
        ),
        Changes(
            code("""
                def f(xs):
                    for i in range(1, len(xs)):
                        xs.append(i)
                    return xs
            """),
            code("""
                def f(xs):
                    i = 1
                    wqnhi = len(xs)
                    while i < wqnhi:
                        xs.append(i)
                        i += 1
                    return xs
            """),
        ),
        Leaves(
            code("""
                def f(xs):
                    for x in xs:
                        print(x)
                    return xs
            """)
        ),
        Leaves(
            code("""
                def f(n):
                    for i in range(n):
                        n -= 1
                    return i
            """),
            "used_after",
        ),
        Leaves(
            code("""
                def f(n):
                    for i in range(n):
                        if i % 2:
                            continue
                        n += i
                    return n
            """),
            "continue",
        ),
        Leaves(
            code("""
                def f(n):
                    for i in range(n):
                        i *= 2
                        n += i
                    return n
            """),
            "assigned",
        ),
        Leaves(
            code("""
                def f(n):
                    for i in range(n):
                        n += i
                    else:
                        n = 0
                    return n
            """),
            "else",
        ),
        Leaves(
            code("""
                def f(n, k):
                    for i in range(0, n, k):
                        n += i
                    return n
            """),
            "step",
        ),
        Leaves(
            code("""
                def f(n):
                    fs = []
                    for i in range(n):
                        fs.append(lambda: i)
                    return fs
            """),
            "captured",
        ),
        Leaves(
            code("""
                def f(i):
                    n = 0
                    for i in range(2, i):
                        n += i
                    return n
            """),
            "own_bound",
        ),
        Leaves(
            code("""
                def f(n):
                    for i in range(n): n += i
                    return n
            """),
            "one_line_body",
        ),
        Leaves(
            code("""
                def f(n):
                    k = n
                    return [k for _ in range(n)]
            """)
        ),
        Leaves(
            code("""
                def f(a):
                    n, k = a / 2, 0
                    try:
                        for i in range(n):
                            k += 1
                    except TypeError:
                        k = -1
                    return k
                    pass
            """),
            "not_whole",
        ),
        Leaves(
            code("""
                def f(a, k):
                    n = [k > 2]
                    for i in range(n[0], 3):
                        k += i
                    return k
                    pass
            """),
            "not_whole",
        ),
        Leaves(
            code("""
                def f(a):
                    i = 7
                    for i in range(a):
                        return 5
                    return i
                    pass
            """),
            "used_after",
        ),
    )

    def sites(self, program: Program) -> list[Site | Decline]:
        """Return the loops over a range that may count by hand, and those that may not."""
        found: list[Site | Decline] = []
        loops = _Loops(program)
        for node in inside(program.region):
            if not isinstance(node, cst.For) or not loops.over_range(node):
                continue
            start = program.span(node)[0]
            line = program.line(start)
            if not program.is_kept(program.outer_span(node.iter)[1]):
                found.append(self.decline(line, "after_cut", "the loop stands after the cut"))
                continue
            try:
                found.append(self.site(line, loops.edits(node)))
            except Unfit as reason:
                found.append(self.decline(line, *reason.args))
        return found


class _Loops:
    """What is known of a program's loops."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.dynamic = dynamic_reason(program) or line_reason(program)
        self.has_classes = makes_classes(program)
        self._flows: dict[Scope, Flow] = {}

    @cached_property
    def aliases(self) -> Aliases:
        """Which variables may stand for one object."""
        return aliases_of(self.program)

    @cached_property
    def whole(self) -> Whole:
        """Which values are whole numbers."""
        return Whole(self.program, self.aliases)

    @cached_property
    def makes_others(self) -> bool:
        """Whether the program may make numbers that are not whole."""
        return self.whole.makes_others()

    @cached_property
    def owned(self) -> set[Variable]:
        """The variables that hold only what was made for them."""
        return owned(self.program)

    @cached_property
    def parameters(self) -> set[Variable]:
        """The parameters that are never set."""
        return only_parameters(self.program)

    def over_range(self, node: cst.For) -> bool:
        """Say whether a loop is over a call of ``range`` and sets one plain name."""
        return isinstance(node.target, cst.Name) and _calls(self.program, node.iter, "range")

    def edits(self, node: cst.For) -> list[Edit]:
        """Return the edits that make a loop over a range count by hand; raises Unfit."""
        program = self.program
        assert isinstance(node.target, cst.Name)
        assert isinstance(node.iter, cst.Call)
        name = node.target.value
        self._check(node, node.target)
        start, stop, step = _bounds(program, node.iter)
        stop_text = _one_line(program, stop)
        start_text = "0" if start is None else _one_line(program, start)
        if any(_is_divided(each) for each in (start, stop)):
            raise Unfit("not_whole", "a bound is no whole number, which range refuses")
        if start is not None and _is_truth(program, start):
            raise Unfit("truth", "the loop starts at False or True, which range makes a number")
        self._check_bounds(start, stop)
        if program.scopes.variable_of[node.target] in _variables(program, node.iter):
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
            raise Unfit("one_line_body", "the body stands on the line of its header")
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
        if not _is_simple(self.program, stop):
            return False
        read = _variables(self.program, stop)
        measured = {
            variable
            for part in inside(stop)
            if isinstance(part, cst.Call)
            for variable in _variables(self.program, part)
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


def _bounds(
    program: Program, call: cst.Call
) -> tuple[cst.BaseExpression | None, cst.BaseExpression, int]:
    """Return where a range starts, where it stops and its step; raises Unfit."""
    if not 1 <= len(call.args) <= 3 or any(each.star or each.keyword for each in call.args):
        raise Unfit("arguments", "the arguments of range are not written out")
    values = [each.value for each in call.args]
    step = 1
    if len(values) == 3:
        text = program.text(values[2]).replace(" ", "")
        digits = text.removeprefix("-")
        if not digits.isdecimal() or not digits.isascii() or int(digits) == 0:
            raise Unfit("step", "the step is not written as a number")
        step = int(text)
    return (None, values[0], step) if len(values) == 1 else (values[0], values[1], step)


def _one_line(program: Program, node: cst.BaseExpression) -> str:
    start, end = program.outer_span(node)
    text = program.source[start:end]
    if "\n" in text or "\r" in text:
        raise Unfit("many_lines", "a bound stands on more than one line")
    if isinstance(node, cst.NamedExpr | cst.Yield | cst.Await | cst.GeneratorExp):
        raise Unfit("effect", "a bound assigns, or hands over control")
    return text


def _is_divided(node: cst.BaseExpression | None) -> bool:
    """Say whether an expression is written as a fraction."""
    match node:
        case cst.Float() | cst.BinaryOperation(operator=cst.Divide()):
            return True
        case cst.BinaryOperation():
            return _is_divided(node.left) or _is_divided(node.right)
        case cst.UnaryOperation():
            return _is_divided(node.expression)
        case _:
            return False


def _is_truth(program: Program, node: cst.BaseExpression) -> bool:
    """Say whether an expression may well be False or True."""
    match node:
        case cst.Comparison() | cst.UnaryOperation(operator=cst.Not()):
            return True
        case cst.Name():
            return node.value in ("False", "True")
        case cst.BooleanOperation():
            return _is_truth(program, node.left) or _is_truth(program, node.right)
        case cst.IfExp():
            return _is_truth(program, node.body) or _is_truth(program, node.orelse)
        case _:
            return any(_calls(program, node, name) for name in TRUTHS)


def _calls(program: Program, node: cst.BaseExpression, name: str) -> bool:
    """Say whether an expression calls the builtin of that name."""
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Name)
        and node.func.value == name
        and program.scopes.is_free(node.func)
        and not any(scope.star_import for scope in program.scopes.all)
    )


def _is_simple(program: Program, node: cst.BaseExpression) -> bool:
    """Say whether an expression is made of names, numbers, sums and lengths alone."""
    match node:
        case cst.Name() | cst.Integer():
            return True
        case cst.UnaryOperation(operator=cst.Minus()):
            return _is_simple(program, node.expression)
        case cst.BinaryOperation() if isinstance(node.operator, SUMS):
            return _is_simple(program, node.left) and _is_simple(program, node.right)
        case cst.Call():
            is_length = _calls(program, node, "len") and len(node.args) == 1
            return is_length and isinstance(node.args[0].value, cst.Name)
        case _:
            return False


def _variables(program: Program, node: cst.CSTNode) -> set[Variable]:
    """Return the variables of the program that an expression reads."""
    found = set()
    for part in inside(node):
        if isinstance(part, cst.Name) and part in program.scopes.variable_of:
            variable = program.scopes.variable_of[part]
            if variable.scope is not None:
                found.add(variable)
    return found


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


VERSIONS = (ForWhile,)
