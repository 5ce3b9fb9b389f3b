"""Whether a program may read the text of an error: its operator, or the name without a value.

Idea: an error is read under the name of an ``except``, or by one of a few words of the library.
Assumed: no other code of the process reads the error; the judge compares outputs alone.
Refused: any handler that may catch the error, and any such word, anywhere.
Proved: tests/ingest/mutations/test_mutations_adversary.py.
"""

import builtins

import libcst as cst

from ingest.mutations.analysis.flow.reaching import flow_of
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.purity import words
from ingest.mutations.source.scopes import Role, Scope, Variable

TELLERS = words(
    """
    AsyncExitStack ExitStack __aexit__ __cause__ __context__ __exit__ assertRaises
    assertRaisesRegex exc_info excepthook exception last_exc last_value raises return_exceptions
    unraisablehook
    """
)
"""Names by which an error is reached without a name after ``as``."""


def tells(program: ParsedProgram, error: type[BaseException]) -> bool:
    """Say whether a program's text may read an error of that class."""
    if any(node.value in TELLERS for node in program.nodes.of(cst.Name)):
        return True
    return any(
        node.type is None or _may_catch(program, node.type, error)
        for node in program.nodes.of(cst.ExceptHandler, cst.ExceptStarHandler)
        if node.name is not None
    )


def _may_catch(
    program: ParsedProgram, caught: cst.BaseExpression, error: type[BaseException]
) -> bool:
    match caught:
        case cst.Tuple():
            return any(
                isinstance(each, cst.StarredElement) or _may_catch(program, each.value, error)
                for each in caught.elements
            )
        case cst.Name() if program.scopes.is_free(caught):
            known = getattr(builtins, caught.value, None)
            return not (isinstance(known, type) and not issubclass(error, known))
        case _:
            return True


class Unbound:
    """Which variables may be read while they have no value, wherever in the program."""

    def __init__(self, program: ParsedProgram) -> None:
        self._program = program
        self._frames: dict[Scope, set[Variable]] = {}

    def may_be(self, variable: Variable) -> bool:
        """Say whether a use of a variable may find no value."""
        assert variable.scope is not None
        frame = variable.scope.frame
        if frame not in self._frames:
            flow = flow_of(self._program.scopes, frame)
            self._frames[frame] = set(flow.opaque) | {
                self._program.scopes.variable_of[use.node]
                for use, seen in flow.reaching.items()
                if any(each is None or each.role == Role.DELETE for each in seen)
            }
        return variable in self._frames[frame]
