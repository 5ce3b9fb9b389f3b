"""Variable names, shuffle: the local variables exchange their names."""

from collections.abc import Mapping
from typing import ClassVar

import libcst as cst

from ingest.mutations.base import Examples, examples_in
from ingest.mutations.renaming import (
    KeptName,
    RenamingAtOnce,
    generator_of,
    local_variables,
    occurrences_inside,
)
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.scopes import Variable

SOFT_KEYWORDS = frozenset({"case", "match", "type"})


class NamesShuffle(RenamingAtOnce):
    """Permutes the names so that none keeps its own.

    A name takes part when nothing else inside the entry point is called so. Then the exchange is
    one to one on all names, and no variable can get in the way of another.
    """

    name = "names_shuffle"
    examples: ClassVar[Examples] = examples_in("""
        changes:
            def f(xs):
                low, high = xs[0], xs[-1]
                for x in xs:
                    low = min(low, x)
                return low, high
        into:
            def f(xs):
                x, low = xs[0], xs[-1]
                for high in xs:
                    x = min(x, high)
                return x, low
        leaves: too_few_variables
            def f(a):
                b = a + 1
                return b
        leaves: shared_name
            def f(a):
                b = a
                c = sorted(a, key=lambda b: -b)
                return b, c
    """)
    fewest = 2

    def variables(self, program: ParsedProgram) -> list[Variable | KeptName]:
        """Return the local variables; what shares its name or reads as a keyword keeps it."""
        has_match = bool(program.region_nodes.of(cst.Match))
        return [_unless_keyword(each, has_match) for each in _unshared(program)]

    def new_names(self, names: list[str], words: frozenset[str], seed: int) -> Mapping[str, str]:
        """Draw permutations until one moves every name."""
        generator = generator_of(seed)
        while True:
            order = generator.permutation(len(names))
            if all(place != moved for place, moved in enumerate(order)):
                return {name: names[moved] for name, moved in zip(names, order, strict=True)}


def _unless_keyword(each: Variable | KeptName, has_match: bool) -> Variable | KeptName:
    if isinstance(each, KeptName):
        return each
    if each.name in SOFT_KEYWORDS or (each.name == "_" and has_match):
        return KeptName(each, "soft_keyword", "the name may read as a keyword elsewhere")
    return each


def _unshared(program: ParsedProgram) -> list[Variable | KeptName]:
    """Return the local variables; those that share their name with another thing keep it."""
    found = list(local_variables(program))
    free = {id(each) for each in found if not isinstance(each, KeptName)}
    shared = {
        occurrence.name
        for occurrence in occurrences_inside(program)
        if id(program.scopes.variable_of[occurrence.node]) not in free
    }
    return [
        KeptName(each, "shared_name", "something else inside has the same name")
        if isinstance(each, Variable) and each.name in shared
        else each
        for each in found
    ]


VERSIONS = (NamesShuffle,)
