"""What a statement reads, sets and changes in place; whether that can be known at all.

Idea: every name in a statement is used, assigned or changed; a store or a method changes the
object it is made on. Two statements are independent if neither changes what the other uses.
Assumed: comparing, adding or indexing arguments changes nothing.
Refused: jumps, definitions, context managers, calls of what is not known (``Unknown``).
Proved: tests/ingest/mutations/test_mutations_adversary.py, test_mutations_properties.py.
"""

from dataclasses import dataclass, field

import libcst as cst

from ingest.mutations.analysis.objects.aliases import Aliases
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.purity import (
    CALLBACKS,
    INPUT_OUTPUT,
    PURE_BUILTINS,
    PURE_TYPES,
    READING_METHODS,
    is_pure_origin,
)
from ingest.mutations.source.scopes import Role, Variable
from ingest.mutations.source.tree import inside, root_of

JUMPS = (
    cst.Return,
    cst.Break,
    cst.Continue,
    cst.Raise,
    cst.Yield,
    cst.Await,
    cst.Del,
    cst.Global,
    cst.Nonlocal,
    cst.Import,
    cst.ImportFrom,
    cst.Assert,
)
LEAVING = (cst.Assert, cst.Break, cst.Continue, cst.Raise, cst.Return)
"""Jumps that end what comes after them, and change nothing."""

IN_PLACE = (
    cst.AddAssign,
    cst.BitAndAssign,
    cst.BitOrAssign,
    cst.BitXorAssign,
    cst.MultiplyAssign,
    cst.SubtractAssign,
)
NAMED_ITEMS = frozenset({"Counter", "OrderedDict", "dict", "format", "update"})
"""What takes any name for an argument, and calls none."""

DEFINITIONS = (cst.FunctionDef, cst.ClassDef)
IDLE = (cst.Pass, cst.SimpleString, cst.ConcatenatedString, cst.Ellipsis)


class Unknown(Exception):
    """A statement whose effects are not known; ``code`` and ``why`` are those of a refusal."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code
        self.why = why


@dataclass(frozen=True)
class Effects:
    """Variables by what happens to them; ``changed`` ones are also assigned and used.

    Of the changed ones, those in ``within`` may have changed in what they hold, too, and those in
    ``written`` by more than being read.
    """

    used: set[Variable] = field(default_factory=set)
    assigned: set[Variable] = field(default_factory=set)
    changed: set[Variable] = field(default_factory=set)
    within: set[Variable] = field(default_factory=set)
    written: set[Variable] = field(default_factory=set)


def effects_of(program: ParsedProgram, aliases: Aliases, statement: cst.CSTNode) -> Effects:
    """Return a statement's effects; raises Unknown."""
    return _Collector(program, aliases).collect(statement)


def effects_of_body(program: ParsedProgram, aliases: Aliases, body: cst.BaseSuite) -> Effects:
    """Return what a block does at most, wherever it is left; raises Unknown."""
    collector = _Collector(program, aliases)
    collector.may_leave = True
    for statement in body.body:
        collector.walk(statement)
    return collector.effects


def independent(one: Effects, other: Effects, aliases: Aliases) -> bool:
    """Say whether two statements may run in either order."""
    if one.assigned & (other.used | other.assigned) or other.assigned & one.used:
        return False
    return not (aliases.meet(one.changed, other.used) or aliases.meet(other.changed, one.used))


class _Collector:
    def __init__(self, program: ParsedProgram, aliases: Aliases) -> None:
        self.program = program
        self.aliases = aliases
        self.effects = Effects()
        self.reads_insert = "defaultdict" in program.words or not aliases.of_own_types
        self.may_leave = False

    def collect(self, statement: cst.CSTNode) -> Effects:
        if _is_idle(statement):
            raise Unknown("no_effect", "a statement without effect")
        self.walk(statement)
        return self.effects

    def walk(self, statement: cst.CSTNode) -> None:
        """Add what one statement does."""
        for node in inside(statement):
            if not (self.may_leave and type(node) in LEAVING):
                self._node(node)
            if self.reads_insert:
                self._looked_up(node)

    def _node(self, node: cst.CSTNode) -> None:
        match node:
            case cst.Name():
                self._name(node)
            case _ if type(node) in JUMPS:
                raise Unknown("jump", f"contains {type(node).__name__.lower()}")
            case _ if type(node) in DEFINITIONS:
                raise Unknown("definition", "defines a function or a class")
            case cst.With():
                raise Unknown("with", "enters a context manager")
            case cst.For() | cst.CompFor() if node.asynchronous is not None:
                raise Unknown("jump", "contains async")
            case cst.AugAssign(target=cst.Name() as target):
                if _is_in_place(node):
                    self.effects.written.add(self._variable(target))
            case cst.AssignTarget() | cst.AugAssign() | cst.AnnAssign() | cst.For() | cst.CompFor():
                self._target(node.target)
            case cst.Call():
                self._call(node)

    def _looked_up(self, node: cst.CSTNode) -> None:
        """Note what may change by having something looked up in it, as a format does it too."""
        match node:
            case cst.Subscript():
                self._change(node.value)
            case cst.BinaryOperation(operator=cst.Modulo()):
                self._change(node.right)
            case cst.AugAssign(operator=cst.ModuloAssign()):
                self._change(node.value)
            case cst.Call(func=cst.Attribute()):
                for argument in node.args:
                    self._change(argument.value)
            case cst.Attribute() if not self.aliases.of_own_types:
                root = root_of(node)
                if not isinstance(root, cst.Name) or Role.IMPORT not in self._variable(root).roles:
                    self._change(node.value)

    def _name(self, node: cst.Name) -> None:
        occurrence = self.program.scopes.occurrence_of.get(node)
        if occurrence is None:
            return
        variable = self.program.scopes.variable_of[node]
        if occurrence.role in (Role.LOAD, Role.AUGMENT):
            self.effects.used.add(variable)
            if variable in self.aliases.iterators:
                self._changed(variable)
        if occurrence.role in (Role.STORE, Role.AUGMENT, Role.ANNOTATE):
            if variable in self.aliases.late:
                raise Unknown("captured", f"sets {variable.name}, which a nested scope uses")
            self.effects.assigned.add(variable)
        if occurrence.role == Role.AUGMENT and variable not in self.aliases.scalars:
            self._changed(variable)

    def _changed(self, variable: Variable) -> None:
        self.effects.used.add(variable)
        self.effects.assigned.add(variable)
        self.effects.changed.add(variable)

    def _target(self, node: cst.CSTNode) -> None:
        """Note what a store into an object changes."""
        match node:
            case cst.Attribute() | cst.Subscript():
                self._change(node.value)
            case cst.Tuple() | cst.List():
                for element in node.elements:
                    self._target(element.value)
            case cst.StarredElement():
                self._target(node.value)

    def _change(self, node: cst.CSTNode, is_written: bool = True) -> None:
        """Note that every name in an expression may stand for an object that changes."""
        for part in inside(node):
            if isinstance(part, cst.Name) and part in self.program.scopes.variable_of:
                variable = self.program.scopes.variable_of[part]
                self._changed(variable)
                if is_written:
                    self.effects.written.add(variable)
                if part is not node:
                    self.effects.within.add(variable)

    def _call(self, node: cst.Call) -> None:
        called = self.program.text(node.func)
        if not self._is_known(node.func):
            raise Unknown("unknown_call", f"calls {called}, of which nothing is known")
        for place, argument in enumerate(node.args):
            if argument.star == "**" and called.rsplit(".", 1)[-1] not in NAMED_ITEMS:
                raise Unknown("callback", f"{called} may be given a function by an unseen name")
            keyword = argument.keyword.value if argument.keyword is not None else None
            calls_it = (called.rsplit(".", 1)[-1], keyword or place) in CALLBACKS
            if (keyword == "key" or calls_it) and not self._is_known_function(argument.value):
                raise Unknown("callback", f"{called} calls a function that is not known")
            if isinstance(argument.value, cst.Name) and self._is_defined(argument.value):
                raise Unknown("callback", f"{called} is given a function of the program")

    def _is_known(self, function: cst.BaseExpression) -> bool:
        """Say whether a call changes at most the object whose method is called; note that."""
        if isinstance(function, cst.Name):
            return self._is_pure(function)
        if not isinstance(function, cst.Attribute):
            return False
        root = root_of(function)
        if isinstance(root, cst.Name):
            origin = self.aliases.imports.get(self.program.scopes.variable_of[root])
            if origin is not None:
                return isinstance(function.value, cst.Name) and is_pure_origin(
                    f"{origin}.{function.attr.value}"
                )
            if self.program.scopes.is_free(root):
                return root.value in PURE_TYPES and self.program.trusts_builtins
            if self._is_defined(root) or Role.IMPORT in self._variable(root).roles:
                return False
        if function.attr.value in INPUT_OUTPUT:
            return False
        self._change(function.value, function.attr.value not in READING_METHODS)
        return True

    def _is_pure(self, name: cst.Name) -> bool:
        if self.program.scopes.is_free(name):
            return name.value in PURE_BUILTINS and self.program.trusts_builtins
        return is_pure_origin(self.aliases.imports.get(self._variable(name), ""))

    def _variable(self, name: cst.Name) -> Variable:
        return self.program.scopes.variable_of[name]

    def _is_known_function(self, node: cst.BaseExpression) -> bool:
        match node:
            case cst.Lambda() | cst.SimpleString() | cst.Name(value="None"):
                return True
            case cst.Name():
                return self._is_pure(node)
            case cst.Attribute(value=cst.Name() as root):
                return (
                    self.program.scopes.is_free(root)
                    and root.value in PURE_TYPES
                    and self.program.trusts_builtins
                )
            case _:
                return False

    def _is_defined(self, name: cst.Name) -> bool:
        variable = self.program.scopes.variable_of.get(name)
        return variable is not None and bool(variable.roles & {Role.FUNCTION, Role.CLASS})


def _is_in_place(node: cst.AugAssign) -> bool:
    """Say whether an augmented assignment may change an object of a builtin type."""
    if isinstance(node.value, cst.Integer | cst.Float):
        return isinstance(node.operator, cst.MultiplyAssign)
    return isinstance(node.operator, IN_PLACE)


def _is_idle(statement: cst.CSTNode) -> bool:
    """Say whether a line is a string, dots or pass: a docstring must not move."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    parts = (part.value if isinstance(part, cst.Expr) else part for part in statement.body)
    return any(isinstance(part, IDLE) for part in parts)
