"""The regions of a file that SynthesisRTC can take out, and how much each weighs.

Source: Allamanis et al., arXiv 2402.08699, section 4.2, and the code that its authors released. A
candidate is a statement inside the body of a function, or a run of at least two sibling statements
that follow one another. It fills whole lines: other code on its first or last line, a ``;`` or a
line that continues with a backslash rules it out. A statement is what tree-sitter's grammar of
Python, which the authors used, names ``*_statement``. Definitions of functions and classes, and
``elif``, have other names there. A statement that is one string counts as a docstring. None of
these is a candidate or part of a run. The statements inside a definition or an ``elif`` are
candidates.

Each character that is not white space is shared equally among all candidates that cover it. The
weight of a candidate is the sum of its shares. So the weights of a file add up to its covered
characters. A candidate is drawn with a probability proportional to ``weight ** (1 / tau)``.

Places come from ``ast``. Its spans of statements are exact: they are those of the tokens, with
brackets, without comments; a test compares them with libCST's. It reads with the grammar of the
Python that runs. A file of a newer grammar is refused, so no two versions of Python give different
candidates of one file. ``ast`` shows an ``elif`` as an ``if``; the text says which it is. The
released code draws a region that shares its first line with other code, and then drops it. Here
such a statement is no candidate, and takes no weight from others.
"""

import ast
import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ingest.parsing import FunctionNode
from ingest.projects.functions import LineRange, decoded_lines, parsed_source
from warehouse.errors import BadInput, known_names

Block = list[ast.stmt]


@dataclass(frozen=True)
class RegionRules:
    """Which regions are candidates, and how they are drawn.

    A region has at least ``least`` and at most ``most`` characters, or bytes of UTF-8 where
    ``in_bytes``; without ``runs`` it is one statement. ``max_jaccard`` bounds the overlap of two
    drawn regions: shared characters divided by all characters of both. Under ``by_file`` each file
    gives its own sample, of at most ten regions and at most five per 1,024 bytes.
    """

    name: str
    least: int
    most: int
    in_bytes: bool = False
    runs: bool = True
    tau: float = 1.0
    max_jaccard: float = 1.0
    by_file: bool = False


RULES = {
    rules.name: rules
    for rules in (
        RegionRules("v1", 32, 384),
        RegionRules("v1_code", 65, 512, in_bytes=True, runs=False, tau=0.8, by_file=True),
        RegionRules("v2", 32, 384, max_jaccard=0.5),
    )
}


@dataclass(frozen=True, order=True)
class RegionSpan:
    """Whole lines of a file, from 1, and the span of the statements on them.

    ``start`` and ``end`` count characters of the decoded file, without its byte order mark, ends of
    lines as they are. The span begins after the indentation; ``n_characters`` is its length. A
    comment behind the last statement is on the lines, but outside the span.
    """

    start: int
    end: int
    start_line: int
    end_line: int

    @property
    def n_characters(self) -> int:
        """The length of the span."""
        return self.end - self.start

    @property
    def lines(self) -> LineRange:
        """The lines of the region."""
        return LineRange(self.start_line, self.end_line)


def region_rules(name: str) -> RegionRules:
    """Return the rules of a name; raises BadInput for an unknown one."""
    if name not in RULES:
        raise BadInput(f"no rules for regions {name!r}{known_names(name, RULES)}")
    return RULES[name]


def candidates(source: bytes, rules: RegionRules, path: str = "source") -> list[RegionSpan]:
    """Return the candidate regions of a file, in the order of their places; raises BadInput."""
    tree, lines = parsed_source(path, source)
    text = _Text(lines)
    found: list[RegionSpan] = []
    for block in _blocks(tree, text):
        for first, start in enumerate(block):
            for end in block[first : None if rules.runs else first + 1]:
                region = text.region(start, end)
                size = text.n_bytes(region) if rules.in_bytes else region.n_characters
                if size > rules.most:
                    break
                if size >= rules.least and text.fills_its_lines(region):
                    found.append(region)
    return sorted(found)


def weights(source: bytes, regions: Sequence[RegionSpan], path: str = "source") -> list[float]:
    """Return the weight of each region among all of them, in characters that are not white space.

    Between two neighbouring ends of spans all characters have the same regions around them.
    """
    text = "".join(decoded_lines(path, source))
    n_before = [0, *accumulate(not character.isspace() for character in text)]
    places = sorted({place for each in regions for place in (each.start, each.end)})
    depths = dict.fromkeys(places, 0)
    for each in regions:
        depths[each.start] += 1
        depths[each.end] -= 1
    shares = [
        (n_before[end] - n_before[start]) / depth if depth else 0.0
        for (start, end), depth in zip(pairwise(places), accumulate(depths.values()), strict=False)
    ]
    return [
        math.fsum(shares[bisect_left(places, each.start) : bisect_left(places, each.end)])
        for each in regions
    ]


class _Text:
    """A file by its lines, and where nodes of its tree lie in it."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.text = "".join(lines)
        self.starts = [0, *accumulate(map(len, lines))]

    def offset(self, line: int, n_bytes: int) -> int:
        """Return the character of a place that ``ast`` counts in lines and bytes of UTF-8."""
        before = self.lines[line - 1].encode()[:n_bytes]
        return self.starts[line - 1] + len(before.decode())

    def region(self, first: ast.stmt, last: ast.stmt) -> RegionSpan:
        end_line, end_column = last.end_lineno or 0, last.end_col_offset or 0
        return RegionSpan(
            start=self.offset(first.lineno, first.col_offset),
            end=self.offset(end_line, end_column),
            start_line=first.lineno,
            end_line=end_line,
        )

    def n_bytes(self, region: RegionSpan) -> int:
        return len(self.text[region.start : region.end].encode())

    def fills_its_lines(self, region: RegionSpan) -> bool:
        """Say whether its first and last line hold nothing beside a region but a comment.

        A comment that ends in a backslash, on the line before, rules a region out too.
        """
        before = self.text[self.starts[region.start_line - 1] : region.start]
        after = self.text[region.end : self.starts[region.end_line]].strip()
        above = self.lines[region.start_line - 2].rstrip("\r\n") if region.start_line > 1 else ""
        joined = above.endswith("\\") and not above.lstrip().startswith("#")
        return not before.strip() and not joined and (not after or after.startswith("#"))

    def is_elif(self, node: ast.stmt) -> bool:
        place = self.offset(node.lineno, node.col_offset)
        return isinstance(node, ast.If) and self.text.startswith("elif", place)


def _blocks(tree: ast.Module, text: _Text) -> Iterator[Block]:
    """Yield the runs of siblings inside functions, each as long as it can be."""
    ahead: list[tuple[ast.AST, bool]] = [(tree, False)]
    while ahead:
        node, inside = ahead.pop()
        inside = inside or isinstance(node, FunctionNode)
        for name in ("body", "orelse", "finalbody"):
            block: Block = getattr(node, name, [])
            if inside and not (block and text.is_elif(block[0])):
                yield from _runs(block)
            ahead += [(child, inside) for child in block]
        for name in ("handlers", "cases"):
            ahead += [(child, inside) for child in getattr(node, name, [])]


def _runs(block: Block) -> Iterator[Block]:
    """Yield the parts of a block between definitions and lone strings."""
    run: Block = []
    for node in block:
        if isinstance(node, FunctionNode | ast.ClassDef) or is_lone_string(node):
            yield run
            run = []
        else:
            run.append(node)
    yield run


def is_lone_string(node: ast.stmt) -> bool:
    """Say whether a statement is a string, bytes or an f-string and nothing more."""
    value = node.value if isinstance(node, ast.Expr) else None
    if isinstance(value, ast.Constant):
        return isinstance(value.value, str | bytes)
    return isinstance(value, ast.JoinedStr)
