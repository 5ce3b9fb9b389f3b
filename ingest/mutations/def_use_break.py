"""Def-use break: a variable that is assigned again gets a new name from there on.

Idea: reaching definitions give the uses of a second value; these and it are renamed together.
Refused: a use that either value may reach, and names that an error or a lookup may show.
Proved: tests/ingest/mutations/test_mutations.py, test_mutations_flow.py.
"""

from typing import ClassVar

import libcst as cst

from ingest.mutations.analysis.flow.reaching import Flow, flow_of
from ingest.mutations.analysis.statements.error_texts import tells
from ingest.mutations.base import Decline, Examples, Site, examples_in
from ingest.mutations.renaming import (
    TOLD,
    Renaming,
    name_reason,
    name_told_reason,
    type_comment_words,
)
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.scopes import Occurrence, Role


class DefUseBreak(Renaming):
    """The assignment is in the body itself and replaces an earlier value for good.

    Renamed is its web: the uses it reaches, and the definitions that reach those too.
    """

    name = "def_use_break"
    rules = 2
    examples: ClassVar[Examples] = examples_in("""
        changes:
            def f(xs):
                xs = sorted(xs)
                return xs[0]
        into:
            def f(xs):
                wqnhi = sorted(xs)
                return wqnhi[0]
        changes:
            def f(n):
                x = n
                y = x
                x = [x for _ in range(n)]
                for k in x:
                    x = [k, *x]
                return x, y
        into:
            def f(n):
                x = n
                y = x
                wqnhi = [x for _ in range(n)]
                for k in wqnhi:
                    wqnhi = [k, *wqnhi]
                return wqnhi, y
        leaves:
            def f(n):
                x = n
                if n:
                    x = 1
                return x
        leaves: captured
            def f(n):
                x = n
                g = lambda: x
                x = 1
                return g()
        leaves: dynamic
            def f(n):
                n = n + 1
                return locals()
                pass
        leaves: unused
            def f(n):
                n = n + 1
                return 1
                pass
        leaves:
            def f(n):
                x = 1
                y = 2
                while n:
                    n -= x
                return y
        leaves: told
            def f(a):
                b = 1
                c = b
                b = 2
                try:
                    if a:
                        del b
                    return b, c
                except Exception as error:
                    return str(error)
                pass
                pass
    """)

    def sites(self, program: ParsedProgram) -> list[Site | Decline]:
        """Return a site, or a refusal, for each plain assignment to a name that has a value."""
        flow = flow_of(program.scopes, program.scope)
        typed = type_comment_words(program)
        dynamic = name_told_reason(program)
        found: list[Site | Decline] = []
        for node in _plain_assignments(program):
            definition = program.scopes.occurrence_of[node]
            variable = program.scopes.variable_of[node]
            line = program.line(program.span(node)[0])
            if variable.scope is not program.scope:
                found.append(self.decline(line, "declared", f"{node.value}: not local"))
            elif dynamic is not None:
                found.append(self.decline(line, *dynamic))
            elif (reason := name_reason(program, variable, typed)) is not None:
                found.append(self.decline(line, reason[0], f"{node.value}: {reason[1]}"))
            elif variable in flow.opaque:
                if len([each for each in variable.occurrences if each.role != Role.LOAD]) > 1:
                    why = f"{node.value}: used by a nested scope"
                    found.append(self.decline(line, "captured", why))
            elif flow.replaced.get(definition, frozenset()) - {None}:
                found.append(self._site(program, flow, definition, line))
        return found

    def _site(
        self, program: ParsedProgram, flow: Flow, definition: Occurrence, line: int
    ) -> Site | Decline:
        web = web_of(flow, definition)
        name = definition.name
        if None in web or web & flow.replaced[definition]:
            why = f"{name}: a later use may see the earlier value too"
            return self.decline(line, "both_reach", why)
        uses = {each for each, seen in flow.reaching.items() if seen & web}
        may_lack = any(each is not None and each.role == Role.DELETE for each in web)
        if may_lack and tells(program, UnboundLocalError):
            return self.decline(line, TOLD[0], f"{name}: {TOLD[1]}")
        if not uses:
            return self.decline(line, "unused", f"{name}: the new value is never used")
        nodes = {each.node for each in uses | {each for each in web if each is not None}}
        return self.rename_site(program, nodes)


def web_of(flow: Flow, definition: Occurrence) -> frozenset[Occurrence | None]:
    """Return the definitions tied to one by uses that either of two may reach."""
    web: frozenset[Occurrence | None] = frozenset({definition})
    while True:
        grown = set(web)
        for use, seen in flow.reaching.items():
            # an augmented assignment and a del are a use and a definition under one name
            if seen & web or (use in web and use is not definition):
                grown |= seen
                if use.role in (Role.AUGMENT, Role.DELETE):
                    grown.add(use)
        if grown == web:
            return web
        web = frozenset(grown)


def _plain_assignments(program: ParsedProgram) -> list[cst.Name]:
    """Return the names that are alone before the one equals sign of a statement of the body."""
    body = program.region.body
    lines = body if isinstance(program.region, cst.Module) else body.body  # type: ignore[union-attr]
    found: list[cst.Name] = []
    for line in lines:  # type: ignore[union-attr]
        if isinstance(line, cst.SimpleStatementLine):
            for part in line.body:
                if isinstance(part, cst.Assign) and len(part.targets) == 1:
                    target = part.targets[0].target
                    if isinstance(target, cst.Name):
                        found.append(target)
    return found


VERSIONS = (DefUseBreak,)
