"""Reaching definitions: which assignments a use of a variable may see.

Idea: statements are walked forwards with a state (``states.py``); loops to a fixed point; each use
collects what may hold there. A definition that reaches a use in some run is always reported.
Assumed: anything under a ``try`` or ``with`` may stop at any moment.
Refused: variables that other code may use at any time are ``opaque``; of them nothing is known.
Proved: tests/ingest/mutations/test_mutations_flow.py, on every kind of statement.
"""

from dataclasses import dataclass

import libcst as cst

from ingest.mutations.analysis.flow.expressions import Expressions
from ingest.mutations.analysis.flow.states import Frame, Level, State, join
from ingest.mutations.source.scopes import Occurrence, Role, Scope, Scopes, Variable
from ingest.mutations.source.tree import children, root_of


@dataclass(frozen=True)
class Flow:
    """For each use, its definitions; for each definition, those it may have replaced.

    ``opaque`` are variables of the frame that other code may use at any time: nothing is known
    of them. Only uses that are reached have definitions.
    """

    reaching: dict[Occurrence, frozenset[Occurrence | None]]
    replaced: dict[Occurrence, frozenset[Occurrence | None]]
    opaque: frozenset[Variable]


def flow_of(scopes: Scopes, scope: Scope, starts_loops: bool = False) -> Flow:
    """Return the reaching definitions of the variables of a function or of a module.

    With ``starts_loops``, what a ``for`` sets has a value before the first round is asked for.
    """
    frame = Frame(scopes, scope)
    _Statements(frame, starts_loops).run()
    return Flow(frame.reaching, frame.replaced, frame.opaque)


class _Statements:
    """Walks the statements of a frame."""

    def __init__(self, frame: Frame, starts_loops: bool) -> None:
        self.frame = frame
        self.expressions = Expressions(frame)
        self.starts_loops = starts_loops

    def run(self) -> None:
        node = self.frame.scope.node
        for variable in self.frame.scopes.variables.values():
            if variable.scope is self.frame.scope:
                for each in variable.occurrences:
                    if each.role == Role.PARAMETER:
                        self.frame.define(each.node)
        if isinstance(node, cst.FunctionDef | cst.Module):
            self._block(node.body if isinstance(node, cst.FunctionDef) else node)
        elif isinstance(node, cst.Lambda):
            self.expressions.walk(node.body)

    def _block(self, body: cst.BaseSuite | cst.Module) -> None:
        for statement in body.body:
            self._statement(statement)

    def _statement(self, node: cst.CSTNode) -> None:
        match node:
            case cst.SimpleStatementLine():
                for part in node.body:
                    self._statement(part)
            case cst.If():
                self._if(node)
            case cst.While():
                self._loop(None, node.test, node.body, node.orelse)
            case cst.For():
                self.expressions.walk(node.iter)
                self._loop(node.target, None, node.body, node.orelse)
            case cst.Try() | cst.TryStar():
                self._try(node)
            case cst.With():
                self._with(node)
            case cst.Match():
                self._match(node)
            case cst.FunctionDef():
                self.expressions.walk_all(node.decorators)
                self.expressions.walk(node.params)
                self.expressions.walk(node.returns)
                self.frame.define(node.name)
            case cst.ClassDef():
                self.expressions.walk_all([*node.decorators, *node.bases, *node.keywords])
                self.frame.define(node.name)
            case _:
                self._small(node)

    def _small(self, node: cst.CSTNode) -> None:
        """Walk a statement without a block."""
        match node:
            case cst.Assign():
                self.expressions.walk(node.value)
                for target in node.targets:
                    self.expressions.target(target.target)
            case cst.AnnAssign():
                self.expressions.walk(node.annotation)
                if node.value is not None:
                    self.expressions.walk(node.value)
                    self.expressions.target(node.target)
            case cst.AugAssign():
                self.expressions.walk(node.target)
                self.expressions.walk(node.value)
                if isinstance(node.target, cst.Name):
                    self.frame.define(node.target)
            case cst.Del():
                self.expressions.delete(node.target)
            case cst.Return():
                self.expressions.walk(node.value)
                self._leave()
            case cst.Raise():
                self.expressions.walk_all(children(node))
                self.frame.may_stop()
                self.frame.state = None
            case cst.Break() | cst.Continue():
                self._jump(isinstance(node, cst.Break))
            case cst.Assert():
                self.expressions.walk(node.test)
                passed = self.frame.state
                self.expressions.walk(node.msg)
                self.frame.may_stop()
                self.frame.state = passed
            case cst.Import() | cst.ImportFrom():
                self._names_of(node)
            case cst.Global() | cst.Nonlocal():
                return
            case _:
                self.expressions.walk_all(children(node))

    def _leave(self) -> None:
        """Leave the function: only a ``finally`` on the way sees the state."""
        self.frame.may_stop()
        self.frame.state = None

    def _jump(self, is_break: bool) -> None:
        """Jump to the innermost loop, or to a ``try`` inside that loop."""
        self.frame.may_stop()
        exits = self.frame.around
        if exits is not None:
            if is_break:
                exits.breaks = join(exits.breaks, self.frame.state)
            else:
                exits.continues = join(exits.continues, self.frame.state)
        self.frame.state = None

    def _names_of(self, node: cst.Import | cst.ImportFrom) -> None:
        if isinstance(node.names, cst.ImportStar):
            return
        for alias in node.names:
            name = alias.asname.name if alias.asname is not None else alias.name
            self.expressions.target(root_of(name))

    def _if(self, node: cst.If) -> None:
        self.expressions.walk(node.test)
        before = self.frame.state
        self._block(node.body)
        after, self.frame.state = self.frame.state, before
        if isinstance(node.orelse, cst.If):
            self._statement(node.orelse)
        elif node.orelse is not None:
            self._block(node.orelse.body)
        self.frame.state = join(after, self.frame.state)

    def _loop(
        self,
        target: cst.BaseExpression | None,
        test: cst.BaseExpression | None,
        body: cst.BaseSuite,
        orelse: cst.Else | None,
    ) -> None:
        head = self.frame.state
        breaks: State | None = None
        while True:
            self.frame.state = head
            self.expressions.walk(test)
            done = None if _is_true(test) else self.frame.state
            if target is not None:
                self.expressions.target(target)
                if self.starts_loops:
                    done = join(done, self.frame.state)
            self.frame.levels.append(Level(is_loop=True))
            self._block(body)
            exits = self.frame.levels.pop().exits
            breaks = join(breaks, exits.breaks)
            again = join(join(head, self.frame.state), exits.continues)
            if again == head:
                break
            head = again
        self.frame.state = done
        if orelse is not None:
            self._block(orelse.body)
        self.frame.state = join(self.frame.state, breaks)

    def _try(self, node: cst.Try | cst.TryStar) -> None:
        """Walk a ``try``. Its handlers may start from any state inside; so may its ``finally``."""
        outer = Level(is_loop=False)
        self.frame.levels.append(outer)
        self.frame.may_stop()
        inner = Level(is_loop=False)
        self.frame.levels.append(inner)
        self.frame.may_stop()
        self._block(node.body)
        self.frame.levels.pop()
        raised = inner.exits.raised
        inner.exits.pass_on(outer.exits)
        if node.orelse is not None:
            self._block(node.orelse.body)
        after = self.frame.state
        for handler in node.handlers:
            self.frame.state = raised
            self.expressions.walk(handler.type)
            if handler.name is not None:
                self.frame.unbind(handler.name.name)  # as it is once its block is left by an error
                self.expressions.target(handler.name.name)
            self._block(handler.body)
            if handler.name is not None:
                self.frame.unbind(handler.name.name)
            after = join(after, self.frame.state)
        self.frame.levels.pop()
        self.frame.state = after
        exits = outer.exits
        if node.finalbody is None:
            exits.pass_on(self.frame.around)
            return
        reaches_end = after is not None
        self.frame.state = join(join(after, exits.raised), join(exits.breaks, exits.continues))
        self._block(node.finalbody.body)
        on = self.frame.around
        if on is not None:
            if exits.breaks is not None:
                on.breaks = join(on.breaks, self.frame.state)
            if exits.continues is not None:
                on.continues = join(on.continues, self.frame.state)
        self.frame.may_stop()
        if not reaches_end:
            self.frame.state = None

    def _with(self, node: cst.With) -> None:
        """Walk a ``with``; its managers may swallow an exception from anywhere inside."""
        level = Level(is_loop=False)
        self.frame.levels.append(level)
        for item in node.items:
            self.expressions.walk(item.item)
            self.frame.may_stop()
            if item.asname is not None:
                self.expressions.target(item.asname.name)
        self._block(node.body)
        self.frame.levels.pop()
        level.exits.pass_on(self.frame.around)
        self.frame.state = join(self.frame.state, level.exits.raised)

    def _match(self, node: cst.Match) -> None:
        self.expressions.walk(node.subject)
        after: State | None = None
        for case in node.cases:
            untouched = self.frame.state
            self.expressions.pattern(case.pattern)
            self.expressions.walk(case.guard)
            failed = join(untouched, self.frame.state)
            self._block(case.body)
            after = join(after, self.frame.state)
            self.frame.state = failed
        self.frame.state = join(after, self.frame.state)


def _is_true(test: cst.BaseExpression | None) -> bool:
    match test:
        case cst.Name(value="True") | cst.Integer(value="1"):
            return True
        case _:
            return False
