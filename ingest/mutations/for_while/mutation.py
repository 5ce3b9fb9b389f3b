"""For-while exchange: a ``for`` over a range becomes the ``while`` that counts by hand.

Idea, assumptions and refusals are in ``loops.py`` and, for what a range is given, in
``bounds.py``. Proved: tests/ingest/mutations/test_mutations_beyond.py, test_mutations_adversary.py.
"""

from typing import ClassVar

import libcst as cst

from ingest.mutations.base import Decline, Examples, Site, Unfit
from ingest.mutations.for_while.examples import EXAMPLES
from ingest.mutations.for_while.loops import RangeLoops
from ingest.mutations.insertion import LineMutation
from ingest.mutations.source.program import ParsedProgram


class ForWhile(LineMutation):
    """The loop variable starts before the loop and is counted at the end of its body.

    Where the body may change the bound, it is kept in a new name. Assumed of the bounds: they are
    whole numbers, as those that ``range`` takes are, and not False or True.
    """

    name = "for_while"
    rules = 2
    examples: ClassVar[Examples] = EXAMPLES

    def sites(self, program: ParsedProgram) -> list[Site | Decline]:
        """Return the loops over a range that may count by hand, and those that may not."""
        found: list[Site | Decline] = []
        loops = RangeLoops(program)
        for node in program.region_nodes.of(cst.For):
            if not loops.over_range(node):
                continue
            start = program.span(node)[0]
            line = program.line(start)
            if not program.is_kept(program.outer_span(node.iter)[1]):
                found.append(self.decline(line, "after_cut", "the loop is after the cut"))
                continue
            try:
                found.append(self.site(line, loops.edits(node)))
            except Unfit as reason:
                found.append(self.decline(line, reason.code, reason.why))
        return found


VERSIONS = (ForWhile,)
