"""Which variables only ever hold objects that were made for them.

Idea: a variable that is set to literals and comprehensions alone shares its object with no other.
Assumed: literals, comprehensions and comparisons make new objects, or objects that never change.
Refused: variables that other code may use, and those set in any other way.
Proved: the loops in tests/ingest/mutations/test_mutations_beyond.py.
"""

from collections.abc import Iterator

import libcst as cst

from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.scopes import Role, Variable

MADE = (
    cst.BaseNumber,
    cst.BaseString,
    cst.Comparison,
    cst.Dict,
    cst.DictComp,
    cst.List,
    cst.ListComp,
    cst.Set,
    cst.SetComp,
)


def only_new_objects(program: ParsedProgram) -> set[Variable]:
    """Return the variables that are set only to new objects, by plain or augmented assignment."""
    nodes = program.region_nodes.of(cst.Assign, cst.AnnAssign, cst.AugAssign)
    made = {target for node in nodes for target in _made(node)}
    return {
        variable
        for variable in program.scopes.variables.values()
        if variable.scope is not None
        and not variable.is_captured
        and all(each.role == Role.LOAD or each.node in made for each in variable.occurrences)
    }


def only_parameters(program: ParsedProgram) -> set[Variable]:
    """Return the variables that are parameters and never set."""
    return {
        variable
        for variable in program.scopes.variables.values()
        if variable.roles <= {Role.PARAMETER, Role.LOAD} and Role.PARAMETER in variable.roles
    }


def _made(node: cst.CSTNode) -> Iterator[cst.Name]:
    """Yield the names that a statement sets to an object nothing else holds."""
    match node:
        case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value):
            yield from _pairs(target, value)
        case cst.AnnAssign(target=cst.Name() as target, value=value) if value is not None:
            yield from _pairs(target, value)
        case cst.AugAssign(target=cst.Name() as target):
            yield target


def _pairs(target: cst.CSTNode, value: cst.CSTNode) -> Iterator[cst.Name]:
    match target, value:
        case cst.Name(), _ if isinstance(value, MADE):
            yield target
        case cst.Tuple(), cst.Tuple() if len(target.elements) == len(value.elements):
            for one, other in zip(target.elements, value.elements, strict=True):
                yield from _pairs(one.value, other.value)
