"""Properties of every mutation on generated programs: they parse, behave the same, and repeat."""

import os
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.mutations.base import Mutated, Site, fault, mutations, seed_of, splice
from ingest.mutations.source.cut import Cut
from ingest.mutations.source.lines import NoCut
from tests.support.mutations import applied, parsed

ALL = mutations()
NUMBERS = ("i", "n", "m", "total", "low")
SET_BY_LOOPS = "k"
RANGES = (
    "range(3)",
    "range(n % 4)",
    "range(m % 3, 5, 2)",
    "range(4, low % 3 - 1, -1)",
    "range(total % 2, len(ys) % 6)",
    "range(len(xs) % 5)",
    "range(len(zs) % 5)",
)
LISTS = ("xs", "ys", "zs")
INPUTS = [(0, 3, []), (2, -1, [3, 1, 2]), (5, 5, [0, 0]), (-4, 7, [9, -2, 4, 4])]
N_EXAMPLES = int(os.environ.get("ASSAY_EXAMPLES", "40"))
MANY = settings(max_examples=N_EXAMPLES, derandomize=True)


def programs() -> st.SearchStrategy[str]:
    """Draw functions that always end, over numbers and lists that may be one object.

    Each is written from one drawn number: drawing every word of it is a hundred times slower.
    """
    return st.integers(0, 2**40).map(lambda number: _program(random.Random(number)))


def _program(choice: random.Random) -> str:
    body = _Writer(choice).block(depth=0, size=choice.randint(3, 6))
    head = ["def f(a, b, xs):", *['    """Do something."""'] * choice.randint(0, 1)]
    start = [f"    {name} = {choice.randint(0, 3)}" for name in (*NUMBERS, SET_BY_LOOPS)]
    start += ["    ys = [a, b]", choice.choice(["    zs = ys", "    zs = [[b], 1]"])]
    if choice.randint(0, 3):
        choice.shuffle(start)
    end = ["    return " + ", ".join([*NUMBERS, "ys", "zs", "str(xs)"])]
    lines = head + start + ["    " + line for line in body] + end
    ends = choice.choice(["\n", "\n", "\r\n"])
    return ends.join(lines) + choice.choice(["", ends])


class _Writer:
    """Writes blocks of statements."""

    def __init__(self, choice: random.Random) -> None:
        self.choice = choice
        self.n_functions = 0

    def one_of(self, *choices: str) -> str:
        return self.choice.choice(choices)

    def number(self, depth: int = 0) -> str:
        if depth > 1 or self.choice.randint(0, 1):
            return self.one_of(
                *NUMBERS, *NUMBERS, SET_BY_LOOPS, "a", "b", "1", "7", f"len({self.a_list()})"
            )
        left, right = self.number(depth + 1), self.number(depth + 1)
        return self.one_of(
            f"({left} + {right}) % 97",
            f"max({left}, {right})",
            f"({left} if {self.condition(2)} else {right})",
            f"sum({self.one_of('n', 'i')} * {left} % 7 for {self.one_of('n', 'q')} in range(3))",
            f"(lambda {self.one_of('n', 'r')}: {left} - 1)({right})",
            f"(m := {left})",
        )

    def a_list(self) -> str:
        return self.one_of(*LISTS)

    def condition(self, depth: int = 0) -> str:
        if depth > 1 or self.choice.randint(0, 1):
            operator = self.one_of("<", "<=", ">", ">=", "==", "!=", "in", "not in", "is")
            if operator in ("in", "not in"):
                return f"{self.one_of(*NUMBERS)} {operator} {self.a_list()}"
            if operator == "is":
                return f"{self.a_list()} is {self.one_of('', 'not ')}{self.a_list()}"
            return f"{self.one_of(*NUMBERS)} {operator} {self.one_of(*NUMBERS, '2')}"
        left, right = self.condition(depth + 1), self.condition(depth + 1)
        return self.one_of(
            f"{left} and {right}",
            f"{left} or {right}",
            f"({left} or {right}) and {left}",
            f"not ({left} and {right})",
            f"not {self.one_of(*NUMBERS)} < 3",
            f"not {self.one_of(*NUMBERS)} or {right}",
            f"0 < {self.one_of(*NUMBERS)} < 9 and {left}",
        )

    def block(self, depth: int, size: int) -> list[str]:
        lines: list[str] = []
        for _ in range(size):
            lines += self.statement(depth)
        return lines

    def inner(self, depth: int) -> list[str]:
        return ["    " + line for line in self.block(depth + 1, self.choice.randint(1, 3))]

    def statement(self, depth: int) -> list[str]:
        kinds = [
            "assign",
            "assign",
            "assign",
            "augment",
            "change",
            "change",
            "tuple",
            "list",
            "fun",
        ]
        if depth < 2:
            kinds += ["if", "if", "if", "for", "while", "try", "with", "match", "class"]
        return getattr(self, "_" + self.one_of(*kinds))(depth)

    def _assign(self, depth: int) -> list[str]:
        note = self.one_of("", "", "  # note")
        return [f"{self.one_of(*NUMBERS)} = {self.number()}{note}"]

    def _augment(self, depth: int) -> list[str]:
        name = self.one_of(*NUMBERS)
        return [f"{name} {self.one_of('+=', '-=')} {self.one_of(*NUMBERS, '1')} % 13"]

    def _change(self, depth: int) -> list[str]:
        name, other = self.a_list(), self.a_list()
        return [
            self.one_of(
                f"{name}.append({self.number()})",
                f"{name}[:1] = {other}[:2]",
                f"{name} += {other}[:2]",
                f"{name}.extend(t for t in {other}[:2])",
                f"{name}.reverse()",
            )
        ]

    def _tuple(self, depth: int) -> list[str]:
        return [f"{self.one_of('i', 'n')}, {self.one_of('m', 'low')} = n, {self.number()}"]

    def _list(self, depth: int) -> list[str]:
        name, other = self.one_of("ys", "zs"), self.a_list()
        return [
            self.one_of(
                f"{name} = {other}",
                f"{name} = [{self.one_of('i', 't')} for {self.one_of('i', 't')} in {other}[:4]]",
                f"{name} = {other}[:3] + [{self.number()}]",
                f"{name} = list(map(lambda t: (t, n), {other}[:2]))",
                f"{name} = f'{{n}}{{m!r:>3}}'.split('1')",
                f"{name} = {other} if {self.condition()} else {name}",
            )
        ]

    def _fun(self, depth: int) -> list[str]:
        self.n_functions += 1
        name = f"g{self.n_functions}"
        outer = ["    nonlocal low"] if self.choice.randint(0, 1) else []
        inside = self.one_of("n", "t")
        return [
            f"def {name}(p, {inside}=1):",
            *outer,
            f"    low = p + {self.one_of('n', 'm', inside)}",
            f"    total = {self.one_of('low', 'i', inside)}",
            "    return total",
            f"{self.one_of(*NUMBERS)} = {name}({self.number()})",
        ]

    def _if(self, depth: int) -> list[str]:
        lines = [f"if {self.condition()}:", *self.inner(depth)]
        if self.choice.randint(0, 9) == 0:
            lines += [f"elif {self.condition()}:", *self.inner(depth)]
        if self.choice.randint(0, 9) > 2:
            lines += ["else:", *self.inner(depth)]
        return lines

    def _for(self, depth: int) -> list[str]:
        over = self.one_of(f"{self.a_list()}[:3]", "enumerate(ys[:2])", *RANGES)
        target = f"{self.one_of('i', 'n')}, {self.one_of('m', 't')}" if "enum" in over else "i"
        target = SET_BY_LOOPS if over in RANGES and self.choice.randint(0, 3) else target
        leave = self.one_of("", "break", "continue")
        lines = [f"for {target} in {over}:", *self.inner(depth)]
        if leave:
            lines += [f"    if {self.condition()}:", f"        {leave}", *self.inner(depth)]
        return lines + (["else:", *self.inner(depth)] if self.choice.randint(0, 1) else [])

    def _while(self, depth: int) -> list[str]:
        counter = f"left{depth}"
        return [
            f"{counter} = 3",
            f"while {counter} > 0 and ({self.condition()}):",
            f"    {counter} -= 1",
            *self.inner(depth),
        ]

    def _try(self, depth: int) -> list[str]:
        lines = ["try:", *self.inner(depth), f"    n = {self.number()} // {self.number(2)}"]
        lines += [
            "except (ZeroDivisionError, TypeError) as error:",
            "    m = len(type(error).__name__)",
        ]
        if self.choice.randint(0, 1):
            lines += ["finally:", *self.inner(depth)]
        return lines

    def _with(self, depth: int) -> list[str]:
        return ["with __import__('contextlib').suppress(Exception) as n:", *self.inner(depth)]

    def _match(self, depth: int) -> list[str]:
        return [
            f"match {self.a_list()}:",
            f"    case [{self.one_of('n', 't')}, *_]:",
            *["    " + line for line in self.inner(depth)],
            f"    case {self.one_of('_', 'm', '[]')}:",
            "        total = 4",
        ]

    def _class(self, depth: int) -> list[str]:
        if self.choice.randint(0, 4):
            return self._assign(depth)
        return [
            "class K:",
            f"    low = {self.one_of('n', 'm')}",
            f"    def m(self, {self.one_of('n', 't')}=2): return [n, self.low]",
            "total = K().m()[1]",
        ]


def outcome(source: str, arguments: tuple[int, int, list[int]]) -> tuple[str, str]:
    """Run a program of our own making; says what came back, or the kind of the error."""
    a, b, xs = arguments
    space: dict[str, Any] = {}
    exec(compile(source, "<generated>", "exec"), space)
    given_list = list(xs)
    try:
        return "value", repr((space["f"](a, b, given_list), given_list))
    except Exception as error:
        return "error", "" if isinstance(error, RecursionError) else type(error).__name__


@pytest.mark.long
@MANY
@given(source=programs(), salt=st.integers(0, 9))
def test_every_result_is_a_program_that_behaves_the_same(source, salt):
    program = parsed(source)
    before = [outcome(source, each) for each in INPUTS]
    for mutation in ALL:
        seed = seed_of(f"p{salt}", mutation.name, mutation.version)
        for site in [each for each in mutation.sites(program) if isinstance(each, Site)][:6]:
            result = mutation.apply(source, site, seed)
            assert isinstance(result, Mutated), (result, source)
            assert fault(result.source) is None
            assert result == mutation.apply(source, site, seed)
            check_edits(source, site, result)
            check_cuts(mutation, source, site, result)
            after = [outcome(result.source, each) for each in INPUTS]
            expected = before
            if mutation.name in (
                "independent_swap",
                "operand_swap",
            ):  # of two errors, the other may come first
                after, expected = _errors_as_one(after), _errors_as_one(before)
            assert after == expected, f"{site}\n{source}\n---\n{result.source}"


def _errors_as_one(outcomes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [each if each[0] == "value" else ("error", "") for each in outcomes]


def check_edits(source: str, site: Site, result: Mutated) -> None:
    """What is outside the spans is untouched, and taking back gives the original."""
    assert splice(result.source, result.undo)[0] == source
    place = end = 0
    for edit, undo in zip(site.edits, result.undo, strict=True):
        assert source[place : edit.start] == result.source[end : undo.start]
        assert source[edit.start : edit.end] == undo.text
        place, end = edit.end, undo.end
    assert source[place:] == result.source[end:]


def check_cuts(mutation: Any, source: str, site: Site, result: Mutated) -> None:
    for version in (1, 2) if mutation.in_paper else (2,):
        cut = mutation.cut(source, site, result, "f", version)
        if isinstance(cut, NoCut):
            assert version == 2 or mutation.name == "def_use_break", cut
            continue
        assert isinstance(cut, Cut)
        assert source.startswith(cut.original)
        assert result.source.startswith(cut.mutated)
        assert cut.original != cut.mutated


@MANY
@given(source=programs())
def test_renaming_back_gives_the_text_back(source):
    program = parsed(source)
    for mutation in ALL:
        if not mutation.name.startswith("names"):
            continue
        for site in [each for each in mutation.sites(program) if isinstance(each, Site)]:
            result = applied(mutation, source, site, 1)
            back = {new: old for old, new in result.names}
            assert len(back) == len(result.names)
            edits = [
                type(edit)(edit.start, edit.end, back[result.source[edit.start : edit.end]])
                for edit in result.undo
            ]
            assert splice(result.source, edits)[0] == source
