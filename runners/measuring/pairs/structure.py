"""Whether two programs have one structure, whatever their names, literals and free orders are.

Idea: a program is a graph of its syntax tree and its variables. Colours spread along the edges, as
Weisfeiler and Leman do (1968), until they tell no more nodes apart; the fingerprint is the hash of
all colours. A variable is known by where it occurs, not by its name. The statements of a block have
no order but that of ``independent_swap``: one that depends on an earlier one has an edge to it.
Renaming a variable that is not passed by its name, or another literal of the same kind, keeps the
fingerprint. So does swapping independent statements in a block whose order is analysed. That other
programs have another fingerprint is near certain, not proved. Names that the program does not bind
(builtins, modules and what is imported), attributes and operators count. Refused: what libCST or
the scopes do not read. Where the meaning of operators or names is not known (classes of the
program, exec), every block keeps its order. Proved:
tests/runners/measuring/pairs/test_structure.py, by the mutations.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from itertools import combinations
from typing import TYPE_CHECKING, Any

import libcst as cst

from ingest.mutations.analysis.objects.own_types import makes_classes
from ingest.mutations.analysis.statements.effects import Effects
from ingest.mutations.analysis.statements.visible_changes import GUARDS
from ingest.mutations.independent_swap.dependence import Dependence, Statement
from ingest.mutations.renaming import dynamic_reason
from ingest.mutations.source.program import ParsedProgram, Unreadable, parse_program
from ingest.mutations.source.tree import bare_string, named_children
from runners.measuring.pairs.base import Material, NoFeature, PairMeasure

if TYPE_CHECKING:
    from runners.measuring.pairs.base import Pairs, Scores

RULES = 2
"""Another number where a program may have another fingerprint than before."""
MAX_CHARACTERS = 20_000
MAX_STATEMENTS = 40
"""Longest block whose order is analysed; in a longer one the order counts."""

MAX_ROUNDS = 100

LITERALS = (cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString, cst.FormattedStringText)
CONSTANTS = frozenset({"True", "False", "None"})
Label = tuple[Any, ...]


class Structure(PairMeasure):
    """Nothing is fitted."""

    measure = "structure_v1"
    kept = "digest"
    worth_a_pool = 1_000  # a program takes 20 ms and more

    def __init__(self) -> None:
        self.identity = f"rules {RULES}"
        self.detail = {"library": f"libcst {version('libcst')}"}

    @classmethod
    def scorers(cls, material: Material) -> Iterator["Structure"]:
        """Yield the only scorer."""
        yield cls()

    def features(self, sources: Sequence[str]) -> list[Any]:
        """Return the fingerprint of each program."""
        return [fingerprint(source) for source in sources]

    def compare(self, features: Sequence[Any], first: "Pairs", second: "Pairs") -> "Scores":
        """Return 1 where both have one fingerprint, else 0."""
        import numpy as np

        digests = np.array(features)
        same: Scores = (digests[first] == digests[second]).astype(np.float64)
        return same


def fingerprint(source: str) -> str | NoFeature:
    """Return the hash of a program's structure."""
    if len(source) > MAX_CHARACTERS:
        return NoFeature("too_large")
    program = parse_program(source, None)
    if isinstance(program, Unreadable):
        return NoFeature("too_large" if program.code == "too_deep" else "no_parse")
    try:
        graph = _Graph(program)
    except RecursionError:
        return NoFeature("too_large")
    if len(graph.labels) == 1:
        return NoFeature("empty_code")
    return graph.digest()


class _Graph:
    """Nodes numbered from 0 with their labels, and edges with theirs.

    ``parts`` holds only the edges of the syntax tree, from a node to its parts.
    """

    def __init__(self, program: ParsedProgram) -> None:
        self.program = program
        self.labels: list[Label] = []
        self.edges: list[list[tuple[bytes, int]]] = []
        self.parts: list[list[tuple[bytes, int]]] = []
        self.variables: dict[int, int] = {}
        keeps_order = makes_classes(program) or dynamic_reason(program) is not None
        self.dependence = None if keeps_order else Dependence(program, knows_places=True)
        self._add(program.module, guarded=False)

    def digest(self) -> str:
        """Return the hash of all colours, when a round tells no more nodes apart, or after many."""
        colours = self._colours_of_tree()
        for _ in range(MAX_ROUNDS):
            spread = [
                _joined(colours[node], sorted([kind + colours[to] for kind, to in edges]))
                for node, edges in enumerate(self.edges)
            ]
            settled = len(set(spread)) == len(set(colours))
            colours = spread
            if settled:
                break
        return _joined(b"", sorted(colours)).hex()

    def _colours_of_tree(self) -> list[bytes]:
        """Return colours that know all above and below a node, which saves most rounds.

        A node has a lower number than its parts, so one pass each way is enough.
        """
        colours = [_hash(label) for label in self.labels]
        for node in reversed(range(len(colours))):
            parts = sorted([kind + colours[part] for kind, part in self.parts[node]])
            colours[node] = _joined(colours[node], parts)
        for node, parts_of_node in enumerate(self.parts):
            for kind, part in parts_of_node:
                colours[part] = _joined(colours[part], [kind, colours[node]])
        return colours

    def _node(self, label: Label) -> int:
        self.labels.append(label)
        self.edges.append([])
        self.parts.append([])
        return len(self.labels) - 1

    def _place(self, whole: int, role: str, part: int) -> None:
        self.parts[whole].append((_kind(role), part))
        self._join(whole, role, part)

    def _join(self, one: int, kind: str, other: int) -> None:
        self.edges[one].append((_kind(f"{kind}>"), other))
        self.edges[other].append((_kind(f"<{kind}"), one))

    def _add(self, node: cst.CSTNode, *, guarded: bool) -> int:
        """Add a node with all below it, and return its number."""
        number = self._node(self._label(node))
        if isinstance(node, cst.Name):
            self._add_variable(node, number)
            return number
        guarded = guarded or type(node) in GUARDS
        if isinstance(node, cst.Module | cst.IndentedBlock | cst.SimpleStatementSuite):
            body = [part for part in node.body if bare_string(part) is None]
            self._add_block(number, body, guarded)
            return number
        for role, part in named_children(node):
            self._place(number, role, self._add(part, guarded=guarded))
        return number

    def _add_block(self, number: int, body: Sequence[cst.CSTNode], guarded: bool) -> None:
        """Add the statements of a block, by number or with edges to those that they must follow."""
        added = [self._add(part, guarded=guarded) for part in body]
        if self.dependence is None or guarded or len(body) > MAX_STATEMENTS:
            for place, statement in enumerate(added):
                self._place(number, f"in {place}", statement)
            return
        for statement in added:
            self._place(number, "in", statement)
        statements = self.dependence.statements(body)
        for one, other in combinations(range(len(added)), 2):
            if self._must_follow(statements[one], statements[other]):
                self._join(added[one], "before", added[other])

    def _must_follow(self, one: Statement, other: Statement) -> bool:
        assert self.dependence is not None
        if not (isinstance(one.effects, Effects) and isinstance(other.effects, Effects)):
            return True
        return not self.dependence.are_independent(one, other)

    def _add_variable(self, node: cst.Name, number: int) -> None:
        variable = self.program.scopes.variable_of.get(node)
        if variable is None or variable.scope is None:
            return
        if id(variable) not in self.variables:
            self.variables[id(variable)] = self._node(("variable", variable.scope.kind))
        self._join(number, "means", self.variables[id(variable)])

    def _label(self, node: cst.CSTNode) -> Label:
        kind = type(node).__name__
        if type(node) in LITERALS:
            return ("literal", kind)
        if isinstance(node, cst.Name):
            if node.value in CONSTANTS:
                return ("literal", "constant")
            variable = self.program.scopes.variable_of.get(node)
            bound = variable is not None and variable.scope is not None
            return (kind,) if bound else (kind, node.value)
        if isinstance(node, cst.ImportAlias):
            return (kind, node.evaluated_name)
        if isinstance(node, cst.ImportFrom):
            module = self.program.text(node.module) if node.module is not None else ""
            return (kind, len(node.relative), module)
        parts = [getattr(node, name, None) for name in ("operator", "asynchronous")]
        texts = [getattr(node, name, None) for name in ("star", "conversion")]
        kinds = [type(part).__name__ for part in parts]
        return (kind, *kinds, *(text for text in texts if isinstance(text, str)))


@cache
def _kind(text: str) -> bytes:
    return _hash(text)


def _hash(value: object) -> bytes:
    return blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _joined(colour: bytes, edges: Iterable[bytes]) -> bytes:
    """Return the hash of hashes, all of one length."""
    return blake2b(colour + b"".join(edges), digest_size=16).digest()
