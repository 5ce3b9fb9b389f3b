"""Data flow of Python by its syntax, and the share that two texts have in common.

The idea (Guo et al. 2021, arXiv 2009.08366, section 3; Ren et al. 2020, section 3.3): an edge says
where the value of a variable's occurrence comes from. It is read from the syntax alone, in the
order of the text; a name means one variable in the whole text. Version 1 has the rules of the
library ``codebleu`` 0.7.0, its oddities among them:

- a literal is a variable; the first occurrence of a name defines it;
- parts of both sides of an assignment are paired where there are equally many, even where they are
  not elements (``a.b = c + d``);
- an augmented assignment does not read its target;
- branches of ``if`` start from what holds before the condition. A loop's body is read twice, so
  that values flow around. The body of ``for`` is not read where an ``else`` follows.

It assumes nothing of the program and refuses nothing. Errors of the tree are read in text order, as
are statements nested more than ``DEEPEST`` deep. Within the second reading of a loop an inner loop
is read once. The first reading defined every name of it, so a second pass finds no other edge, and
the time stays linear. Tested in ``tests/runners/measuring/test_codebleu.py``.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from runners.measuring.similarity.syntax import SyntaxNode, SyntaxTree

CLAUSE = "for_in_clause"
DEEPEST = 100
"""Python itself refuses deeper indentation."""

Defined = dict[bytes, tuple[int, ...]]
"""Where each name may have got its value: bytes of the text, ascending."""

Edge = tuple[int, str, tuple[int, ...]]


@dataclass(slots=True)
class ValueFlow:
    """An occurrence of a name, and what flows into it: how, from which names and places."""

    name: bytes
    relation: str
    sources: list[bytes] = field(default_factory=list)
    places: set[int] = field(default_factory=set)


def data_flow_match(candidate: SyntaxTree, reference: SyntaxTree) -> float | None:
    """Return the share of the reference's edges that the candidate has, each used once.

    None where the reference has no edge.
    """
    wanted = Counter(edges(data_flow(reference)))
    if not wanted:
        return None
    found = Counter(edges(data_flow(candidate)))
    return (found & wanted).total() / wanted.total()


def data_flow(tree: SyntaxTree) -> list[ValueFlow]:
    """Return, in text order, every occurrence that takes a value or gives one."""
    reader = FlowReader(tree.source)
    reader.follow(tree.root, {}, 0)
    used = set().union(*(flow.places for flow in reader.flows.values()))
    return [flow for place, flow in sorted(reader.flows.items()) if flow.places or place in used]


def edges(flows: list[ValueFlow]) -> Iterator[Edge]:
    """Yield edges with names numbered in the order in which they come, sources first."""
    number_of: dict[bytes, int] = {}
    for flow in flows:
        sources = tuple(number_of.setdefault(name, len(number_of)) for name in flow.sources)
        yield number_of.setdefault(flow.name, len(number_of)), flow.relation, sources


class FlowReader:
    """Reads a tree and keeps the flow into each occurrence by its place, a byte of the text."""

    def __init__(self, source: bytes):
        self.flows: dict[int, ValueFlow] = {}
        self._source = source
        self._again = False
        self._special: dict[str, Callable[[SyntaxNode, Defined, int], None]] = {
            "default_parameter": self._default,
            "assignment": self._assignment,
            "augmented_assignment": self._assignment,
            "for_in_clause": self._clause,
            "if_statement": self._if,
            "for_statement": self._for,
            "while_statement": self._while,
        }

    def follow(self, node: SyntaxNode, defined: Defined, depth: int) -> None:
        """Read a part of the tree; ``defined`` becomes what holds after it."""
        todo = [node]
        while todo:
            part = todo.pop()
            special = self._special.get(part.kind)
            if _is_token(part):
                self._occurrence(part, defined)
            elif special and depth < DEEPEST:
                special(part, defined, depth + 1)
            else:
                # a comprehension defines its variables before its elements are read
                clauses = [child for child in part.children if child.kind == CLAUSE]
                others = [child for child in part.children if child.kind != CLAUSE]
                todo += reversed(clauses + others)

    def twice(self, read_body: Callable[[], None]) -> None:
        """Read a loop's body twice; once within the second reading of an outer loop."""
        read_body()
        if not self._again:
            self._again = True
            read_body()
            self._again = False

    def _occurrence(self, token: SyntaxNode, defined: Defined) -> None:
        if not self._is_variable(token):
            return
        name = self._text(token)
        flow = self.flows.setdefault(token.start, ValueFlow(name, "comesFrom"))
        if name in defined:
            flow.sources = [name]
            flow.places.update(defined[name])
        elif token.kind == "identifier":
            defined[name] = (token.start,)

    def _default(self, node: SyntaxNode, defined: Defined, depth: int) -> None:
        name, value = _of_role(node, "name"), _of_role(node, "value")
        if name and value:
            self.follow(value, defined, depth)
            self._define(name, value, "comesFrom", defined)

    def _assignment(self, node: SyntaxNode, defined: Defined, depth: int) -> None:
        left, right = _of_role(node, "left"), _of_role(node, "right")
        if left and right:  # else an annotation without a value
            self._assign(_pairs(left, right), defined, depth)

    def _clause(self, node: SyntaxNode, defined: Defined, depth: int) -> None:
        left = _of_role(node, "left")
        if left:
            self._assign([(left, node.children[-1])], defined, depth)

    def _if(self, node: SyntaxNode, defined: Defined, depth: int) -> None:
        before = dict(defined)
        ends = []
        for child in node.children:
            if child.kind in ("elif_clause", "else_clause"):
                ends.append(dict(before))
                self.follow(child, ends[-1], depth)
            else:
                self.follow(child, defined, depth)
        if all(child.kind != "else_clause" for child in node.children):
            ends.append(before)
        for name in {self._text(token) for token in self._variables(node)}:  # no other changed
            places = {place for end in (defined, *ends) for place in end.get(name, ())}
            if places:
                defined[name] = tuple(sorted(places))

    def _for(self, node: SyntaxNode, defined: Defined, depth: int) -> None:
        left, right = _of_role(node, "left"), _of_role(node, "right")
        if not (left and right):
            return
        pairs = _pairs(left, right)

        def read_body() -> None:
            self._assign(pairs, defined, depth)
            if node.children[-1].kind == "block":
                self.follow(node.children[-1], defined, depth)

        self.twice(read_body)

    def _while(self, node: SyntaxNode, defined: Defined, depth: int) -> None:
        def read_body() -> None:
            for child in node.children:
                self.follow(child, defined, depth)

        self.twice(read_body)

    def _assign(
        self, pairs: list[tuple[SyntaxNode, SyntaxNode]], defined: Defined, depth: int
    ) -> None:
        for _, right in pairs:
            self.follow(right, defined, depth)
        for left, right in pairs:
            self._define(left, right, "computedFrom", defined)

    def _define(self, left: SyntaxNode, right: SyntaxNode, relation: str, defined: Defined) -> None:
        """Let all variables of the right flow into each of the left, which they define."""
        sources = list(self._variables(right))
        names = [self._text(source) for source in sources]
        places = [source.start for source in sources]
        for token in self._variables(left):
            name = self._text(token)
            self.flows[token.start] = ValueFlow(name, relation, names, set(places))
            defined[name] = (token.start,)

    def _variables(self, node: SyntaxNode) -> Iterator[SyntaxNode]:
        todo = [node]
        while todo:
            part = todo.pop()
            if not _is_token(part):
                todo += reversed(part.children)
            elif self._is_variable(part):
                yield part

    def _is_variable(self, token: SyntaxNode) -> bool:
        """Whether a token is a name or a literal; the kind of any other token is its text."""
        return token.start < token.end and self._text(token) != token.kind.encode()

    def _text(self, token: SyntaxNode) -> bytes:
        return self._source[token.start : token.end]


def _is_token(node: SyntaxNode) -> bool:
    return not node.children or node.kind == "string"


def _of_role(node: SyntaxNode, role: str) -> SyntaxNode | None:
    return next((child for child in node.children if child.role == role), None)


def _pairs(left: SyntaxNode, right: SyntaxNode) -> list[tuple[SyntaxNode, SyntaxNode]]:
    """Return the parts of both sides side by side if there are equally many, else the sides."""
    targets, values = _parts(left), _parts(right)
    if not targets or len(targets) != len(values):
        return [(left, right)]
    return list(zip(targets, values, strict=True))


def _parts(node: SyntaxNode) -> list[SyntaxNode]:
    return [] if _is_token(node) else [child for child in node.children if child.kind != ","]
