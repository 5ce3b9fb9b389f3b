"""Expressions, targets and patterns, walked in the order in which Python evaluates them.

What may be skipped (the right side of ``and``, the rounds of a comprehension) joins the state
before it. Lambdas and generators run later: of them only defaults and the first iterable count.
"""

from collections.abc import Callable, Iterable

import libcst as cst

from ingest.mutations.analysis.flow.states import Frame, join
from ingest.mutations.source.tree import children


class Expressions:
    """Walks the expressions of a frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def walk_all(self, nodes: Iterable[cst.CSTNode]) -> None:
        """Walk expressions in their order."""
        for node in nodes:
            self.walk(node)

    def walk(self, node: cst.CSTNode | None) -> None:
        """Walk an expression as it is evaluated."""
        match node:
            case None | cst.MaybeSentinel():
                return
            case cst.Name():
                self.frame.use(node)
            case cst.Attribute() | cst.Arg():
                self.walk(node.value)
            case cst.NamedExpr():
                self.walk(node.value)
                self.target(node.target)
            case cst.BooleanOperation():
                self.walk(node.left)
                self._perhaps(lambda: self.walk(node.right))
            case cst.Comparison():
                first, *rest = node.comparisons
                self.walk_all([node.left, first.comparator])
                self._perhaps(lambda: self.walk_all(each.comparator for each in rest))
            case cst.IfExp():
                self.walk(node.test)
                before = self.frame.state
                self.walk(node.body)
                after, self.frame.state = self.frame.state, before
                self.walk(node.orelse)
                self.frame.state = join(after, self.frame.state)
            case cst.Lambda():
                self.walk(node.params)
            case cst.Param():
                self.walk(node.annotation)
                self.walk(node.default)
            case cst.GeneratorExp():
                self.walk(node.for_in.iter)
            case cst.ListComp() | cst.SetComp() | cst.DictComp():
                self._clauses(node, node.for_in)
            case _:
                self.walk_all(children(node))

    def _perhaps(self, walk: Callable[[], None]) -> None:
        before = self.frame.state
        walk()
        self.frame.state = join(before, self.frame.state)

    def _clauses(self, node: cst.BaseComp, clause: cst.CompFor | None) -> None:
        """Walk a comprehension as the loops it abbreviates."""
        if clause is None:
            if isinstance(node, cst.DictComp):
                self.walk_all([node.key, node.value])
            elif isinstance(node, cst.BaseSimpleComp):
                self.walk(node.elt)
            return
        self.walk(clause.iter)
        head = self.frame.state
        while True:
            self.frame.state = head
            self.target(clause.target)
            skipped = self.frame.state
            for test in clause.ifs:
                self.walk(test)
                skipped = join(skipped, self.frame.state)
            self._clauses(node, clause.inner_for_in)
            again = join(join(head, self.frame.state), skipped)
            if again == head:
                break
            head = again
        self.frame.state = head

    def pattern(self, node: cst.CSTNode) -> None:
        """Walk a pattern; any of its names may be bound, or not, when it fails or matches."""
        match node:
            case cst.MatchAs() | cst.MatchStar() | cst.MatchMapping():
                self._patterns(node)
                name = node.rest if isinstance(node, cst.MatchMapping) else node.name
                if name is not None:
                    self.frame.define(name)
            case cst.MatchOr():
                before, after = self.frame.state, None
                for part in node.patterns:
                    self.frame.state = before
                    self.pattern(part.pattern)
                    before, after = join(before, self.frame.state), join(after, self.frame.state)
                self.frame.state = after
            case cst.MatchKeywordElement():
                self.pattern(node.pattern)
            case cst.MatchValue():
                self.walk(node.value)
            case cst.MatchClass():
                self.walk(node.cls)
                self._patterns(node, but=node.cls)
            case _:
                self._patterns(node)

    def _patterns(self, node: cst.CSTNode, but: cst.CSTNode | None = None) -> None:
        for part in children(node):
            if part is not but and not isinstance(part, cst.Name):
                self.pattern(part)

    def target(self, node: cst.CSTNode) -> None:
        """Walk what is assigned to: names are defined, the rest is evaluated."""
        match node:
            case cst.Name():
                self.frame.define(node)
            case cst.Tuple() | cst.List():
                for element in node.elements:
                    self.target(element.value)
            case cst.StarredElement():
                self.target(node.value)
            case _:
                self.walk(node)

    def delete(self, node: cst.CSTNode) -> None:
        """Walk what is deleted: a use, and a definition that leaves nothing."""
        match node:
            case cst.Name():
                self.frame.use(node)
                self.frame.define(node)
            case cst.Tuple() | cst.List():
                for element in node.elements:
                    self.delete(element.value)
            case _:
                self.walk(node)
