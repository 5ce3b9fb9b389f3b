"""Which variables may stand for one object, or run code later: an over-estimate without order.

Idea: variables that an assignment, a loop or a call connects belong to one group; two groups never
share an object that can change. Scalars, which hold numbers or texts alone, belong to none.
Assumed: arguments are of Python's own types; two of them may be one object.
Refused: what may be anything at all is put into one group, with None for the world outside.
Proved: tests/ingest/mutations/test_mutations_adversary.py.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import libcst as cst

from ingest.mutations.analysis.objects.iterators import Iterators
from ingest.mutations.analysis.objects.own_types import has_foreign_types
from ingest.mutations.analysis.objects.values import Values, assigned, written
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.purity import (
    BUILTINS,
    EAGER,
    NAMED_CONSTANTS,
    NUMERIC_MODULES,
    PURE_BUILTINS,
    PURE_MODULES,
    SCALAR_BUILTINS,
    SCALAR_METHODS,
    SORTING,
    STORING,
    is_pure_origin,
)
from ingest.mutations.source.scopes import Role, Scope, Variable
from ingest.mutations.source.tree import Nodes, root_of

PLAIN = frozenset({Role.LOAD, Role.STORE, Role.AUGMENT, Role.DELETE, Role.ANNOTATE})
LITERALS = (
    cst.Integer,
    cst.Float,
    cst.Imaginary,
    cst.SimpleString,
    cst.ConcatenatedString,
    cst.FormattedString,
)
DECIDED = (cst.Is, cst.IsNot, cst.In, cst.NotIn)
"""Comparisons that give True or False, whatever is compared."""


class Aliases:
    """What is known of the objects of an entry point.

    ``scalars`` are variables that only ever hold what cannot change in place. ``iterators`` may
    hold what is used up by reading. ``late`` ones are used by code that may run after its
    statement. ``imports`` says what an imported name means, ``values`` where each variable's values
    come from. Unless all objects are ``of_own_types``, no method's name says what it does.
    """

    def __init__(self, program: ParsedProgram) -> None:
        self.program = program
        self.imports = _imports(program)
        self.of_own_types = not has_foreign_types(program)
        self._sources: dict[Variable, list[cst.BaseExpression | None]] = {}
        self._parents: dict[Variable | None, Variable | None] = {}
        self._collect(program.region_nodes)
        self.scalars = self._find_scalars()
        self.values = Values(program, self.origin)
        self.iterators = Iterators(program, self.values, self.origin).find()
        self.late = self._find_late(program.region_nodes)
        for variable, sources in self._sources.items():
            if None in sources or variable in self.late:
                self._tie(variable, [None])
        self._tie_all(program.region_nodes)

    def meet(self, some: Iterable[Variable], others: Iterable[Variable]) -> bool:
        """Say whether any of some variables may share an object with any of others."""
        groups = {self._group(each) for each in some if each not in self.scalars}
        return any(self._group(each) in groups for each in others if each not in self.scalars)

    def is_scalar(self, node: cst.BaseExpression) -> bool:
        """Say whether a value cannot change in place: a number, a string or a tuple of such."""
        return self._is_scalar(node, set(self.scalars))

    # where values come from; a source of None is anything at all

    def _collect(self, nodes: Nodes) -> None:
        for target, value in assigned(nodes):
            self._assigned(target, value)
        for loop in nodes.of(cst.For, cst.CompFor):
            self._iterated(loop.target, loop.iter)
        for name in nodes.of(cst.Name):
            self._named(name)
        for named in nodes.of(cst.AsName):
            self._assigned(named.name, None)
        for call in nodes.of(cst.Call):
            match call.func:
                case cst.Attribute(value=cst.Name() as holder, attr=cst.Name(value=method)):
                    if method in STORING:
                        for argument in call.args:
                            self._assigned(holder, argument.value)
        captured = [
            *(pattern.name for pattern in nodes.of(cst.MatchAs, cst.MatchStar)),
            *(pattern.rest for pattern in nodes.of(cst.MatchMapping)),
        ]
        for capture in captured:
            if capture is not None:
                self._assigned(capture, None)

    def _named(self, node: cst.Name) -> None:
        """Note an occurrence: parameters and what other code sets may hold anything at all."""
        occurrence = self.program.scopes.occurrence_of.get(node)
        if occurrence is None:
            return
        variable = self.program.scopes.variable_of[node]
        sources = self._sources.setdefault(variable, [])
        if variable.scope is None:
            is_fixed = self.program.trusts_builtins and variable.name in BUILTINS
        else:
            is_fixed = variable in self.imports or (
                variable.scope.within(self.program.scope) and occurrence.role in PLAIN
            )
        if not is_fixed:
            sources.append(None)

    def _assigned(self, target: cst.BaseExpression, value: cst.BaseExpression | None) -> None:
        match target:
            case cst.Name():
                variable = self.program.scopes.variable_of.get(target)
                if variable is not None:
                    self._sources.setdefault(variable, []).append(value)
            case cst.Tuple() | cst.List():
                values: Sequence[cst.BaseExpression | None] = written(target, value) or [
                    None
                ] * len(target.elements)
                for element, each in zip(target.elements, values, strict=True):
                    self._assigned(element.value, each)
            case cst.StarredElement():
                self._assigned(target.value, None)
            case cst.Subscript() | cst.Attribute():
                self._assigned(target.value, value)

    def _iterated(self, target: cst.BaseExpression, values: cst.BaseExpression) -> None:
        if self.program.calls_builtin(values, {"range"}) or isinstance(values, cst.SimpleString):
            self._assigned(target, cst.Integer("0"))
        elif (
            self.program.calls_builtin(values, {"enumerate"})
            and isinstance(target, cst.Tuple)
            and len(target.elements) == 2
        ):
            self._assigned(target.elements[0].value, cst.Integer("0"))
            self._assigned(target.elements[1].value, None)
        else:
            self._assigned(target, None)

    def origin(self, node: cst.CSTNode) -> str | None:
        """Return the module that an expression names, if it names an import."""
        root = root_of(node)
        if not isinstance(root, cst.Name):
            return None
        variable = self.program.scopes.variable_of.get(root)
        if variable is None or Role.IMPORT not in variable.roles:
            return None
        return self.imports.get(variable, "")

    def _find_scalars(self) -> frozenset[Variable]:
        """Assume every variable a scalar, then give up those that may be more.

        Of imports only what pure modules hold is taken for one.
        """
        scalars = {
            variable
            for variable in self._sources
            if (origin := self.imports.get(variable)) is None
            or origin in PURE_MODULES
            or is_pure_origin(origin)
        }
        while True:
            more = {
                variable
                for variable in scalars
                if not all(
                    source is not None and self._is_scalar(source, scalars)
                    for source in self._sources[variable]
                )
            }
            if not more:
                return frozenset(scalars)
            scalars -= more

    def _is_scalar(self, node: cst.BaseExpression, scalars: set[Variable]) -> bool:
        match node:
            case cst.Comparison():
                return self.of_own_types or isinstance(node.comparisons[0].operator, DECIDED)
            case _ if type(node) in LITERALS:
                return True
            case cst.Name():
                known = self.program.scopes.variable_of.get(node)
                return node.value in NAMED_CONSTANTS or (known is not None and known in scalars)
            case cst.UnaryOperation():
                return isinstance(node.operator, cst.Not) or self._is_scalar(
                    node.expression, scalars
                )
            case cst.BinaryOperation(operator=cst.Modulo(), left=cst.SimpleString()):
                return True
            case cst.BinaryOperation() | cst.BooleanOperation():
                return self._is_scalar(node.left, scalars) and self._is_scalar(node.right, scalars)
            case cst.IfExp():
                return self._is_scalar(node.body, scalars) and self._is_scalar(node.orelse, scalars)
            case cst.Tuple():
                return all(
                    isinstance(each, cst.Element) and self._is_scalar(each.value, scalars)
                    for each in node.elements
                )
            case cst.Subscript():
                return self._is_scalar(node.value, scalars)
            case cst.NamedExpr():
                return self._is_scalar(node.value, scalars)
            case cst.Call(func=cst.Name()):
                if self.program.calls_builtin(node, {"max", "min"}) and len(node.args) > 1:
                    return all(
                        not each.star and self._is_scalar(each.value, scalars) for each in node.args
                    )
                return self.program.calls_builtin(node, SCALAR_BUILTINS)
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value=name))):
                if (origin := self.origin(value)) is not None:
                    return origin in NUMERIC_MODULES and name != "prod"  # which may give its start
                is_plain = self.of_own_types or self._is_scalar(value, scalars)
                return name in SCALAR_METHODS and is_plain
            case _:
                return False

    def _find_late(self, nodes: Nodes) -> frozenset[Variable]:
        prompt = {id(each) for call in nodes.of(cst.Call) for each in _prompt_parts(call)}
        late: set[Variable] = set()
        for occurrence in self.program.scopes.occurrences:
            variable = self.program.scopes.variable_of[occurrence.node]
            if variable.scope is None or variable in late:
                continue
            frame: Scope | None = occurrence.scope.frame
            while frame is not None and frame is not variable.scope.frame:
                if id(frame.node) not in prompt:
                    late.add(variable)
                    break
                frame = frame.parent.frame if frame.parent is not None else None
        return frozenset(late)

    # which variables are tied to one object

    def _group(self, variable: Variable | None) -> Variable | None:
        while (parent := self._parents.get(variable, variable)) is not variable:
            variable = parent
        return variable

    def _tie(self, first: Variable | None, others: Iterable[Variable | None]) -> None:
        for other in others:
            one, two = self._group(first), self._group(other)
            if one is not two:
                self._parents[two if two is not None else one] = one if two is not None else None

    def _tie_all(self, nodes: Nodes) -> None:
        for target, value in assigned(nodes):
            self._tie_parts([target], value)
        for assignment in nodes.of(cst.Assign):
            if len(assignment.targets) > 1:  # they are one object, whatever the value carries
                self._tie_parts(assignment.targets, assignment.value)
        for loop in nodes.of(cst.For, cst.CompFor):
            self._tie_parts([loop.target], loop.iter)
        for item in nodes.of(cst.WithItem):
            if item.asname is not None:
                self._tie_parts([item.asname.name], item.item)
        for match in nodes.of(cst.Match):
            self._tie_parts([match], match.subject)
        for function in nodes.of(cst.Lambda):
            self._tie_parts([function.params], function.params)
        for call in nodes.of(cst.Call):
            if isinstance(call.func, cst.Attribute):
                for argument in call.args:
                    self._tie_parts([call.func], argument.value)
            if any(isinstance(argument.value, cst.Lambda) for argument in call.args):
                self._tie_parts([call], call)  # its parameters are what the others are, or hold

    def _tie_parts(self, some: Iterable[cst.CSTNode], other: cst.CSTNode) -> None:
        tied = [*(name for one in some for name in self._names(one)), *self._carried(other)]
        for first, second in pairwise(tied):
            self._tie(first, [second])

    def _names(self, node: cst.CSTNode) -> Iterator[Variable]:
        return (each for each in self.program.variables_in(node) if each not in self.scalars)

    def _carried(self, node: cst.CSTNode) -> Iterator[Variable | None]:
        """Yield the variables whose objects, or parts of them, a value may hold on to."""
        match node:
            case _ if type(node) in LITERALS:
                return
            case cst.Subscript() | cst.Attribute():
                yield from self._carried(node.value)
            case cst.Call() if self.is_scalar(node):
                return
            case cst.Call():
                if not self.program.calls_builtin(node, PURE_BUILTINS) and not isinstance(
                    node.func, cst.Attribute
                ):
                    yield None
                yield from self._names(node)
            case _:
                yield from self._names(node)


@lru_cache(maxsize=4)
def aliases_of(program: ParsedProgram) -> Aliases:
    """Return what is known of a program's objects, found once for all mutations."""
    return Aliases(program)


def _imports(program: ParsedProgram) -> dict[Variable, str]:
    """Return what each name means that is bound by one import and nothing else."""
    found: dict[Variable, str] = {}
    for node in program.nodes.of(cst.Import, cst.ImportFrom):
        if isinstance(node.names, cst.ImportStar):
            continue
        prefix = ""
        if isinstance(node, cst.ImportFrom):
            module = program.text(node.module) if node.module is not None else ""
            prefix = "." * len(node.relative) + module + "."
        for alias in node.names:
            name = alias.asname.name if alias.asname is not None else alias.name
            if isinstance(name, cst.Name):
                variable = program.scopes.variable_of[name]
                if all(each.role in (Role.IMPORT, Role.LOAD) for each in variable.occurrences):
                    origin = prefix + program.text(alias.name)
                    same = found.get(variable, origin) == origin
                    found[variable] = origin if same else ""
    return found


def _prompt_parts(call: cst.Call) -> Iterator[cst.CSTNode]:
    """Yield the generators and functions among a call's arguments that it is done with."""
    match call.func:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            for argument in call.args:
                is_key = argument.keyword is not None and argument.keyword.value == "key"
                drained = isinstance(argument.value, cst.GeneratorExp) and name in EAGER
                called = isinstance(argument.value, cst.Lambda) and is_key and name in SORTING
                if drained or called:
                    yield argument.value
