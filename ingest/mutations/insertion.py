"""What mutations share that add or remove lines: their names, line ends and cut."""

import re

import libcst as cst

from ingest.mutations.base import Decline, Edit, Mutated, Mutation, Site
from ingest.mutations.renaming import fresh_name, generator_of
from ingest.mutations.source.cut import Cut, cut_at_statement
from ingest.mutations.source.lines import NEWLINE, NoCut
from ingest.mutations.source.program import WORD, ParsedProgram

NEW_NAME = "\0"
"""In the text of an edit, it takes the place of a name that is drawn when the edit is applied."""

INDENT = re.compile(r"[ \t\f]*")


class LineMutation(Mutation):
    """Adds or removes whole lines; both programs are cut at the same statement."""

    in_paper = False

    def apply(self, source: str, site: Site, seed: int) -> Mutated | Decline:
        """Rewrite the site; a new name depends on the seed and on the words of the text alone."""
        name = fresh_name(generator_of(seed), frozenset(WORD.findall(source)))
        edits = [
            Edit(edit.start, edit.end, edit.text.replace(NEW_NAME, name)) for edit in site.edits
        ]
        return self._checked(source, site, seed, edits)

    def cut(
        self, source: str, site: Site, mutated: Mutated, entry_point: str | None, version: int
    ) -> Cut | NoCut:
        """Cut the original by the rule, and the other program at the same statement."""
        undo = ((edit.start, edit.end, edit.text) for edit in mutated.undo)
        return cut_at_statement(source, mutated.source, undo, entry_point, version)


def newline_of(program: ParsedProgram) -> str:
    """Return how the lines of a program end: as the first one does."""
    found = NEWLINE.search(program.source)
    return found.group() if found else "\n"


def indent_of(program: ParsedProgram, node: cst.CSTNode) -> str:
    """Return the white space before a statement that opens its line."""
    start = program.line_start(program.line(program.span(node)[0]))
    found = INDENT.match(program.source, start)
    assert found is not None
    return found.group()
