"""Which variables may be, or hold, what is used up by being read: an over-estimate."""

from collections.abc import Callable, Iterable
from enum import Enum

import libcst as cst

from ingest.mutations.program import Program
from ingest.mutations.purity import (
    CONTAINER_IMPORTS,
    CONTAINERS,
    HANDING_MODULES,
    LAZY,
    LAZY_METHODS,
    PURE_BUILTINS,
    PURE_MODULES,
    SCALAR_BUILTINS,
    STORING,
    STORING_PARTS,
)
from ingest.mutations.scopes import Variable


class Way(Enum):
    """How a variable comes by a value: as it is, as a part of it, or by holding on to it."""

    WHOLE = "whole"
    PART = "part"
    HOLDS = "holds"


Known = tuple[bool, bool]
"""Whether a value may be what is used up, and whether it may hold such."""

NOT, BOTH = (False, False), (True, True)


class Iterators:
    """The variables of an entry point by what they may be and what they may hold."""

    def __init__(
        self,
        program: Program,
        origin: Callable[[cst.CSTNode], str | None],
        trusts_builtins: bool,
    ) -> None:
        self._program = program
        self._origin = origin
        self._trusts_builtins = trusts_builtins
        self._ways: list[tuple[Variable, Way, cst.BaseExpression]] = []
        self._known: dict[Variable, Known] = {}

    def find(self, nodes: Iterable[cst.CSTNode]) -> frozenset[Variable]:
        """Return the variables that may be, or hold, what is used up by being read."""
        for node in nodes:
            self._collect(node)
        changed = True
        while changed:
            changed = False
            for variable, way, value in self._ways:
                before = self._known.get(variable, NOT)
                after = _either([before, self._through(way, value)])
                if after != before:
                    self._known[variable] = after
                    changed = True
        return frozenset(variable for variable, known in self._known.items() if any(known))

    def _through(self, way: Way, value: cst.BaseExpression) -> Known:
        known = self._of(value)
        if way == Way.WHOLE:
            return known
        return (known[1], known[1]) if way == Way.PART else (False, any(known))

    # where values come from

    def _collect(self, node: cst.CSTNode) -> None:
        match node:
            case cst.Assign():
                for target in node.targets:
                    self._set(target.target, node.value, Way.WHOLE)
            case cst.AnnAssign(value=cst.BaseExpression() as value):
                self._set(node.target, value, Way.WHOLE)
            case cst.NamedExpr() | cst.AugAssign():
                self._set(node.target, node.value, Way.WHOLE)
            case cst.For() | cst.CompFor():
                self._set(node.target, node.iter, Way.PART)
            case cst.WithItem(asname=cst.AsName(name=target)):
                self._set(target, node.item, Way.WHOLE)
            case cst.Match():
                self._captured(node, node.subject)
            case cst.Call(func=cst.Attribute(value=holder, attr=cst.Name(value=name))):
                for argument in node.args:
                    if name in STORING:
                        self._set(holder, argument.value, Way.HOLDS)
                    elif name in STORING_PARTS:
                        self._set(holder, argument.value, Way.WHOLE)

    def _set(self, target: cst.BaseExpression, value: cst.BaseExpression, way: Way) -> None:
        match target:
            case cst.Name():
                variable = self._program.scopes.variable_of.get(target)
                if variable is not None:
                    self._ways.append((variable, way, value))
            case cst.Tuple() | cst.List():
                values = _written(target, value) if way == Way.WHOLE else None
                for number, element in enumerate(target.elements):
                    if values is None:
                        self._set(element.value, value, Way.PART)
                    else:
                        self._set(element.value, values[number], Way.WHOLE)
            case cst.StarredElement():
                self._set(target.value, value, Way.PART)
            case cst.Subscript() | cst.Attribute():
                self._set(target.value, value, Way.HOLDS)

    def _captured(self, node: cst.CSTNode, subject: cst.BaseExpression) -> None:
        for part in node.children:
            match part:
                case cst.MatchAs() | cst.MatchStar() if part.name is not None:
                    self._set(part.name, subject, Way.WHOLE)
                    self._set(part.name, subject, Way.PART)
                case cst.MatchMapping(rest=cst.Name() as rest):
                    self._set(rest, subject, Way.WHOLE)
            if not isinstance(part, cst.BaseSuite):
                self._captured(part, subject)

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
                return self._of(node.body)
            case cst.Await():
                return BOTH
            case cst.Call():
                return self._of_call(node)
            case _:
                return NOT

    def _of_call(self, node: cst.Call) -> Known:
        values = [argument.value for argument in node.args]
        holds = any(self._of(each)[1] for each in values)
        match node.func:
            case cst.Name(value=name) if self._is_builtin(node.func):
                if name == "map":
                    holds = holds or not values or any(self._result_of(values[0]))
                if name in LAZY:
                    return True, holds
                if name in SCALAR_BUILTINS:
                    return NOT
                if name in CONTAINERS:
                    named = (each.value for each in node.args if each.keyword is not None)
                    return False, holds or any(_either(self._of(each) for each in named))
                return (holds, holds) if name in PURE_BUILTINS else BOTH
            case cst.Name() | cst.Attribute() if self._makes_container(node.func):
                return False, holds
            case cst.Attribute(value=value, attr=cst.Name(value=name)):
                origin = self._origin(value)
                if origin is not None and origin not in PURE_MODULES | HANDING_MODULES:
                    return BOTH
                holds = holds or self._of(value)[1]
                handed_on = name == "fromkeys" and any(_either(self._of(each) for each in values))
                return holds or name in LAZY_METHODS, holds or handed_on
            case _:
                return BOTH

    def _result_of(self, function: cst.BaseExpression) -> Known:
        """Return what a function gives that ``map`` calls."""
        match function:
            case cst.Lambda():
                return self._of(function.body)
            case cst.Name() if self._is_builtin(function):
                is_plain = function.value in PURE_BUILTINS - LAZY
                return NOT if is_plain else BOTH
            case cst.Attribute():
                return NOT if function.attr.value not in LAZY_METHODS else BOTH
            case _:
                return BOTH

    def _makes_container(self, function: cst.BaseExpression) -> bool:
        origin = self._origin(function) or ""
        if isinstance(function, cst.Attribute):
            origin += f".{function.attr.value}"
        return origin in CONTAINER_IMPORTS

    def _is_builtin(self, node: cst.Name) -> bool:
        return self._trusts_builtins and self._program.scopes.is_free(node)


def _either(known: Iterable[Known]) -> Known:
    found = list(known)
    return any(each for each, _ in found), any(each for _, each in found)


def _written(
    target: cst.Tuple | cst.List, value: cst.BaseExpression
) -> list[cst.BaseExpression] | None:
    """Return the values that are written out for the elements of a target, one for each."""
    if not isinstance(value, cst.Tuple | cst.List) or len(value.elements) != len(target.elements):
        return None
    parts = [*value.elements, *target.elements]
    if any(isinstance(each, cst.StarredElement) for each in parts):
        return None
    return [each.value for each in value.elements]
