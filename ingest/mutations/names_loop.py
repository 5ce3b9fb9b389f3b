"""Variable names, loops: what ``for`` sets gets five random letters for a name."""

from typing import ClassVar

import libcst as cst

from ingest.mutations.base import Examples, examples_in
from ingest.mutations.renaming import KeptName, RenamingAtOnce, local_variables
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.scopes import Variable


class NamesLoop(RenamingAtOnce):
    """Renames the targets of all loops and comprehensions at once, wherever they occur."""

    name = "names_loop"
    in_paper = False
    examples: ClassVar[Examples] = examples_in("""
        changes:
            def f(xs, n=0):
                total = n
                for i, x in enumerate(xs):
                    total += i * x
                return [x for x in xs if x > total] or x
        into:
            def f(xs, n=0):
                total = n
                for wqnhi, bbaev in enumerate(xs):
                    total += wqnhi * bbaev
                return [bbaev for bbaev in xs if bbaev > total] or bbaev
        leaves: too_few_variables
            def f(xs):
                total = 0
                total += len(xs)
                return total
        leaves: parameter
            def f(xs, x):
                for x in xs:
                    pass
                return x
        leaves: dynamic
            def f(xs):
                for x in xs:
                    pass
                return locals()
    """)

    def variables(self, program: ParsedProgram) -> list[Variable | KeptName]:
        """Return the local variables that a loop sets."""
        targets = _targets(program)
        return [
            each
            for each in local_variables(program)
            if (each.variable if isinstance(each, KeptName) else each) in targets
        ]


def _targets(program: ParsedProgram) -> set[Variable]:
    """Return the variables that a ``for`` sets, in a statement or in a comprehension."""
    loops = program.region_nodes.of(cst.For, cst.CompFor)
    return {variable for loop in loops for variable in program.variables_in(loop.target)}


VERSIONS = (NamesLoop,)
