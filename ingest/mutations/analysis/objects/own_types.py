"""Whether a program's objects are of Python's own types, judged by its text alone.

Idea: other types come from a class, an import or a word that makes types; without these there are
none. Assumed: the arguments are of Python's own types.
Refused: any import from a module that is not listed, and any star import.
Proved: tests/ingest/mutations/test_mutations_adversary.py.
"""

from collections.abc import Iterator

import libcst as cst

from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.purity import words
from ingest.mutations.source.scopes import Role
from ingest.mutations.source.tree import Nodes

PLAIN_MODULES = words(
    """
    __future__ array bisect calendar cmath collections copy datetime decimal fractions functools
    hashlib heapq itertools json math operator random re statistics string sys textwrap time typing
    unicodedata
    """
)
"""Modules whose objects do under a builtin type's method name what that type's method does."""

MAKERS = words(
    """
    ABCMeta Enum Flag IntEnum IntFlag NamedTuple SimpleNamespace TypedDict UserDict UserList
    UserString __bases__ __build_class__ __class__ __dict__ __getattribute__ __import__
    __subclasses__ attrgetter delattr eval exec getattr importlib make_dataclass methodcaller
    namedtuple new_class setattr
    """
)
"""Words by which a program gets types, fields or functions that its text does not name."""


def makes_classes(program: ParsedProgram) -> bool:
    """Say whether a program makes classes, whose operators may mean anything."""
    asked = {
        id(node.func)
        for node in program.nodes.of(cst.Call)
        if len(node.args) == 1 and not node.args[0].star
    }
    return bool(program.nodes.of(cst.ClassDef)) or any(
        _is_type(program, node) and id(node) not in asked for node in program.nodes.of(cst.Name)
    )


def has_foreign_types(program: ParsedProgram) -> bool:
    """Say whether a program may have objects whose methods are not those of Python's own types.

    The arguments are assumed to be of Python's own.
    """
    return (
        bool(program.words & MAKERS)
        or makes_classes(program)
        or not program.trusts_builtins
        or any(_first(module) not in PLAIN_MODULES for module in _imported(program))
        or any(_sets_attribute(target) for target in _targets(program.nodes))
    )


def _imported(program: ParsedProgram) -> Iterator[str]:
    """Yield the modules that a program imports; a relative one begins with a dot."""
    for node in program.nodes.of(cst.Import):
        yield from (program.text(alias.name) for alias in node.names)
    for other in program.nodes.of(cst.ImportFrom):
        module = program.text(other.module) if other.module is not None else ""
        yield "." * len(other.relative) + module


def _targets(nodes: Nodes) -> Iterator[cst.CSTNode]:
    """Yield what is assigned to."""
    yield from (node.target for node in nodes.of(cst.AssignTarget))
    yield from (node.target for node in nodes.of(cst.AnnAssign, cst.AugAssign))
    yield from (node.target for node in nodes.of(cst.For, cst.CompFor))
    yield from (node.name for node in nodes.of(cst.AsName))


def _first(module: str) -> str:
    return module.partition(".")[0].strip()


def _sets_attribute(target: cst.CSTNode) -> bool:
    match target:
        case cst.Attribute():
            return True
        case cst.Tuple() | cst.List():
            return any(_sets_attribute(element.value) for element in target.elements)
        case cst.StarredElement():
            return _sets_attribute(target.value)
        case _:
            return False


def _is_type(program: ParsedProgram, node: cst.Name) -> bool:
    """Say whether a name is that of ``type``, which makes a class when given three arguments."""
    if node.value != "type":
        return False
    occurrence = program.scopes.occurrence_of.get(node)
    is_load = occurrence is not None and occurrence.role == Role.LOAD
    return is_load and program.scopes.is_free(node)
