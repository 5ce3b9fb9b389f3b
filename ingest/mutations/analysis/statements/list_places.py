"""Places of lists: statements that touch different ones do not meet in them.

Idea: two numbers that count from the same end of a list name two places of it.
Assumed: a list that has no second name changes only where its name is written.
Refused: lists with a second name, places that are computed, and what may change inside a place.
Proved: the examples of version 3 of the independent swap.
"""

import ast
from collections.abc import Iterator, Mapping

import libcst as cst

from ingest.mutations.analysis.objects.aliases import Aliases
from ingest.mutations.analysis.statements.effects import Effects
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.scopes import Role, Variable
from ingest.mutations.source.tree import Nodes, inside

COUNTING = frozenset({"all", "any", "len", "list", "set", "sorted", "str", "sum", "tuple"})
"""Builtins that do not give their one argument itself."""

Places = Mapping[Variable, frozenset[int]]
"""Variables that a statement touches in these places alone, each written out as a number."""


def lists_of(program: ParsedProgram, aliases: Aliases) -> frozenset[Variable]:
    """Return the variables that only ever hold lists made where they are set.

    No other name knows these lists. A dict would keep the order in which its places are set.
    """
    read = set(_used_without_alias(aliases, program.region_nodes))
    made = {
        node.targets[0].target
        for node in program.region_nodes.of(cst.Assign)
        if len(node.targets) == 1 and _is_list(aliases, node.value)
    }
    return frozenset(
        variable
        for variable in program.scopes.variables.values()
        if variable.scope is not None
        and not variable.is_captured
        and all(
            each.node in (read if each.role == Role.LOAD else made) for each in variable.occurrences
        )
    )


def places_of(program: ParsedProgram, statement: cst.CSTNode, lists: frozenset[Variable]) -> Places:
    """Return the lists that a statement touches in places that are written out as numbers."""
    variable_of = program.scopes.variable_of
    found: dict[Variable, set[int]] = {}
    elsewhere: set[Variable] = set()
    counted = set()
    for node in inside(statement):
        match node:
            case cst.AugAssign(target=cst.Subscript(value=cst.Name() as name)):
                if not isinstance(node.value, cst.Integer | cst.Float):
                    elsewhere.add(variable_of[name])  # it may change what the place holds
            case cst.Subscript(value=cst.Name() as name) if variable_of.get(name) in lists:
                place = _place(node)
                if place is not None:
                    found.setdefault(variable_of[name], set()).add(place)
                    counted.add(name)
            case cst.Name() if node in variable_of and node not in counted:
                elsewhere.add(variable_of[node])
    return {name: frozenset(each) for name, each in found.items() if name not in elsewhere}


def independent_by_place(
    one: tuple[Effects, Places], other: tuple[Effects, Places], aliases: Aliases
) -> bool:
    """Say whether two statements may run in either order if they share nothing but lists."""
    apart = {
        variable
        for variable, places in one[1].items()
        if variable in other[1]
        and _are_apart(places, other[1][variable])
        and variable not in one[0].within | other[0].within | aliases.iterators
    }
    for (first, _), (second, _) in ((one, other), (other, one)):
        if (first.assigned & (second.used | second.assigned)) - apart:
            return False
        if aliases.meet(first.changed - apart, second.used):
            return False
    return True


def _used_without_alias(aliases: Aliases, nodes: Nodes) -> Iterator[cst.CSTNode]:
    """Yield what is read without getting another name; the names among it count."""
    yield from (node.value for node in nodes.of(cst.Subscript))
    yield from (node.iter for node in nodes.of(cst.For, cst.CompFor))
    for node in nodes.of(cst.Return):
        match node.value:
            case cst.Tuple() as value:
                yield from (each.value for each in value.elements)
            case cst.Name() as name:
                yield name
    for call in nodes.of(cst.Call):
        match call:
            case cst.Call(func=cst.Name(value=function), args=[cst.Arg(value=argument)]):
                if function in COUNTING and aliases.program.is_builtin(call.func):
                    yield argument


def _are_apart(some: frozenset[int], others: frozenset[int]) -> bool:
    """Say whether no two numbers are one place, whatever the length: all count from one end."""
    is_forward = all(place >= 0 for place in some | others)
    is_backward = all(place < 0 for place in some | others)
    return (is_forward or is_backward) and not some & others


def _place(node: cst.Subscript) -> int | None:
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=cst.Integer(value=text), star=None))]:
            return int(ast.literal_eval(text))
        case [
            cst.SubscriptElement(
                slice=cst.Index(
                    value=cst.UnaryOperation(
                        operator=cst.Minus(), expression=cst.Integer(value=text)
                    )
                )
            )
        ]:
            return -int(ast.literal_eval(text)) or None
        case _:
            return None


def _is_list(aliases: Aliases, value: cst.BaseExpression) -> bool:
    match value:
        case cst.List() | cst.ListComp():
            return True
        case cst.BinaryOperation(operator=cst.Multiply(), left=cst.List()):
            return True
        case cst.Call(func=cst.Name(value="list" | "sorted")):
            return aliases.program.is_builtin(value.func)
        case _:
            return False
