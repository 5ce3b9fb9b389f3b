"""Independent swap: two statements that do not depend on each other change places."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

import libcst as cst

from ingest.mutations.analysis.aliases import Aliases, aliases_of
from ingest.mutations.analysis.effects import Effects, Unknown, effects_of, independent
from ingest.mutations.analysis.own_types import makes_classes
from ingest.mutations.analysis.places import independent_by_place, lists_of, places_of
from ingest.mutations.analysis.visible import GUARDS, Visible, is_guarded
from ingest.mutations.base import Changes, Decline, Edit, Examples, Leaves, Mutation, Site, code
from ingest.mutations.renaming import dynamic_reason, line_reason
from ingest.mutations.source.program import Program
from ingest.mutations.source.scopes import Variable
from ingest.mutations.source.tree import bare_string, children

HOLDERS = (
    cst.BaseStatement,
    cst.BaseSuite,
    cst.Else,
    cst.Finally,
    cst.ExceptHandler,
    cst.ExceptStarHandler,
    cst.MatchCase,
)
Block = tuple[Sequence[cst.CSTNode], bool]
"""The statements of a block, and whether it stands under a ``try`` or ``with``."""


class IndependentSwap(Mutation):
    """Two neighbours in one block, both before the cut.

    Assumed of the arguments: they are no iterators that are used up by reading, and comparing,
    adding or indexing them changes nothing. Where both statements raise, the other error comes
    first.
    """

    name = "independent_swap"
    rules = 2
    examples: ClassVar[Examples] = (
        Changes(
            code("""
                def f(a):
                    x = a[0]  # the first
                    y = [i for i in a if i > 0]
                    x += len(y)
                    return x
            """),
            code("""
                def f(a):
                    y = [i for i in a if i > 0]
                    x = a[0]  # the first
                    x += len(y)
                    return x
            """),
        ),
        Leaves(
            code("""
                def f(a):
                    x = a[0]
                    y = x + 1
                    y += 1
                    return y
            """),
            "dependent",
        ),
        Leaves(
            code("""
                def f(a):
                    b = a
                    b.append(1)
                    y = len(a)
                    z = y
                    y += 1
                    return y, z
            """),
            "dependent",
        ),
        Leaves(
            code("""
                def f(a):
                    b = iter(a)
                    x = sum(b)
                    y = list(b)
                    y += [1]
                    return x, y
            """),
            "unknown_call",
        ),
        Leaves(
            code("""
                def f(a):
                    x = g(a)
                    y = len(a)
                    y += 1
                    return x, y
            """),
            "unknown_call",
        ),
        Leaves(
            code("""
                def f(a):
                    try:
                        x = a[1]
                        y = a[0]
                    except IndexError:
                        x = 0
                    return x
                    pass
            """),
            "guarded",
        ),
        Leaves(
            code("""
                def f(a):
                    if a:
                        return 0
                    y = a[0]
                    y += 1
                    return y
            """),
            "jump",
        ),
        Leaves(
            code('''
                def f(a):
                    """Double."""
                    y = a + a
                    return y
                    pass
                    pass
            '''),
            "jump",
        ),
        Leaves(
            code("""
                from collections import Counter

                def f(a):
                    b = Counter(a).elements()
                    x = sum(b)
                    y = list(b)
                    return x, y
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                it = iter([1, 2])

                def f(a):
                    x = sum(it)
                    y = list(it)
                    return x, y
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                def f(a, b=iter([1, 2])):
                    x = sum(b)
                    y = list(b)
                    return x, y
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                def f(a):
                    def g(b):
                        x = sum(b)
                        y = list(b)
                        return x, y
                    return g(iter(a))
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                def f(a):
                    def put(b):
                        b.append(iter(a))
                    c = []
                    d = c
                    put(d)
                    x = sum(c[0])
                    y = list(c[0])
                    return x, y
                    pass
                    pass
                    pass
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                def f(a):
                    b = [0]
                    x = any(map(lambda c: c.append(1), [b]))
                    y = len(b)
                    return x, y
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                done = []
                how = {'key': lambda x: done.append(x) or x}

                def f(a):
                    x = max([1, 2], **how)
                    y = len(done)
                    return x, y
                    pass
            """),
            "callback",
        ),
        Leaves(
            code("""
                from collections import defaultdict

                def f(a):
                    d = defaultdict(int)
                    x = '{0[k]}'.format(d)
                    y = len(d)
                    return x, y
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                from collections import defaultdict

                def f(a):
                    d = defaultdict(int)
                    x = f'{d[0]}'
                    y = len(d)
                    return x, y
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                from collections import defaultdict

                def f(a):
                    d = defaultdict(int)
                    x = '%(k)s' % d
                    y = len(d)
                    return x, y
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                import xml.etree.ElementTree as ET

                root = ET.fromstring('<a><b>1</b></a>')

                def f(a):
                    x = root.find('b')
                    x.text = '2'
                    y = root[0].text
                    return y
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                xs = []
                C = type('C', (), {'__add__': lambda self, other: xs.append(1)})

                def f(a):
                    x = C() + 1
                    y = len(xs)
                    return y
                    pass
            """),
            "user_class",
        ),
    )
    farthest: ClassVar[int] = 1
    knows_places: ClassVar[bool] = False
    lists: frozenset[Variable] = frozenset()

    def sites(self, program: Program) -> list[Site | Decline]:
        """Return the pairs that may change places, and the neighbours that may not."""
        if makes_classes(program):
            return [self.decline(None, "user_class", "operators may mean anything")]
        if (reason := dynamic_reason(program) or line_reason(program)) is not None:
            return [self.decline(None, *reason)]
        aliases = aliases_of(program)
        visible = Visible(program, aliases)
        self.lists = lists_of(program, aliases) if self.knows_places else frozenset()
        found: list[Site | Decline] = []
        for statements, guarded in _blocks(program, program.region):
            found += self._sites_of(program, visible, statements, guarded)
        return found

    def _sites_of(
        self,
        program: Program,
        visible: Visible,
        statements: Sequence[cst.CSTNode],
        guarded: bool,
    ) -> Iterator[Site | Decline]:
        aliases = visible.aliases
        known = [_effects(program, aliases, statement) for statement in statements]
        for place in range(len(statements) - 1):
            last = min(place + self.farthest, len(statements) - 1)
            for far in range(place + 1, last + 1):
                result = self._pair(program, visible, statements, known, place, far, guarded)
                if isinstance(result, Site) or far == place + 1:
                    yield result
                one, other = known[place], known[far]
                if isinstance(one, Unknown) or isinstance(other, Unknown):
                    break
                if far < last and not self._independent(visible, statements, known, place, far):
                    break  # whatever follows, the first cannot pass this one

    def _independent(
        self,
        visible: Visible,
        statements: Sequence[cst.CSTNode],
        known: Sequence[Effects | Unknown],
        place: int,
        far: int,
    ) -> bool:
        one, other = known[place], known[far]
        assert isinstance(one, Effects)
        assert isinstance(other, Effects)
        if independent(one, other, visible.aliases):
            return True
        if not self.lists:
            return False
        touched = [
            places_of(visible.program, statements[each], self.lists) for each in (place, far)
        ]
        return independent_by_place((one, touched[0]), (other, touched[1]), visible.aliases)

    def _pair(
        self,
        program: Program,
        visible: Visible,
        statements: Sequence[cst.CSTNode],
        known: Sequence[Effects | Unknown],
        place: int,
        far: int,
        guarded: bool,
    ) -> Site | Decline:
        spans = [_lines(program, statements[place]), _lines(program, statements[far])]
        line = program.line(spans[0][0])
        if not program.is_kept(spans[1][1] - 1):
            return self.decline(line, "after_cut", "a statement ends after the cut")
        for each in known[place : far + 1]:
            if isinstance(each, Unknown):
                return self.decline(line, each.code, each.why)
        if guarded:
            why = "under a try or with, where half of the work may be seen"
            return self.decline(line, "guarded", why)
        effects = [each for each in known[place : far + 1] if isinstance(each, Effects)]
        alone = all(
            self._independent(visible, statements, known, one, other)
            for one, other in (
                *((place, each) for each in range(place + 1, far + 1)),
                *((each, far) for each in range(place + 1, far)),
            )
        )
        if not alone:
            return self.decline(line, "dependent", "one may depend on the other")
        if _tells(visible, list(zip(statements[place : far + 1], effects, strict=True))):
            why = "an error in one would show what the other has changed outside"
            return self.decline(line, "visible", why)
        texts = [program.source[start:end] for start, end in spans]
        if texts[0] == texts[1]:
            return self.decline(line, "same_text", "both have the same text")
        (start, end), (far_start, far_end) = spans
        return self.site(line, [Edit(start, end, texts[1]), Edit(far_start, far_end, texts[0])])


class IndependentSwap2(IndependentSwap):
    """Also two up to eight statements apart, independent of all that stands between them."""

    version = 2
    farthest = 8  # so that a program of thousands of lines takes time in proportion
    examples: ClassVar[Examples] = (
        Changes(
            code("""
                def f(a):
                    x = a[0]
                    y = a[1]
                    z = [
                        a]
                    return x, y, z
                    pass
                    pass
            """),
            code("""
                def f(a):
                    z = [
                        a]
                    y = a[1]
                    x = a[0]
                    return x, y, z
                    pass
                    pass
            """),
            site=1,
        ),
    )


class IndependentSwap3(IndependentSwap2):
    """Also two that touch different places of one list, written out as numbers."""

    version = 3
    knows_places = True
    examples: ClassVar[Examples] = (
        Changes(
            code("""
                def f(a):
                    b = [0] * 9
                    b[0] = a
                    b[1] += 2
                    return b
                    pass
                    pass
            """),
            code("""
                def f(a):
                    b = [0] * 9
                    b[1] += 2
                    b[0] = a
                    return b
                    pass
                    pass
            """),
        ),
        Leaves(
            code("""
                def f(a):
                    b = [0]
                    b[0] = a
                    b[-1] = 2
                    return b
                    pass
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                def f(a):
                    b = {}
                    b[0] = a
                    b[1] = 2
                    return b
                    pass
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                def f(a):
                    b = [[]] * 2
                    b[0].append(1)
                    b[1].append(2)
                    return b
                    pass
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                def f(a):
                    b = [[0]] * 2
                    b[0] += [1]
                    b[1] += [2]
                    return b
                    pass
                    pass
            """),
            "dependent",
        ),
        Leaves(
            code("""
                def f(a):
                    b = [0, 0]
                    c = b
                    b[0] = a
                    b[1] = c[0]
                    return b
                    pass
                    pass
            """),
            "dependent",
        ),
    )


def _effects(program: Program, aliases: Aliases, statement: cst.CSTNode) -> Effects | Unknown:
    try:
        return effects_of(program, aliases, statement)
    except Unknown as reason:
        return reason


def _tells(visible: Visible, moved: Sequence[tuple[cst.CSTNode, Effects]]) -> bool:
    """Say whether an error tells that the first and the last statement changed places."""
    changing = [visible.is_changed(effects) for _, effects in moved]
    if not any(changing):
        return False
    raising = [visible.may_raise(statement) for statement, _ in moved]
    ends = (0, len(moved) - 1)
    return any(
        (changing[one] and raising[other]) or (changing[other] and raising[one])
        for one in ends
        for other in range(len(moved))
        if one != other
    )


def _blocks(program: Program, node: cst.CSTNode, guarded: bool = False) -> Iterator[Block]:
    """Yield the blocks of a program, of those on lines of their own."""
    if isinstance(node, cst.Module | cst.IndentedBlock):
        yield node.body[_has_docstring(node) :], guarded
    if isinstance(node, cst.ClassDef):
        return
    inner = guarded or isinstance(node, GUARDS)
    if isinstance(node, cst.FunctionDef):
        inner = is_guarded(program, node)
    for part in children(node):
        if isinstance(part, HOLDERS):
            yield from _blocks(program, part, inner)


def _has_docstring(body: cst.Module | cst.IndentedBlock) -> bool:
    """Say whether a block opens with a string, which must stay first to be a docstring."""
    return bool(body.body) and bare_string(body.body[0]) is not None


def _lines(program: Program, statement: cst.CSTNode) -> tuple[int, int]:
    """Return a statement's span, to the end of its last line: a comment there goes along."""
    start, end = program.span(statement)
    line_end = program.line_start(program.line(end - 1) + 1)
    return start, start + len(program.source[start:line_end].rstrip("\r\n"))


VERSIONS = (IndependentSwap, IndependentSwap2, IndependentSwap3)
