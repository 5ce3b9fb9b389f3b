"""What the variables of one function or module may hold at the place that is being walked.

The lattice: for each variable a set of definitions, with None for no value; a place that is never
reached has no state at all. Where paths meet, the sets are united.

Idea: one walk in the order of execution; a loop is walked until its states no longer grow.
Assumed: names are bound by Python's scope rules alone; any statement of a ``try`` may raise.
Refused: variables that other code may set (``opaque``): of them nothing is known.
Proved: tests/ingest/mutations/test_mutations_flow.py.
"""

from dataclasses import dataclass, field

import libcst as cst

from ingest.mutations.source.scopes import Occurrence, Role, Scope, Scopes, Variable

State = dict[Variable, frozenset[Occurrence | None]]
"""The definitions each variable may hold; None is no value at all."""

UNBOUND: frozenset[Occurrence | None] = frozenset({None})


@dataclass
class Exits:
    """States in which a loop or a ``try`` may be left, or a handler entered."""

    breaks: State | None = None
    continues: State | None = None
    raised: State | None = None

    def pass_on(self, outer: "Exits | None") -> None:
        """Hand what jumps out of a block to the loop or ``try`` around it."""
        if outer is not None:
            outer.breaks = join(outer.breaks, self.breaks)
            outer.continues = join(outer.continues, self.continues)


@dataclass
class Level:
    """One loop or one ``try`` around what is being walked."""

    is_loop: bool
    exits: Exits = field(default_factory=Exits)


class Frame:
    """The variables of one scope: what they may hold here, and what each use has seen so far.

    ``opaque`` are variables that other code may use at any time.
    """

    def __init__(self, scopes: Scopes, scope: Scope) -> None:
        self.scopes = scopes
        self.scope = scope
        self.reaching: dict[Occurrence, frozenset[Occurrence | None]] = {}
        self.replaced: dict[Occurrence, frozenset[Occurrence | None]] = {}
        self.opaque = frozenset(
            variable
            for variable in scopes.variables.values()
            if variable.scope is not None
            and variable.scope.frame is scope
            and (variable.is_captured or Role.DECLARE in variable.roles)
        )
        self.state: State | None = {}
        self.levels: list[Level] = []

    @property
    def around(self) -> Exits | None:
        """The exits of the innermost loop or ``try``."""
        return self.levels[-1].exits if self.levels else None

    def use(self, node: cst.Name) -> None:
        """Note which definitions a name may stand for here."""
        known = self._known(node)
        if known is None or self.state is None:
            return
        occurrence, variable = known
        seen = self.reaching.get(occurrence, frozenset())
        self.reaching[occurrence] = seen | self.state.get(variable, UNBOUND)

    def define(self, node: cst.Name) -> None:
        """Let a name be what its variable holds from here on."""
        known = self._known(node)
        if known is None or self.state is None:
            return
        occurrence, variable = known
        before = self.state.get(variable, UNBOUND)
        self.replaced[occurrence] = self.replaced.get(occurrence, frozenset()) | before
        self.may_stop()
        self.state = {**self.state, variable: frozenset({occurrence})}
        self.may_stop()

    def unbind(self, node: cst.CSTNode) -> None:
        """Take the name of a caught error its value, as Python does after the handler."""
        known = self._known(node) if isinstance(node, cst.Name) else None
        if known is not None and self.state is not None:
            self.state = {**self.state, known[1]: UNBOUND}
            self.may_stop()

    def may_stop(self) -> None:
        """Let the state reach every handler around: an exception may come at any moment."""
        for level in self.levels:
            if not level.is_loop:
                level.exits.raised = join(level.exits.raised, self.state)

    def _known(self, node: cst.Name) -> tuple[Occurrence, Variable] | None:
        variable = self.scopes.variable_of.get(node)
        if variable is None or variable.scope is None or variable.scope.frame is not self.scope:
            return None
        if variable in self.opaque:
            return None
        return self.scopes.occurrence_of[node], variable


def join(one: State | None, other: State | None) -> State | None:
    """Return what may hold where two paths meet; None is a place that is never reached."""
    if one is None or one is other:
        return other
    if other is None:
        return one
    return {
        variable: one.get(variable, UNBOUND) | other.get(variable, UNBOUND)
        for variable in [*one, *(each for each in other if each not in one)]
    }
