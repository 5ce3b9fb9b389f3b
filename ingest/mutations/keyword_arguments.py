"""Keyword arguments: a call of the program's own function names its parameters.

Idea: ``g(a, b)`` and ``g(x=a, y=b)`` bind alike where the name ``g`` has one definition.
Refused: names bound twice, decorators, unpacked arguments, parameters that take any argument.
Proved: tests/ingest/mutations/test_mutations_beyond.py, test_mutations_properties.py.
"""

from collections.abc import Mapping
from typing import ClassVar

import libcst as cst

from ingest.mutations.base import Decline, Edit, Examples, Mutation, Site, examples_in
from ingest.mutations.renaming import dynamic_reason
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.purity import BUILTINS
from ingest.mutations.source.scopes import Kind, Role, Variable


class KeywordArguments(Mutation):
    """All positional arguments of one call, in their order."""

    name = "keyword_arguments"
    in_paper = False
    examples: ClassVar[Examples] = examples_in("""
        changes:
            def g(low, high=9, *, step=1):
                return low, high, step

            def f(a):
                b = g(a, (a + 1), step=2)
                return b
        into:
            def g(low, high=9, *, step=1):
                return low, high, step

            def f(a):
                b = g(low=a, high=(a + 1), step=2)
                return b
        changes:
            def f(n, k=0):
                if n:
                    return f( n - 1, k )
                return k
        into:
            def f(n, k=0):
                if n:
                    return f( n=n - 1, k=k )
                return k
        leaves:
            def f(a):
                b = len(a)
                return b
        leaves: parameters
            def g(*xs):
                return xs

            def f(a):
                b = g(a, a)
                return b
        leaves: parameters
            def g(x, /):
                return x

            def f(a):
                b = g(a)
                return b
        leaves: decorated
            @cache
            def g(x):
                return x

            def f(a):
                b = g(a)
                return b
        leaves: rebound
            def f(a):
                def g(x):
                    return x
                if a:
                    g = len
                return g(a)
                pass
                pass
        leaves: star
            def g(x, y=1):
                return x

            def f(a):
                b = g(*a)
                return b
        leaves: bare_argument
            def g(x):
                return x

            def f(a):
                b = g(k for k in a)
                return b
        leaves: after_cut
            def g(x):
                return x

            def f(a):
                b = 1
                return g(a)
    """)

    def sites(self, program: ParsedProgram) -> list[Site | Decline]:
        """Return the calls of functions that the program defines, once and for good."""
        defined = _functions(program)
        dynamic = dynamic_reason(program, program.scopes.occurrences)
        found: list[Site | Decline] = []
        for node in program.region_nodes.of(cst.Call):
            if not isinstance(node.func, cst.Name):
                continue
            variable = program.scopes.variable_of.get(node.func)
            if variable is None or variable not in defined:
                continue
            if not node.args or node.args[0].keyword is not None:
                continue
            line = program.line(program.span(node)[0])
            if dynamic is not None:
                found.append(self.decline(line, *dynamic))
            else:
                found.append(self._site(program, node, variable, defined, line))
        return found

    def _site(
        self,
        program: ParsedProgram,
        call: cst.Call,
        variable: Variable,
        defined: Mapping[Variable, cst.FunctionDef],
        line: int,
    ) -> Site | Decline:
        reason = _unfit(program, call, variable, defined[variable])
        if reason is not None:
            return self.decline(line, *reason)
        names = [each.name.value for each in defined[variable].params.params]
        arguments = [each for each in call.args if each.keyword is None]
        edits = []
        for name, argument in zip(names, arguments, strict=False):
            start = program.outer_span(argument.value)[0]
            edits.append(Edit(start, start, f"{name}="))
        if not program.is_kept(edits[0].start):
            return self.decline(line, "after_cut", "the first argument is after the cut")
        return self.site(line, edits)


def _functions(program: ParsedProgram) -> dict[Variable, cst.FunctionDef]:
    """Return the definition of each variable that some function definition binds."""
    functions = program.nodes.of(cst.FunctionDef)
    return {program.scopes.variable_of[node.name]: node for node in functions}


def _unfit(
    program: ParsedProgram, call: cst.Call, variable: Variable, function: cst.FunctionDef
) -> tuple[str, str] | None:
    """Say why a call must stay as it is."""
    assert isinstance(call.func, cst.Name)
    name = call.func.value
    roles = [each.role for each in variable.occurrences if each.role != Role.LOAD]
    if roles != [Role.FUNCTION] or not program.trusts_builtins:
        return "rebound", f"{name} may be another function by then"
    assert variable.scope is not None
    if variable.scope.kind == Kind.CLASS or (
        variable.scope.kind == Kind.MODULE and name in BUILTINS
    ):
        return "rebound", f"while unbound, {name} may mean another function"
    if function.decorators:
        return "decorated", f"a decorator may change what {name} takes"
    params = function.params
    if params.posonly_params or params.star_kwarg is not None:
        return "parameters", f"{name} takes positional or further arguments"
    if isinstance(params.star_arg, cst.Param):
        return "parameters", f"{name} takes positional or further arguments"
    if program.scopes.occurrence_of[call.func].shown:
        return "shown", "an f-string prints the call"
    if any(each.star for each in call.args):
        return "star", "arguments are unpacked"
    positional = [each.value for each in call.args if each.keyword is None]
    names = [each.name.value for each in params.params][: len(positional)]
    if len(names) < len(positional):
        return "too_many", f"{name} takes fewer arguments"
    keywords = {each.keyword.value for each in call.args if each.keyword is not None}
    if keywords & set(names) or any(each.startswith("__") for each in names):
        return "named", "a parameter is named already, or has a name that classes change"
    if any(isinstance(each, cst.GeneratorExp | cst.NamedExpr) and not each.lpar
           for each in positional):  # fmt: skip
        return "bare_argument", "an argument needs parentheses"
    return None


VERSIONS = (KeywordArguments,)
