"""Dead code: a block that never runs is put before a statement."""

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from ingest.mutations.base import Decline, Edit, Examples, Site, examples_in
from ingest.mutations.insertion import NEW_NAME, LineMutation, indent_of, newline_of
from ingest.mutations.renaming import line_reason
from ingest.mutations.source.lines import Shape
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.tree import bare_string

PLAIN = (cst.SimpleStatementLine, cst.If, cst.For, cst.While, cst.Try, cst.With)


class DeadCode(LineMutation):
    """One place per program: the middle one of the statements that are whole before the cut.

    The block sets a name that occurs nowhere else, so that no other becomes local by it.
    """

    name = "dead_code"
    examples: ClassVar[Examples] = examples_in('''
        changes:
            def f(xs):
                total = 0
                for x in xs:
                    # count
                    total += x
                return total
        into:
            def f(xs):
                total = 0
                if False:
                    wqnhi = 0
                for x in xs:
                    # count
                    total += x
                return total
        changes:
            def f(a):
                """Twice."""
                b = a + a
                return b
        into:
            def f(a):
                """Twice."""
                if False:
                    wqnhi = 0
                b = a + a
                return b
        leaves: no_place
            def f(a): return a
        leaves: no_place
            def f(a):
                """Nothing before the cut."""
                return [
                    a,
                ]
    ''')

    def sites(self, program: ParsedProgram) -> list[Site | Decline]:
        """Return the one place, if any statement is whole before the cut."""
        if (reason := line_reason(program)) is not None:
            return [self.decline(None, *reason)]
        places = list(_places(program))
        if not places:
            return [self.decline(None, "no_place", "no statement is whole before the cut")]
        node = places[len(places) // 2]
        line = program.line(program.span(node)[0])
        indent, end = indent_of(program, node), newline_of(program)
        text = f"{indent}if False:{end}{indent}{program.module.default_indent}{NEW_NAME} = 0{end}"
        start = program.line_start(line)
        return [self.site(line, [Edit(start, start, text)])]


def _places(program: ParsedProgram) -> Iterator[cst.CSTNode]:
    """Yield the statements that start before the cut, docstrings and such imports left out."""
    shape = program.shape
    if not isinstance(shape, Shape) or shape.whole_line is None:
        return
    for block in program.region_nodes.of(cst.Module, cst.IndentedBlock):
        for number, node in enumerate(block.body):
            if not isinstance(node, PLAIN) or (number == 0 and bare_string(node) is not None):
                continue
            if program.line(program.span(node)[0]) > shape.whole_line:
                continue
            if not _is_future(node):
                yield node


def _is_future(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.SimpleStatementLine) and any(
        isinstance(part, cst.ImportFrom)
        and isinstance(part.module, cst.Name)
        and part.module.value == "__future__"
        for part in node.body
    )


VERSIONS = (DeadCode,)
