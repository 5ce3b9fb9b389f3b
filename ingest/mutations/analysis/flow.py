"""Reaching definitions: which assignments a use of a variable may see.

An over-estimate: a definition that reaches a use in some run is always reported. Loops are
followed to a fixed point; anything under a ``try`` or ``with`` may stop at any moment.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import libcst as cst

from ingest.mutations.source.scopes import Occurrence, Role, Scope, Scopes, Variable
from ingest.mutations.source.tree import children

State = dict[Variable, frozenset[Occurrence | None]]
"""The definitions each variable may hold; None is no value at all."""

UNBOUND: frozenset[Occurrence | None] = frozenset({None})


@dataclass(frozen=True)
class Flow:
    """For each use, its definitions; for each definition, those it may have replaced.

    ``opaque`` are variables of the frame that other code may use at any time: nothing is known
    of them. Uses that are never reached have no definitions.
    """

    reaching: dict[Occurrence, frozenset[Occurrence | None]]
    replaced: dict[Occurrence, frozenset[Occurrence | None]]
    opaque: frozenset[Variable]


def flow_of(scopes: Scopes, frame: Scope, starts_loops: bool = False) -> Flow:
    """Return the reaching definitions of the variables of a function or of a module.

    With ``starts_loops``, what a ``for`` sets has a value before the first round is asked for.
    """
    walker = _Walker(scopes, frame, starts_loops)
    walker.run()
    return Flow(walker.reaching, walker.replaced, walker.opaque)


@dataclass
class _Exits:
    """States in which a loop or a ``try`` may be left, or a handler entered."""

    breaks: State | None = None
    continues: State | None = None
    raised: State | None = None


@dataclass
class _Level:
    """One loop or one ``try`` around what is being walked."""

    is_loop: bool
    exits: _Exits = field(default_factory=_Exits)


class _Walker:
    def __init__(self, scopes: Scopes, frame: Scope, starts_loops: bool) -> None:
        self.scopes = scopes
        self.frame = frame
        self.starts_loops = starts_loops
        self.reaching: dict[Occurrence, frozenset[Occurrence | None]] = {}
        self.replaced: dict[Occurrence, frozenset[Occurrence | None]] = {}
        self.opaque = frozenset(
            variable
            for variable in scopes.variables.values()
            if variable.scope is not None
            and variable.scope.frame is frame
            and (variable.is_captured or Role.DECLARE in variable.roles)
        )
        self.state: State | None = {}
        self.levels: list[_Level] = []

    def run(self) -> None:
        node = self.frame.node
        for variable in self.scopes.variables.values():
            if variable.scope is self.frame:
                for each in variable.occurrences:
                    if each.role == Role.PARAMETER:
                        self._define(each.node)
        if isinstance(node, cst.FunctionDef | cst.Module):
            self._block(node.body if isinstance(node, cst.FunctionDef) else node)
        elif isinstance(node, cst.Lambda):
            self._expression(node.body)

    # names

    def _known(self, node: cst.Name) -> tuple[Occurrence, Variable] | None:
        variable = self.scopes.variable_of.get(node)
        if variable is None or variable.scope is None or variable.scope.frame is not self.frame:
            return None
        if variable in self.opaque:
            return None
        return self.scopes.occurrence_of[node], variable

    def _use(self, node: cst.Name) -> None:
        known = self._known(node)
        if known is None or self.state is None:
            return
        occurrence, variable = known
        seen = self.reaching.get(occurrence, frozenset())
        self.reaching[occurrence] = seen | self.state.get(variable, UNBOUND)

    def _define(self, node: cst.Name) -> None:
        known = self._known(node)
        if known is None or self.state is None:
            return
        occurrence, variable = known
        before = self.state.get(variable, UNBOUND)
        self.replaced[occurrence] = self.replaced.get(occurrence, frozenset()) | before
        self._may_stop()
        self.state = {**self.state, variable: frozenset({occurrence})}
        self._may_stop()

    def _unbind(self, node: cst.CSTNode) -> None:
        """Take the name of a caught error its value, as Python does after the handler."""
        known = self._known(node) if isinstance(node, cst.Name) else None
        if known is not None and self.state is not None:
            self.state = {**self.state, known[1]: UNBOUND}
            self._may_stop()

    def _may_stop(self) -> None:
        """Let the state reach every handler around: an exception may come at any moment."""
        for level in self.levels:
            if not level.is_loop:
                level.exits.raised = _join(level.exits.raised, self.state)

    # statements

    def _block(self, body: cst.BaseSuite | cst.Module) -> None:
        for statement in body.body:
            self._statement(statement)

    def _statement(self, node: cst.CSTNode) -> None:
        match node:
            case cst.SimpleStatementLine():
                for part in node.body:
                    self._statement(part)
            case cst.Assign():
                self._expression(node.value)
                for target in node.targets:
                    self._target(target.target)
            case cst.AnnAssign():
                self._expression(node.annotation)
                if node.value is not None:
                    self._expression(node.value)
                    self._target(node.target)
            case cst.AugAssign():
                self._expression(node.target)
                self._expression(node.value)
                if isinstance(node.target, cst.Name):
                    self._define(node.target)
            case cst.Del():
                self._delete(node.target)
            case cst.Return():
                self._expression(node.value)
                self._leave()
            case cst.Raise():
                self._all(children(node))
                self._may_stop()
                self.state = None
            case cst.Break() | cst.Continue():
                self._jump(isinstance(node, cst.Break))
            case cst.Assert():
                self._expression(node.test)
                passed = self.state
                self._expression(node.msg)
                self._may_stop()
                self.state = passed
            case cst.Import() | cst.ImportFrom():
                self._names_of(node)
            case cst.If():
                self._if(node)
            case cst.While():
                self._loop(None, node.test, node.body, node.orelse)
            case cst.For():
                self._expression(node.iter)
                self._loop(node.target, None, node.body, node.orelse)
            case cst.Try() | cst.TryStar():
                self._try(node)
            case cst.With():
                self._with(node)
            case cst.Match():
                self._match(node)
            case cst.FunctionDef():
                self._all(node.decorators)
                self._expression(node.params)
                self._expression(node.returns)
                self._define(node.name)
            case cst.ClassDef():
                self._all([*node.decorators, *node.bases, *node.keywords])
                self._define(node.name)
            case cst.Global() | cst.Nonlocal():
                return
            case _:
                self._all(children(node))

    def _leave(self) -> None:
        """Leave the function: only a ``finally`` on the way sees the state."""
        self._may_stop()
        self.state = None

    def _jump(self, is_break: bool) -> None:
        """Jump to the innermost loop, or to the ``try`` that stands before it."""
        self._may_stop()
        if self.levels:
            exits = self.levels[-1].exits
            if is_break:
                exits.breaks = _join(exits.breaks, self.state)
            else:
                exits.continues = _join(exits.continues, self.state)
        self.state = None

    def _names_of(self, node: cst.Import | cst.ImportFrom) -> None:
        if isinstance(node.names, cst.ImportStar):
            return
        for alias in node.names:
            name: cst.CSTNode = alias.asname.name if alias.asname is not None else alias.name
            while isinstance(name, cst.Attribute):
                name = name.value
            self._target(name)

    def _if(self, node: cst.If) -> None:
        self._expression(node.test)
        before = self.state
        self._block(node.body)
        after, self.state = self.state, before
        if isinstance(node.orelse, cst.If):
            self._statement(node.orelse)
        elif node.orelse is not None:
            self._block(node.orelse.body)
        self.state = _join(after, self.state)

    def _loop(
        self,
        target: cst.BaseExpression | None,
        test: cst.BaseExpression | None,
        body: cst.BaseSuite,
        orelse: cst.Else | None,
    ) -> None:
        head = self.state
        breaks: State | None = None
        while True:
            self.state = head
            self._expression(test)
            done = None if _is_true(test) else self.state
            if target is not None:
                self._target(target)
                if self.starts_loops:
                    done = _join(done, self.state)
            self.levels.append(_Level(is_loop=True))
            self._block(body)
            exits = self.levels.pop().exits
            breaks = _join(breaks, exits.breaks)
            again = _join(_join(head, self.state), exits.continues)
            if again == head:
                break
            head = again
        self.state = done
        if orelse is not None:
            self._block(orelse.body)
        self.state = _join(self.state, breaks)

    def _try(self, node: cst.Try | cst.TryStar) -> None:
        """Walk a ``try``. Its handlers may start from any state inside; so may its ``finally``."""
        outer = _Level(is_loop=False)
        self.levels.append(outer)
        self._may_stop()
        inner = _Level(is_loop=False)
        self.levels.append(inner)
        self._may_stop()
        self._block(node.body)
        self.levels.pop()
        raised = inner.exits.raised
        self._pass_on(inner.exits, outer.exits)
        if node.orelse is not None:
            self._block(node.orelse.body)
        after = self.state
        for handler in node.handlers:
            self.state = raised
            self._expression(handler.type)
            if handler.name is not None:
                self._unbind(handler.name.name)  # as it is once its block is left by an error
                self._target(handler.name.name)
            self._block(handler.body)
            if handler.name is not None:
                self._unbind(handler.name.name)
            after = _join(after, self.state)
        self.levels.pop()
        self.state = after
        exits = outer.exits
        if node.finalbody is None:
            self._pass_on(exits, self.levels[-1].exits if self.levels else None)
            return
        reaches_end = after is not None
        self.state = _join(_join(after, exits.raised), _join(exits.breaks, exits.continues))
        self._block(node.finalbody.body)
        on = self.levels[-1].exits if self.levels else None
        if on is not None:
            if exits.breaks is not None:
                on.breaks = _join(on.breaks, self.state)
            if exits.continues is not None:
                on.continues = _join(on.continues, self.state)
        self._may_stop()
        if not reaches_end:
            self.state = None

    @staticmethod
    def _pass_on(exits: _Exits, on: _Exits | None) -> None:
        if on is not None:
            on.breaks = _join(on.breaks, exits.breaks)
            on.continues = _join(on.continues, exits.continues)

    def _with(self, node: cst.With) -> None:
        """Walk a ``with``; its managers may swallow an exception from anywhere inside."""
        level = _Level(is_loop=False)
        self.levels.append(level)
        for item in node.items:
            self._expression(item.item)
            self._may_stop()
            if item.asname is not None:
                self._target(item.asname.name)
        self._block(node.body)
        self.levels.pop()
        self._pass_on(level.exits, self.levels[-1].exits if self.levels else None)
        self.state = _join(self.state, level.exits.raised)

    def _match(self, node: cst.Match) -> None:
        self._expression(node.subject)
        after: State | None = None
        for case in node.cases:
            untouched = self.state
            self._pattern(case.pattern)
            self._expression(case.guard)
            failed = _join(untouched, self.state)
            self._block(case.body)
            after = _join(after, self.state)
            self.state = failed
        self.state = _join(after, self.state)

    def _pattern(self, node: cst.CSTNode) -> None:
        """Walk a pattern; any of its names may be bound, or not, when it fails or matches."""
        match node:
            case cst.MatchAs() | cst.MatchStar() | cst.MatchMapping():
                self._patterns(node)
                name = node.rest if isinstance(node, cst.MatchMapping) else node.name
                if name is not None:
                    self._define(name)
            case cst.MatchOr():
                before, after = self.state, None
                for part in node.patterns:
                    self.state = before
                    self._pattern(part.pattern)
                    before, after = _join(before, self.state), _join(after, self.state)
                self.state = after
            case cst.MatchKeywordElement():
                self._pattern(node.pattern)
            case cst.MatchValue():
                self._expression(node.value)
            case cst.MatchClass():
                self._expression(node.cls)
                self._patterns(node, but=node.cls)
            case _:
                self._patterns(node)

    def _patterns(self, node: cst.CSTNode, but: cst.CSTNode | None = None) -> None:
        for part in children(node):
            if part is not but and not isinstance(part, cst.Name):
                self._pattern(part)

    def _target(self, node: cst.CSTNode) -> None:
        match node:
            case cst.Name():
                self._define(node)
            case cst.Tuple() | cst.List():
                for element in node.elements:
                    self._target(element.value)
            case cst.StarredElement():
                self._target(node.value)
            case _:
                self._expression(node)

    def _delete(self, node: cst.CSTNode) -> None:
        """Walk what is deleted: a use, and a definition that leaves nothing."""
        match node:
            case cst.Name():
                self._use(node)
                self._define(node)
            case cst.Tuple() | cst.List():
                for element in node.elements:
                    self._delete(element.value)
            case _:
                self._expression(node)

    # expressions

    def _all(self, nodes: Iterable[cst.CSTNode]) -> None:
        for node in nodes:
            self._expression(node)

    def _expression(self, node: cst.CSTNode | None) -> None:
        match node:
            case None | cst.MaybeSentinel():
                return
            case cst.Name():
                self._use(node)
            case cst.Attribute() | cst.Arg():
                self._expression(node.value)
            case cst.NamedExpr():
                self._expression(node.value)
                self._target(node.target)
            case cst.BooleanOperation():
                self._expression(node.left)
                self._perhaps(lambda: self._expression(node.right))
            case cst.Comparison():
                first, *rest = node.comparisons
                self._all([node.left, first.comparator])
                self._perhaps(lambda: self._all(each.comparator for each in rest))
            case cst.IfExp():
                self._expression(node.test)
                before = self.state
                self._expression(node.body)
                after, self.state = self.state, before
                self._expression(node.orelse)
                self.state = _join(after, self.state)
            case cst.Lambda():
                self._expression(node.params)
            case cst.Param():
                self._expression(node.annotation)
                self._expression(node.default)
            case cst.GeneratorExp():
                self._expression(node.for_in.iter)
            case cst.ListComp() | cst.SetComp() | cst.DictComp():
                self._clauses(node, node.for_in)
            case _:
                self._all(children(node))

    def _perhaps(self, walk: Callable[[], None]) -> None:
        before = self.state
        walk()
        self.state = _join(before, self.state)

    def _clauses(self, node: cst.BaseComp, clause: cst.CompFor | None) -> None:
        """Walk a comprehension as the loops it stands for."""
        if clause is None:
            if isinstance(node, cst.DictComp):
                self._all([node.key, node.value])
            elif isinstance(node, cst.BaseSimpleComp):
                self._expression(node.elt)
            return
        self._expression(clause.iter)
        head = self.state
        while True:
            self.state = head
            self._target(clause.target)
            skipped = self.state
            for test in clause.ifs:
                self._expression(test)
                skipped = _join(skipped, self.state)
            self._clauses(node, clause.inner_for_in)
            again = _join(_join(head, self.state), skipped)
            if again == head:
                break
            head = again
        self.state = head


def _join(one: State | None, other: State | None) -> State | None:
    """Return what may hold where two paths meet; None is a place that is never reached."""
    if one is None or one is other:
        return other
    if other is None:
        return one
    return {
        variable: one.get(variable, UNBOUND) | other.get(variable, UNBOUND)
        for variable in [*one, *(each for each in other if each not in one)]
    }


def _is_true(test: cst.BaseExpression | None) -> bool:
    match test:
        case cst.Name(value="True") | cst.Integer(value="1"):
            return True
        case _:
            return False
