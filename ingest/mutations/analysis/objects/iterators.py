"""Which variables may be, or hold, what is used up by being read: an over-estimate.

The lattice: two truths for each variable, whether it may be an iterator and whether it may hold
one; both start false, and are set until nothing changes.
Assumed: the arguments of the entry point neither are nor hold iterators.
Refused: the result of a function that is not known may be both. Proved: the programs with
iterators in tests/ingest/mutations/test_mutations_adversary.py.
"""

from collections.abc import Callable, Iterable

import libcst as cst

from ingest.mutations.analysis.objects.values import Transfer, Values
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.purity import (
    CONTAINER_IMPORTS,
    CONTAINERS,
    HANDING_MODULES,
    KEEPING_METHODS,
    LAZY,
    LAZY_METHODS,
    NUMBERS_OF_MODULES,
    NUMERIC_MODULES,
    PURE_BUILTINS,
    PURE_MODULES,
    SCALAR_BUILTINS,
    SCALAR_METHODS,
    is_pure_origin,
)
from ingest.mutations.source.scopes import Role, Variable
from ingest.mutations.source.tree import inside, root_of

Known = tuple[bool, bool]
"""Whether a value may be what is used up, and whether it may hold such."""

NOT, BOTH = (False, False), (True, True)
PLAIN = (
    cst.BaseNumber,
    cst.BaseString,
    cst.Comparison,
    cst.Ellipsis,
    cst.SetComp,
    cst.UnaryOperation,
)


class Iterators:
    """The variables of a program by what they may be and what they may hold.

    The arguments of the entry point are assumed to be, and to hold, nothing that is used up.
    """

    def __init__(
        self, program: ParsedProgram, values: Values, origin: Callable[[cst.CSTNode], str | None]
    ) -> None:
        self._program = program
        self._origin = origin
        self._values = values
        self._results: dict[Variable, Known] = {}
        self._known: dict[Variable, Known] = dict.fromkeys(values.unknown, BOTH)
        self._known |= dict.fromkeys(self._imported(), BOTH)

    def find(self) -> frozenset[Variable]:
        """Return the variables that may be, or hold, what is used up by being read.

        What one name of an object holds, the others hold too.
        """
        changed = True
        while changed:
            changed = False
            for variable, way, value in self._values.ways:
                before = self._known.get(variable, NOT)
                after = _either([before, self._through(way, value)])
                if after != before:
                    self._known[variable] = after
                    changed = True
                if after[1]:
                    for other in self._program.variables_in(value):
                        if other.scope is not None and not self._known.get(other, NOT)[1]:
                            self._known[other] = (self._known.get(other, NOT)[0], True)
                            changed = True
            for variable, given in self._values.results.items():
                result = _either(self._of(each) for each in given)
                if result != self._results.get(variable, NOT):
                    self._results[variable] = result
                    changed = True
        return frozenset(variable for variable, known in self._known.items() if any(known))

    def _imported(self) -> Iterable[Variable]:
        """Yield the imported names that are read, but for what they name of modules known here."""
        scopes = self._program.scopes
        called = {
            id(root)
            for node in self._program.nodes.of(cst.Call, cst.Annotation, cst.Attribute)
            for root in _roots(self._program, node)
        }
        for occurrence in scopes.occurrences:
            variable = scopes.variable_of[occurrence.node]
            if occurrence.role != Role.LOAD or Role.IMPORT not in variable.roles:
                continue
            origin = self._origin(occurrence.node) or ""
            is_known = origin in PURE_MODULES or is_pure_origin(origin)
            if not is_known and id(occurrence.node) not in called:
                yield variable

    def _through(self, way: Transfer, value: cst.BaseExpression) -> Known:
        known = self._of(value)
        if way == Transfer.WHOLE:
            return known
        if way == Transfer.PART:
            return known[1], known[1]
        return False, any(known) if way == Transfer.HOLDS else known[1]

    # what a value may be

    def _of(self, node: cst.CSTNode) -> Known:
        match node:
            case cst.Name():
                variable = self._program.scopes.variable_of.get(node)
                return NOT if variable is None else self._known.get(variable, NOT)
            case cst.GeneratorExp():
                return True, any(self._of(node.elt))
            case cst.ListComp() | cst.SetComp():
                return False, any(self._of(node.elt))
            case cst.DictComp():
                return False, any(self._of(node.value))
            case cst.List() | cst.Tuple() | cst.Set() | cst.Dict():
                return False, any(_either(self._of(each) for each in node.elements))
            case cst.Element() | cst.DictElement() | cst.NamedExpr():
                return self._of(node.value)
            case cst.StarredElement() | cst.StarredDictElement():
                return False, self._of(node.value)[1]
            case cst.IfExp():
                return _either([self._of(node.body), self._of(node.orelse)])
            case cst.BooleanOperation() | cst.BinaryOperation():
                return _either([self._of(node.left), self._of(node.right)])
            case cst.Subscript() | cst.Attribute():
                holds = self._of(node.value)[1]
                return holds, holds
            case cst.Lambda():
                held = any(self._of(node.body))
                return held, held
            case cst.Call():
                return self._of_call(node)
            case cst.FormattedString() | cst.ConcatenatedString():
                return NOT
            case _:
                return NOT if isinstance(node, PLAIN) else BOTH

    def _of_call(self, node: cst.Call) -> Known:
        values = [each.value for each in node.args if not _is_key(each)]
        holds = any(self._of(each)[1] for each in values)
        match node.func:
            case cst.Name(value=name) if self._program.is_builtin(node.func):
                if name == "map":
                    holds = holds or not values or any(self._result_of(values[0]))
                if name in LAZY:
                    return True, holds
                if name in ("max", "min") and len(values) > 1:
                    holds = holds or any(self._of(each)[0] for each in values)
                if name in SCALAR_BUILTINS:
                    return NOT
                if name in CONTAINERS:
                    named = (each.value for each in node.args if each.keyword is not None)
                    return False, holds or any(_either(self._of(each) for each in named))
                return (holds, holds) if name in PURE_BUILTINS else BOTH
            case cst.Name() if self._variable_of(node.func) in self._values.results:
                variable = self._variable_of(node.func)
                return self._results.get(variable, NOT) if variable is not None else BOTH
            case cst.Name() | cst.Attribute() if self._makes_container(node.func):
                return False, holds
            case cst.Attribute(value=value, attr=cst.Name(value=name)):
                origin = self._origin(value)
                if origin is not None and origin not in PURE_MODULES | HANDING_MODULES:
                    return BOTH
                if origin in HANDING_MODULES | NUMERIC_MODULES:
                    return holds or name in LAZY_METHODS, holds
                if name not in KEEPING_METHODS:
                    return BOTH
                if name in SCALAR_METHODS:
                    return NOT
                given = _either(self._of(each) for each in values)
                holds = self._of(value)[1] or any(given)
                return holds, holds
            case _:
                return BOTH

    def _result_of(self, function: cst.BaseExpression) -> Known:
        """Return what a function gives that ``map`` calls."""
        match function:
            case cst.Lambda():
                return self._of(function.body)
            case cst.Name() if self._program.is_builtin(function):
                return NOT if function.value in PURE_BUILTINS - LAZY else BOTH
            case cst.Attribute():
                return NOT if function.attr.value in KEEPING_METHODS else BOTH
            case _:
                return BOTH

    def _variable_of(self, node: cst.Name) -> Variable | None:
        return self._program.scopes.variable_of.get(node)

    def _makes_container(self, function: cst.BaseExpression) -> bool:
        origin = self._origin(function) or ""
        if isinstance(function, cst.Attribute):
            origin += f".{function.attr.value}"
        return origin in CONTAINER_IMPORTS


def _is_key(argument: cst.Arg) -> bool:
    return argument.keyword is not None and argument.keyword.value == "key"


def _roots(program: ParsedProgram, node: cst.CSTNode) -> Iterable[cst.CSTNode]:
    """Yield the names whose reading gives nothing that is used up: of what is called or noted."""
    match node:
        case cst.Call():
            yield root_of(node.func)
        case cst.Annotation():
            yield from (part for part in inside(node))
        case cst.Attribute() if program.text(node) in NUMBERS_OF_MODULES:
            yield node.value


def _either(known: Iterable[Known]) -> Known:
    found = list(known)
    return any(each for each, _ in found), any(each for _, each in found)
