"""The scopes of a program and what each name in it means, by Python's own rules of scope.

Idea: one walk notes what each scope binds and where each name occurs; then each name is looked up
as Python does. libCST's own scopes leave out the names that ``match`` sets, private names of
classes and names that Python normalises. They give a walrus to its comprehension. Refused: type
parameters. Proved: tests/ingest/mutations/test_mutations_flow.py, against ``symtable``.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import libcst as cst

from ingest.mutations.source.tree import children, root_of


class Kind(StrEnum):
    """What opens a scope. A generator's body runs later; a comprehension's at once."""

    MODULE = "module"
    FUNCTION = "function"
    LAMBDA = "lambda"
    CLASS = "class"
    COMPREHENSION = "comprehension"
    GENERATOR = "generator"


class Role(StrEnum):
    """What an occurrence of a name does."""

    LOAD = "load"
    STORE = "store"
    AUGMENT = "augment"
    DELETE = "delete"
    ANNOTATE = "annotate"
    PARAMETER = "parameter"
    IMPORT = "import"
    FUNCTION = "function"
    CLASS = "class"
    DECLARE = "declare"


BINDING = frozenset(Role) - {Role.LOAD, Role.DECLARE}


@dataclass(eq=False)
class Scope:
    """A scope; ``binds`` are the names it makes its own, before any declaration."""

    kind: Kind
    node: cst.CSTNode
    parent: "Scope | None"
    binds: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    star_import: bool = False
    unsupported: bool = False

    @property
    def frame(self) -> "Scope":
        """The scope whose code runs as one piece with this one's: a comprehension's is outside."""
        if self.kind == Kind.COMPREHENSION and self.parent is not None:
            return self.parent.frame
        return self

    def within(self, outer: "Scope") -> bool:
        """Say whether this scope is another, or inside it."""
        scope: Scope | None = self
        while scope is not None and scope is not outer:
            scope = scope.parent
        return scope is outer


@dataclass(eq=False)
class Occurrence:
    """A name in the text, and the one Python takes it for.

    ``shown`` names are in an f-string that prints its own source.
    """

    node: cst.Name
    name: str
    scope: Scope
    role: Role
    shown: bool = False


@dataclass(eq=False)
class Variable:
    """A name of one scope; ``scope`` is None where no scope of the program binds it."""

    name: str
    scope: Scope | None
    occurrences: list[Occurrence] = field(default_factory=list)

    @property
    def roles(self) -> set[Role]:
        """All that its occurrences do."""
        return {occurrence.role for occurrence in self.occurrences}

    @property
    def is_captured(self) -> bool:
        """Whether code that may run at another time uses it, or another class's body."""
        home = self.scope.frame if self.scope is not None else None
        return any(occurrence.scope.frame is not home for occurrence in self.occurrences)


@dataclass(eq=False)
class Scopes:
    """Every scope, and every name with its variable, in the order of the text's structure."""

    all: list[Scope]
    occurrences: list[Occurrence]
    of_node: dict[cst.CSTNode, Scope]
    variables: dict[tuple[Scope | None, str], Variable]
    variable_of: dict[cst.Name, Variable]
    occurrence_of: dict[cst.Name, Occurrence]

    def is_free(self, node: cst.Name) -> bool:
        """Say whether no scope of the program binds a name: a builtin, if anything."""
        variable = self.variable_of.get(node)
        return variable is not None and variable.scope is None


def bind(module: cst.Module) -> Scopes:
    """Return the scopes of a program."""
    binder = _Binder(module)
    variables: dict[tuple[Scope | None, str], Variable] = {}
    variable_of: dict[cst.Name, Variable] = {}
    for occurrence in binder.occurrences:
        owner = _owner(occurrence.scope, occurrence.name, binder.top)
        variable = variables.setdefault((owner, occurrence.name), Variable(occurrence.name, owner))
        variable.occurrences.append(occurrence)
        variable_of[occurrence.node] = variable
    return Scopes(
        all=binder.scopes,
        occurrences=binder.occurrences,
        of_node={scope.node: scope for scope in binder.scopes},
        variables=variables,
        variable_of=variable_of,
        occurrence_of={occurrence.node: occurrence for occurrence in binder.occurrences},
    )


def _owner(scope: Scope, name: str, top: Scope) -> Scope | None:
    """Return the scope that a name used in one belongs to."""
    first: Scope | None = scope
    looking = scope
    if name in scope.nonlocals and scope.parent is not None:
        looking, first = scope.parent, None
    elif name in scope.globals:
        return top if name in top.binds else None
    while True:
        if name in looking.globals and (looking.kind != Kind.CLASS or looking is first):
            break
        own = name in looking.binds and name not in looking.nonlocals
        if own and (looking.kind != Kind.CLASS or looking is first):
            return looking
        if looking.parent is None:
            break
        looking = looking.parent
    return top if name in top.binds else None


def _meant(name: str, scope: Scope) -> str:
    """Return the name that Python takes a written one for: inside classes some are private."""
    if not name.isascii():
        name = unicodedata.normalize("NFKC", name)
    if name.startswith("__") and not name.endswith("__"):
        around: Scope | None = scope
        while around is not None:
            if isinstance(around.node, cst.ClassDef):
                holder = _meant(around.node.name.value.lstrip("_"), around)
                return f"_{holder}{name}" if holder else name
            around = around.parent
    return name


class _Binder:
    """Visits a program once, noting what each scope binds and where each name occurs."""

    def __init__(self, module: cst.Module) -> None:
        self.scopes: list[Scope] = []
        self.occurrences: list[Occurrence] = []
        self.shown = False
        self.top = self._open(Kind.MODULE, module, None)
        self._all(module.body, self.top)
        # a global statement makes the name the module's, whether or not the module binds it
        for scope in self.scopes:
            self.top.binds |= scope.globals

    def _open(self, kind: Kind, node: cst.CSTNode, parent: Scope | None) -> Scope:
        scope = Scope(kind, node, parent)
        self.scopes.append(scope)
        return scope

    def _note(self, node: cst.Name, scope: Scope, role: Role) -> None:
        name = _meant(node.value, scope)
        self.occurrences.append(Occurrence(node, name, scope, role, self.shown))
        if role in BINDING:
            scope.binds.add(name)

    def _all(self, nodes: Iterable[cst.CSTNode], scope: Scope) -> None:
        for node in nodes:
            self._visit(node, scope)

    def _visit(self, node: cst.CSTNode | cst.MaybeSentinel | None, scope: Scope) -> None:
        """Visit a node by what it binds: a scope, a target, an import, a pattern, or nothing.

        ``match`` would ask one class after the other, and abstract classes answer slowly.
        """
        if node is None or isinstance(node, cst.MaybeSentinel):
            return
        visit = _VISITS.get(node.__class__)
        if visit is None:
            self._all(children(node), scope)
        else:
            visit(self, node, scope)

    def _load(self, node: cst.Name, scope: Scope) -> None:
        self._note(node, scope, Role.LOAD)

    def _value(self, node: cst.Attribute | cst.Arg, scope: Scope) -> None:
        self._visit(node.value, scope)

    def _lambda(self, node: cst.Lambda, scope: Scope) -> None:
        inner = self._open(Kind.LAMBDA, node, scope)
        self._parameters(node.params, scope, inner)
        self._visit(node.body, inner)

    def _formatted(self, node: cst.FormattedStringExpression, scope: Scope) -> None:
        before = self.shown
        self.shown = before or node.equal is not None
        self._all(children(node), scope)
        self.shown = before

    def _type_alias(self, node: cst.TypeAlias, scope: Scope) -> None:
        scope.unsupported = True

    def _assign(self, node: cst.AssignTarget, scope: Scope) -> None:
        self._target(node.target, scope, Role.STORE)

    def _augment(self, node: cst.AugAssign, scope: Scope) -> None:
        self._target(node.target, scope, Role.AUGMENT)
        self._visit(node.value, scope)

    def _annotate(self, node: cst.AnnAssign, scope: Scope) -> None:
        role = Role.ANNOTATE if node.value is None else Role.STORE
        self._target(node.target, scope, role)
        self._visit(node.annotation, scope)
        self._visit(node.value, scope)

    def _for(self, node: cst.For, scope: Scope) -> None:
        self._target(node.target, scope, Role.STORE)
        self._all([node.iter, node.body], scope)
        self._visit(node.orelse, scope)

    def _delete(self, node: cst.Del, scope: Scope) -> None:
        self._target(node.target, scope, Role.DELETE)

    def _as_name(self, node: cst.AsName, scope: Scope) -> None:
        self._target(node.name, scope, Role.STORE)

    def _pattern(
        self,
        node: cst.MatchAs | cst.MatchStar | cst.MatchMapping | cst.MatchKeywordElement,
        scope: Scope,
    ) -> None:
        match node:
            case cst.MatchAs() | cst.MatchKeywordElement():
                self._visit(node.pattern, scope)
            case cst.MatchMapping():
                self._all(node.elements, scope)
        if not isinstance(node, cst.MatchKeywordElement):
            name = node.rest if isinstance(node, cst.MatchMapping) else node.name
            if name is not None:
                self._note(name, scope, Role.STORE)

    def _declare(self, node: cst.Global | cst.Nonlocal, scope: Scope) -> None:
        for item in node.names:
            self._note(item.name, scope, Role.DECLARE)
            declared = self.occurrences[-1].name
            (scope.globals if isinstance(node, cst.Global) else scope.nonlocals).add(declared)

    def _walrus(self, node: cst.NamedExpr, scope: Scope) -> None:
        """Note the target in its scope, as one that the scope around comprehensions binds."""
        holder = scope
        while holder.kind in (Kind.COMPREHENSION, Kind.GENERATOR) and holder.parent:
            holder = holder.parent
        self._visit(node.value, scope)
        assert isinstance(node.target, cst.Name)
        self._note(node.target, scope, Role.STORE)
        if holder is not scope:
            name = self.occurrences[-1].name
            holder.binds.add(name)
            inner: Scope | None = scope
            while inner is not None and inner is not holder:
                inner.nonlocals.add(name)
                inner = inner.parent

    def _target(self, node: cst.CSTNode, scope: Scope, role: Role) -> None:
        match node:
            case cst.Name():
                self._note(node, scope, role)
            case cst.Tuple() | cst.List():
                for element in node.elements:
                    self._target(element.value, scope, role)
            case cst.StarredElement():
                self._target(node.value, scope, role)
            case _:
                self._visit(node, scope)

    def _function(self, node: cst.FunctionDef, scope: Scope) -> None:
        if node.type_parameters is not None:
            scope.unsupported = True
        self._all(node.decorators, scope)
        self._note(node.name, scope, Role.FUNCTION)
        inner = self._open(Kind.FUNCTION, node, scope)
        self._parameters(node.params, scope, inner)
        self._visit(node.returns, scope)
        self._visit(node.body, inner)

    def _parameters(self, parameters: cst.Parameters, scope: Scope, inner: Scope) -> None:
        for parameter in all_parameters(parameters):
            self._visit(parameter.annotation, scope)
            self._visit(parameter.default, scope)
            self._note(parameter.name, inner, Role.PARAMETER)

    def _class(self, node: cst.ClassDef, scope: Scope) -> None:
        if node.type_parameters is not None:
            scope.unsupported = True
        self._all(node.decorators, scope)
        self._all([*node.bases, *node.keywords], scope)
        self._note(node.name, scope, Role.CLASS)
        self._visit(node.body, self._open(Kind.CLASS, node, scope))

    def _comprehension(self, node: cst.BaseComp, scope: Scope) -> None:
        lazy = isinstance(node, cst.GeneratorExp)
        inner = self._open(Kind.GENERATOR if lazy else Kind.COMPREHENSION, node, scope)
        clause: cst.CompFor | None = node.for_in
        outer = scope
        while clause is not None:
            self._visit(clause.iter, outer)
            self._target(clause.target, inner, Role.STORE)
            self._all(clause.ifs, inner)
            clause, outer = clause.inner_for_in, inner
        if isinstance(node, cst.DictComp):
            self._all([node.key, node.value], inner)
        elif isinstance(node, cst.BaseSimpleComp):
            self._visit(node.elt, inner)

    def _imports(self, node: cst.Import | cst.ImportFrom, scope: Scope) -> None:
        if isinstance(node.names, cst.ImportStar):
            scope.star_import = True
            return
        for alias in node.names:
            name = alias.asname.name if alias.asname is not None else root_of(alias.name)
            if isinstance(name, cst.Name):
                self._note(name, scope, Role.IMPORT)


_VISITS: dict[type, Callable[[_Binder, Any, Scope], None]] = {
    cst.Name: _Binder._load,
    **dict.fromkeys((cst.Attribute, cst.Arg), _Binder._value),
    cst.FunctionDef: _Binder._function,
    cst.Lambda: _Binder._lambda,
    cst.ClassDef: _Binder._class,
    **dict.fromkeys(
        (cst.GeneratorExp, cst.ListComp, cst.SetComp, cst.DictComp), _Binder._comprehension
    ),
    **dict.fromkeys((cst.Import, cst.ImportFrom), _Binder._imports),
    **dict.fromkeys((cst.Global, cst.Nonlocal), _Binder._declare),
    cst.FormattedStringExpression: _Binder._formatted,
    **dict.fromkeys(
        (cst.MatchAs, cst.MatchStar, cst.MatchMapping, cst.MatchKeywordElement), _Binder._pattern
    ),
    cst.TypeAlias: _Binder._type_alias,
    cst.AssignTarget: _Binder._assign,
    cst.AugAssign: _Binder._augment,
    cst.AnnAssign: _Binder._annotate,
    cst.For: _Binder._for,
    cst.Del: _Binder._delete,
    cst.AsName: _Binder._as_name,
    cst.NamedExpr: _Binder._walrus,
}
"""How a node is visited, by its class; of a node of any other class the parts are."""


def all_parameters(parameters: cst.Parameters) -> Iterator[cst.Param]:
    """Yield the parameters of a function, in the order of the text."""
    yield from parameters.posonly_params
    yield from parameters.params
    if isinstance(parameters.star_arg, cst.Param):
        yield parameters.star_arg
    yield from parameters.kwonly_params
    if parameters.star_kwarg is not None:
        yield parameters.star_kwarg
