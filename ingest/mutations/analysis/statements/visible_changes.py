"""What an error lets others see: what was done before it, and which of two errors came first.

Idea: if one statement may raise and another changes an object from outside, their order shows.
Assumed: nothing but the arguments, what they hold, and globals is seen after an error.
Refused: ``try`` and ``with``, where the program itself may look.
Proved: tests/ingest/mutations/test_mutations_adversary.py.
"""

import libcst as cst

from ingest.mutations.analysis.objects.aliases import Aliases
from ingest.mutations.analysis.objects.new_objects import MADE
from ingest.mutations.analysis.statements.effects import Effects
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.purity import CONTAINERS
from ingest.mutations.source.scopes import Role, Variable

GUARDS = (cst.Try, cst.TryStar, cst.With)
ASSIGNED = frozenset({Role.LOAD, Role.STORE, Role.AUGMENT})
FRESH = (*MADE, cst.BinaryOperation)


class VisibleChanges:
    """What of a program can be seen once an error has left a statement undone."""

    def __init__(self, program: ParsedProgram, aliases: Aliases) -> None:
        self.program = program
        self.aliases = aliases
        self.fresh = {
            target
            for node in program.region_nodes.of(cst.Assign)
            if len(node.targets) == 1
            for target in _fresh(program, node.targets[0].target, node.value)
        }

    def is_changed(self, effects: Effects) -> bool:
        """Say whether a statement changes what is seen outside the entry point.

        Of a whole program nothing is left to see but what it printed.
        """
        if isinstance(self.program.region, cst.Module):
            return False
        return any(
            each not in self.aliases.scalars and not self._is_local(each)
            for each in effects.written
        )

    def may_raise(self, statement: cst.CSTNode) -> bool:
        """Say whether a statement may raise: all but assignments of what is written out."""
        if not isinstance(statement, cst.SimpleStatementLine):
            return True
        return not all(self._is_safe(part) for part in statement.body)

    def _is_local(self, variable: Variable) -> bool:
        return not variable.is_captured and all(
            each.role == Role.LOAD or each.node in self.fresh or each.role == Role.AUGMENT
            for each in variable.occurrences
        )

    def _is_safe(self, node: cst.CSTNode) -> bool:
        match node:
            case cst.Pass():
                return True
            case cst.Assign(value=value):
                return all(_fits(each.target, value) for each in node.targets) and (
                    self._is_bound(value)
                )
            case cst.AugAssign(target=cst.Name() as target, value=cst.Integer()):
                return self.program.scopes.variable_of.get(target) in self.aliases.scalars
            case _:
                return False

    def _is_bound(self, node: cst.CSTNode) -> bool:
        """Say whether an expression is made of what always has a value, and nothing is done."""
        match node:
            case cst.Integer() | cst.Float() | cst.SimpleString():
                return True
            case cst.UnaryOperation(expression=expression):
                return isinstance(expression, cst.Integer | cst.Float)
            case cst.Name(value="False" | "None" | "True"):
                return True
            case cst.Name():
                roles = self.program.scopes.variable_of[node].roles
                return Role.PARAMETER in roles and roles <= ASSIGNED | {Role.PARAMETER}
            case cst.List() | cst.Tuple() | cst.Dict():
                return all(
                    isinstance(part, cst.Integer | cst.Float | cst.SimpleString)
                    or (part is not node and self._is_bound(part))
                    for each in node.elements
                    for part in _values(each)
                )
            case _:
                return False


def is_guarded(
    program: ParsedProgram, function: cst.FunctionDef | cst.Lambda | cst.GeneratorExp
) -> bool:
    """Say whether the program's own code may run from under a ``try`` or ``with``."""
    if not program.nodes.of(*GUARDS):
        return False
    if not isinstance(function, cst.FunctionDef):
        return True
    variable = program.scopes.variable_of[function.name]
    return bool(function.decorators) or variable.roles != {Role.FUNCTION}


def _fresh(program: ParsedProgram, target: cst.CSTNode, value: cst.CSTNode) -> list[cst.Name]:
    """Return the names that an assignment sets to objects that nothing outside holds."""
    match target, value:
        case cst.Name(), cst.Call(func=cst.Name() as function):
            is_builtin = function.value in CONTAINERS and program.scopes.is_free(function)
            return [target] if is_builtin else []
        case cst.Name(), _:
            return [target] if isinstance(value, FRESH) else []
        case cst.Tuple(), cst.Tuple() if len(target.elements) == len(value.elements):
            pairs = zip(target.elements, value.elements, strict=True)
            return [
                name for one, other in pairs for name in _fresh(program, one.value, other.value)
            ]
        case _:
            return []


def _fits(target: cst.CSTNode, value: cst.CSTNode) -> bool:
    """Say whether a target is names alone, as many as the value has parts."""
    match target:
        case cst.Name():
            return True
        case cst.Tuple():
            return (
                isinstance(value, cst.Tuple)
                and len(value.elements) == len(target.elements)
                and all(isinstance(each.value, cst.Name) for each in target.elements)
                and all(isinstance(each, cst.Element) for each in value.elements)
            )
        case _:
            return False


def _values(element: cst.CSTNode) -> list[cst.CSTNode]:
    match element:
        case cst.Element():
            return [element.value]
        case cst.DictElement():
            return [element.key, element.value]
        case _:
            return [element]
