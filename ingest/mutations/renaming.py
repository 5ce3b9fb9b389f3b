"""Which variables may be renamed, why the others may not, and where new names come from."""

import keyword
import re
import string
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import libcst as cst
import numpy as np

from ingest.mutations.analysis.statements.error_texts import Unbound, tells
from ingest.mutations.base import Decline, Edit, Mutated, Mutation, Site
from ingest.mutations.source.program import WORD, ParsedProgram
from ingest.mutations.source.purity import BUILTINS
from ingest.mutations.source.scopes import Kind, Occurrence, Role, Variable

GENERATOR = f"numpy {np.__version__} PCG64"
"""What new names are drawn with; a row that holds a seed names it."""

NAME_LENGTH = 5
RESERVED = BUILTINS | set(keyword.kwlist) | {"_", "case", "match", "type"}
DYNAMIC_CALLS = frozenset({"exec", "eval", "locals", "vars", "dir", "globals"})
DYNAMIC_MODULES = frozenset(
    {"__annotations__", "__builtins__", "__main__", "_getframe", "builtins", "currentframe"}
)
DYNAMIC_ATTRIBUTES = frozenset(
    {"_getframe", "currentframe", "f_locals", "f_globals", "getsource", "modules"}
    | {"__builtins__", "__code__", "__globals__"}
)
LINE_READERS = frozenset(
    {"co_firstlineno", "f_lineno", "format_exc", "format_exception", "format_stack", "format_tb"}
    | {"__code__", "inspect", "lineno", "tb_lineno", "traceback"}
)
NAME_ERRORS = frozenset({"NameError", "UnboundLocalError"})
PARAMETER = ("parameter", "a parameter may be passed by name")
TOLD = ("told", "the program may tell an error that names it while it has no value")
TYPE_COMMENT = re.compile(r"#\s*type:\s*(.*)")


@dataclass(frozen=True)
class KeptName:
    """A variable that keeps its name, and why."""

    variable: Variable
    code: str
    why: str


def local_variables(program: ParsedProgram) -> Iterator[Variable | KeptName]:
    """Yield the assigned names inside the entry point; those that must keep their name as such.

    Parameters, imports, functions and classes are no local variables, unless assigned as well.
    """
    typed = type_comment_words(program)
    unbound = Unbound(program) if tells(program, UnboundLocalError) else None
    for variable in program.scopes.variables.values():
        scope = variable.scope
        if scope is None or Role.STORE not in variable.roles or not scope.within(program.scope):
            continue
        reason = PARAMETER if Role.PARAMETER in variable.roles else None
        reason = reason or name_reason(program, variable, typed)
        if reason is None and unbound is not None and unbound.may_be(variable):
            reason = TOLD
        yield variable if reason is None else KeptName(variable, *reason)


def dynamic_reason(
    program: ParsedProgram, used: Iterable[Occurrence] | None = None
) -> tuple[str, str] | None:
    """Say by which name variables may be reached as data, if there is one.

    Calls count among the names that are ``used``, those inside the entry point unless asked
    otherwise. What reaches into other functions' variables counts anywhere in the program.
    """
    names = (
        each.name
        for each in (occurrences_inside(program) if used is None else used)
        if each.name in DYNAMIC_CALLS and program.scopes.is_free(each.node)
    )
    modules = (each.name for each in program.scopes.occurrences if each.name in DYNAMIC_MODULES)
    attributes = (
        node.attr.value
        for node in program.nodes.of(cst.Attribute)
        if node.attr.value in DYNAMIC_ATTRIBUTES
    )
    name = next(chain(names, modules, attributes), None)
    return None if name is None else ("dynamic", f"{name} reaches variables by name")


def line_reason(program: ParsedProgram) -> tuple[str, str] | None:
    """Say by which word the program may reach its own text or its line numbers, if by one."""
    if program.words & LINE_READERS:
        return "dynamic", "the program may tell its line numbers"
    return None


def name_told_reason(program: ParsedProgram) -> tuple[str, str] | None:
    """Say how names may be reached as data, or shown by an error that the program expects."""
    if program.words & NAME_ERRORS:
        return "dynamic", "an error may tell a name"
    return dynamic_reason(program)


def occurrences_inside(program: ParsedProgram) -> Iterator[Occurrence]:
    """Yield the names inside the entry point."""
    for occurrence in program.scopes.occurrences:
        if occurrence.scope.within(program.scope):
            yield occurrence


def fresh_name(generator: np.random.Generator, taken: Collection[str]) -> str:
    """Draw five lower-case letters until they are no keyword, no builtin and not taken."""
    while True:
        letters = generator.integers(len(string.ascii_lowercase), size=NAME_LENGTH)
        name = "".join(string.ascii_lowercase[letter] for letter in letters)
        if name not in RESERVED and name not in taken:
            return name


def generator_of(seed: int) -> np.random.Generator:
    """Return the random generator of a seed."""
    return np.random.Generator(np.random.PCG64(seed))


class Renaming(Mutation):
    """Renames every occurrence at its site, once the new names are drawn."""

    def apply(self, source: str, site: Site, seed: int) -> Mutated | Decline:
        """Rename; the new names depend on the seed and on the words of the text alone."""
        names = list(dict.fromkeys(edit.text for edit in site.edits))
        new = self.new_names(names, frozenset(WORD.findall(source)), seed)
        edits = [Edit(edit.start, edit.end, new[edit.text]) for edit in site.edits]
        return self._checked(source, site, seed, edits, tuple(new.items()))

    def new_names(self, names: list[str], words: frozenset[str], seed: int) -> Mapping[str, str]:
        """Return a new name for each, in the same order."""
        generator = generator_of(seed)
        new: dict[str, str] = {}
        for name in names:
            new[name] = fresh_name(generator, words | set(new.values()))
        return new

    def rename_site(self, program: ParsedProgram, nodes: Collection[cst.Name]) -> Site | Decline:
        """Return the site that renames these occurrences, if the cut leaves one in sight."""
        edits = [Edit(*program.span(node), program.text(node)) for node in nodes]
        first = min(edit.start for edit in edits)
        line = program.line(first)
        if not program.is_kept(first):
            return self.decline(line, "after_cut", "no renamed name is before the cut")
        return self.site(line, edits)


class RenamingAtOnce(Renaming):
    """Renames at one site all variables that may be; there must be ``fewest`` names of them."""

    fewest: ClassVar[int] = 1
    rules = 2

    def variables(self, program: ParsedProgram) -> list[Variable | KeptName]:
        """Return the variables it is about, those that must keep their name as such."""
        return list(local_variables(program))

    def sites(self, program: ParsedProgram) -> list[Site | Decline]:
        """Return one site for the whole entry point, and the variables left out."""
        if (reason := name_told_reason(program)) is not None:
            return [self.decline(None, *reason)]
        found = self.variables(program)
        free = [each for each in found if isinstance(each, Variable)]
        declined = [self._kept(program, each) for each in found if isinstance(each, KeptName)]
        return [self._renamed(program, free), *declined]

    def _renamed(self, program: ParsedProgram, variables: Collection[Variable]) -> Site | Decline:
        """Return the one site that renames all these variables."""
        names = {variable.name for variable in variables}
        if len(names) < self.fewest:
            why = f"{len(names)} local variables may be renamed, {self.fewest} are needed"
            return self.decline(None, "too_few_variables", why)
        return self.rename_site(
            program, [each.node for variable in variables for each in variable.occurrences]
        )

    def _kept(self, program: ParsedProgram, kept: KeptName) -> Decline:
        """Return the refusal for one variable."""
        first = min(program.span(each.node)[0] for each in kept.variable.occurrences)
        return self.decline(program.line(first), kept.code, f"{kept.variable.name}: {kept.why}")


def type_comment_words(program: ParsedProgram) -> frozenset[str]:
    """Return the words of the program's type comments."""
    texts = TYPE_COMMENT.findall(program.source)
    return frozenset(word for text in texts for word in WORD.findall(text))


def name_reason(
    program: ParsedProgram, variable: Variable, typed: frozenset[str]
) -> tuple[str, str] | None:
    """Say why a variable must keep its name, apart from being a parameter."""
    name, roles, scope = variable.name, variable.roles, variable.scope
    assert scope is not None
    if scope.kind == Kind.CLASS:
        return "class_attribute", "a class's names are attributes"
    if Role.DECLARE in roles:
        return "declared", "declared global or nonlocal"
    if roles & {Role.IMPORT, Role.FUNCTION, Role.CLASS}:
        return "definition", "also an import, a function or a class"
    if name.startswith("__"):
        return "dunder", "the name has a special meaning, or is changed inside classes"
    if any(each.node.value != name for each in variable.occurrences):
        return "spelling", "the text spells it otherwise than Python does"
    if any(each.shown for each in variable.occurrences):
        return "shown", "an f-string prints the name"
    if name in typed:
        return "type_comment", "a type comment names it"
    if scope.kind == Kind.MODULE:
        return _module_reason(program, name)
    return None


def _module_reason(program: ParsedProgram, name: str) -> tuple[str, str] | None:
    """Say why a module's variable must keep its name: lookups there may end elsewhere."""
    if not program.trusts_builtins:
        return "star_import", "a star import may bind it"
    if name in BUILTINS:
        return "builtin_name", "while unbound, the name means a builtin"
    if any(scope.kind == Kind.CLASS and name in scope.binds for scope in program.scopes.all):
        return "class_fallback", "a class's body may read it through a name it defines"
    return None
