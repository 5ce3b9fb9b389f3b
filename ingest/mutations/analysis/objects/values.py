"""Where the values of variables come from, in a whole program: an over-estimate without order.

Idea: each variable gets a list of expressions whose value it may have, with how it comes by it.
Parameters get what the calls of their function give them, where all its calls are in sight.
Assumed: callers outside give the entry point fair arguments.
Refused: variables that other code may set are ``unknown`` and may have any value.
Proved: tests/ingest/mutations/test_mutations_adversary.py, programs written to fool these analyses.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import Enum

import libcst as cst

from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.purity import PURE_BUILTINS, READING_METHODS, STORING_PARTS
from ingest.mutations.source.scopes import BINDING, Kind, Role, Variable, all_parameters
from ingest.mutations.source.tree import Nodes, children

NOTHING_OF_NOTE = frozenset({Role.FUNCTION, Role.CLASS, Role.DELETE, Role.ANNOTATE, Role.IMPORT})
"""Roles that bind no value of another kind: a function, a class, a module."""

SCOPED = (cst.FunctionDef, cst.ClassDef, cst.Lambda)


class Transfer(Enum):
    """How a variable comes by a value.

    As it is, as a part of it, by holding on to it, or by holding on to what it holds.
    """

    WHOLE = "whole"
    PART = "part"
    HOLDS = "holds"
    HOLDS_PARTS = "holds parts"


class Values:
    """For each variable the values that it may have, and how.

    ``unknown`` variables may have any value at all; ``arguments`` are given from outside, and may
    have further values that the program itself gives them. ``results`` are what functions give
    whose calls are all in sight.
    """

    def __init__(
        self,
        program: ParsedProgram,
        origin: Callable[[cst.CSTNode], str | None],
    ) -> None:
        self.program = program
        self.ways: list[tuple[Variable, Transfer, cst.BaseExpression]] = []
        self.unknown: set[Variable] = set()
        self.results: dict[Variable, list[cst.BaseExpression]] = {}
        self._origin = origin
        self._known: set[cst.Name] = set()
        self._calls: dict[Variable, list[cst.Call]] = {}
        self._handed: dict[Variable, list[tuple[cst.Call, cst.Arg]]] = {}
        self._escaped: set[Variable] = set()
        self._followed: set[Variable] = set()
        self._find_calls()
        self.arguments = self._arguments()
        self._follow_functions()
        self._collect()
        for occurrence in program.scopes.occurrences:
            if occurrence.role in BINDING - NOTHING_OF_NOTE and occurrence.node not in self._known:
                self.unknown.add(program.scopes.variable_of[occurrence.node])
        if not program.trusts_builtins:
            self.unknown |= {each for each in program.scopes.variables.values() if not each.scope}

    def _variable(self, node: cst.CSTNode) -> Variable | None:
        return self.program.scopes.variable_of.get(node) if isinstance(node, cst.Name) else None

    def _arguments(self) -> set[Variable]:
        """Return the parameters of the entry point, whose callers outside are known to be fair."""
        region = self.program.region
        if isinstance(region, cst.Module) or region.decorators:
            return set()
        if self.program.scopes.variable_of[region.name] not in self._escaped:
            self._know(region.params)
        return {
            self.program.scopes.variable_of[each.name] for each in all_parameters(region.params)
        }

    # functions and their calls

    def _find_calls(self) -> None:
        """Note the calls of each name; a name that is read otherwise may be called anywhere."""
        seen = set()
        for node in self.program.nodes.of(cst.Call):
            if (variable := self._variable(node.func)) is not None:
                self._calls.setdefault(variable, []).append(node)
                seen.add(node.func)
            for argument in node.args:
                variable = self._variable(argument.value)
                if variable is not None and self._given(node, argument, None) is not None:
                    self._handed.setdefault(variable, []).append((node, argument))
                    seen.add(argument.value)
        for occurrence in self.program.scopes.occurrences:
            if occurrence.role == Role.LOAD and occurrence.node not in seen:
                self._escaped.add(self.program.scopes.variable_of[occurrence.node])

    def _follow_functions(self) -> None:
        """Bind the parameters of each function whose calls are all in sight."""
        for function in self.program.nodes.of(cst.FunctionDef, cst.Lambda):
            self._defaults(function.params)
            if isinstance(function, cst.FunctionDef) and not function.decorators:
                self._bind_calls(function.name, function, Role.FUNCTION)
        for node in self.program.nodes.of(cst.Assign):
            if isinstance(node.value, cst.Lambda) and len(node.targets) == 1:
                self._bind_calls(node.targets[0].target, node.value, Role.STORE)

    def _bind_calls(
        self, name: cst.CSTNode, function: cst.FunctionDef | cst.Lambda, role: Role
    ) -> None:
        variable = self._variable(name)
        if variable is None or variable.scope is None or variable.scope.kind == Kind.CLASS:
            return
        is_one = [each.role for each in variable.occurrences if each.role != Role.LOAD] == [role]
        if is_one and variable not in self._escaped:
            parameters = function.params
            self._followed.add(variable)
            self._know(parameters)
            if (given := _given_back(function)) is not None:
                self.results[variable] = given
            for call in self._calls.get(variable, []):
                self._bind(parameters, call.args)
            for call, argument in self._handed.get(variable, []):
                self._hand(parameters, self._given(call, argument, None) or [])

    def _know(self, parameters: cst.Parameters) -> None:
        self._known |= {each.name for each in all_parameters(parameters)}

    def _defaults(self, parameters: cst.Parameters) -> None:
        for each in all_parameters(parameters):
            if each.default is not None:
                self._set(each.name, each.default, Transfer.WHOLE)

    def _bind(self, parameters: cst.Parameters, arguments: Sequence[cst.Arg]) -> None:
        """Give the parameters the arguments of one call."""
        places = [*parameters.posonly_params, *parameters.params]
        names = {each.name.value: each for each in [*parameters.params, *parameters.kwonly_params]}
        rest = parameters.star_arg if isinstance(parameters.star_arg, cst.Param) else None
        if any(each.star for each in arguments):
            for parameter in all_parameters(parameters):
                for each in arguments:
                    for way in (Transfer.WHOLE, Transfer.PART, Transfer.HOLDS):
                        self._set(parameter.name, each.value, way)
            return
        place = 0
        for each in arguments:
            if each.keyword is not None:
                named = names.get(each.keyword.value)
                target, way = (
                    (named, Transfer.WHOLE) if named else (parameters.star_kwarg, Transfer.HOLDS)
                )
            else:
                inner = place < len(places)
                target, way = (places[place], Transfer.WHOLE) if inner else (rest, Transfer.HOLDS)
                place += 1
            if target is not None:
                self._set(target.name, each.value, way)

    # where values come from

    def _collect(self) -> None:
        nodes = self.program.nodes
        for target, value in assigned(nodes):
            self._set(target, value, Transfer.WHOLE)
        for loop in nodes.of(cst.For, cst.CompFor):
            self._set(loop.target, loop.iter, Transfer.PART)
        for item in nodes.of(cst.WithItem):
            if item.asname is not None:
                self._set(item.asname.name, item.item, Transfer.WHOLE)
        for match in nodes.of(cst.Match):
            self._captured(match, match.subject)
        for call in nodes.of(cst.Call):
            self._call(call)

    def _call(self, node: cst.Call) -> None:
        """Note what a call may store, and what it gives to the functions among its arguments."""
        values = [each.value for each in node.args]
        for argument in node.args:
            if isinstance(argument.value, cst.Lambda):
                given = self._given(node, argument, argument.value.body)
                if given is not None:
                    self._hand(argument.value.params, given)
            variable = self._variable(argument.value)
            is_function = variable is not None and Role.FUNCTION in variable.roles
            if is_function and variable not in self._followed:
                self._lose(values)
        match node.func:
            case cst.Name() if (
                self.program.is_builtin(node.func) and node.func.value in PURE_BUILTINS
            ):
                return
            case cst.Attribute(value=holder, attr=cst.Name(value=name)):
                if self._origin(holder) is not None:
                    self._share(values)
                elif name not in READING_METHODS:
                    for each in node.args:
                        is_parts = name in STORING_PARTS and each.keyword is None
                        self._set(
                            holder, each.value, Transfer.HOLDS_PARTS if is_parts else Transfer.HOLDS
                        )
            case cst.Lambda():
                self._know(node.func.params)
                self._bind(node.func.params, node.args)
            case cst.Name() if self._origin(node.func) is not None or self.program.is_builtin(
                node.func
            ):
                self._share(values)
            case cst.Name() if self._variable(node.func) in self._followed:
                return
            case _:
                self._lose(values)

    def _given(
        self, call: cst.Call, argument: cst.Arg, body: cst.BaseExpression | None
    ) -> list[tuple[Transfer, cst.BaseExpression]] | None:
        """Return what a call gives to a function among its arguments; None if that is not known.

        ``body`` is what the function gives back.
        """
        others = [each.value for each in call.args if each is not argument]
        parts = [(Transfer.PART, each) for each in others]
        is_key = argument.keyword is not None and argument.keyword.value == "key"
        match call.func:
            case cst.Name(value="filter" | "map") if self.program.is_builtin(call.func):
                return parts if argument is call.args[0] and not argument.star else None
            case cst.Name(value="sorted") if self.program.is_builtin(call.func) and is_key:
                return parts
            case cst.Name(value="max" | "min") if self.program.is_builtin(call.func) and is_key:
                return [*parts, *((Transfer.WHOLE, each) for each in others)]
            case cst.Attribute(value=holder, attr=cst.Name(value="sort")) if is_key:
                return [(Transfer.PART, holder)]
            case cst.Name() | cst.Attribute() if body is not None:
                name = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
                origin = self._origin(call.func) or ""
                if name.value == "reduce" and origin.startswith("functools"):
                    return [*parts, *((Transfer.WHOLE, each) for each in (*others, body))]
        return None

    def _hand(
        self, parameters: cst.Parameters, given: Sequence[tuple[Transfer, cst.BaseExpression]]
    ) -> None:
        self._know(parameters)
        for parameter in all_parameters(parameters):
            for way, value in given:
                self._set(parameter.name, value, way)

    def _share(self, values: Sequence[cst.BaseExpression]) -> None:
        """Let each of some arguments hold on to the others, as a heap to what is pushed."""
        for one in values:
            for other in values:
                if one is not other:
                    self._set(one, other, Transfer.HOLDS)

    def _lose(self, values: Sequence[cst.BaseExpression]) -> None:
        """Give up what is handed to code that may put anything into it."""
        for value in values:
            self.unknown.update(self.program.variables_in(value))

    def _set(self, target: cst.CSTNode, value: cst.BaseExpression, way: Transfer) -> None:
        match target:
            case cst.Name():
                variable = self._variable(target)
                if variable is not None:
                    self._known.add(target)
                    self.ways.append((variable, way, value))
            case cst.Tuple() | cst.List():
                values = written(target, value) if way == Transfer.WHOLE else None
                for number, element in enumerate(target.elements):
                    if values is None:
                        self._set(element.value, value, Transfer.PART)
                    else:
                        self._set(element.value, values[number], Transfer.WHOLE)
            case cst.StarredElement():
                self._set(target.value, value, Transfer.PART)
            case cst.Subscript() | cst.Attribute():
                self._set(target.value, value, _held(way))
            case _:
                for variable in self.program.variables_in(target):
                    self.ways.append((variable, _held(way), value))

    def _captured(self, node: cst.CSTNode, subject: cst.BaseExpression) -> None:
        for part in node.children:
            match part:
                case cst.MatchAs() | cst.MatchStar() if part.name is not None:
                    self._set(part.name, subject, Transfer.WHOLE)
                    self._set(part.name, subject, Transfer.PART)
                case cst.MatchMapping(rest=cst.Name() as rest):
                    self._set(rest, subject, Transfer.WHOLE)
            if not isinstance(part, cst.BaseSuite):
                self._captured(part, subject)


def _given_back(function: cst.FunctionDef | cst.Lambda) -> list[cst.BaseExpression] | None:
    """Return what a function may give back; None where it gives a generator or the like."""
    if isinstance(function, cst.Lambda):
        return [function.body]
    found: list[cst.BaseExpression] = []
    stack: list[cst.CSTNode] = [function.body]
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is cst.Yield:
            return None
        if isinstance(node, cst.Return) and node.value is not None:
            found.append(node.value)
        if kind not in SCOPED:
            stack += children(node)
    return None if function.asynchronous is not None else found


def _held(way: Transfer) -> Transfer:
    """Return how the holder comes by a value that a part of it comes by."""
    return Transfer.HOLDS_PARTS if way == Transfer.HOLDS_PARTS else Transfer.HOLDS


def assigned(nodes: Nodes) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """Yield each target of an assignment, whatever its form, with the value."""
    for node in nodes.of(cst.Assign):
        yield from ((target.target, node.value) for target in node.targets)
    for annotated in nodes.of(cst.AnnAssign):
        if annotated.value is not None:
            yield annotated.target, annotated.value
    yield from ((each.target, each.value) for each in nodes.of(cst.NamedExpr, cst.AugAssign))


def written(
    target: cst.Tuple | cst.List, value: cst.BaseExpression | None
) -> list[cst.BaseExpression] | None:
    """Return the values that are written out for the elements of a target, one for each."""
    if not isinstance(value, cst.Tuple | cst.List) or len(value.elements) != len(target.elements):
        return None
    parts = [*value.elements, *target.elements]
    if any(isinstance(each, cst.StarredElement) for each in parts):
        return None
    return [each.value for each in value.elements]
