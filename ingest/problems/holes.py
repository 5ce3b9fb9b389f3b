"""Holes in programs: a body that is taken out, to be described and written again.

A program without docstrings is the text before the hole, the code in it, and the text after it. The
released code of round-trip correctness (Allamanis et al. 2024, arXiv 2402.08699) takes the same
body out of HumanEval, but removes docstrings of functions alone.
"""

import ast
import io
import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate

from ingest.parsing import FunctionNode, parse, top_function

CONTEXT = 1024
"""Most characters shown around a hole (the same released code, for regions of projects)."""

CONTEXT_TOKENS = 2048
"""Most tokens shown around a hole by version 2."""

TOKEN = re.compile(r"\w+|[^\w\s]", re.ASCII)
"""A word, a number or a sign, as the views count tokens of code. The vocabulary of a language model
would show each one another prompt."""

LEFT_OUT = "..."
BLANK_LINES = re.compile(r"\A(?:[ \t\f]*(?:\r\n|\r|\n))+")

Window = Callable[[str, str], tuple[str, str]]
"""What takes the text before and after a hole, and returns the parts that are shown."""


@dataclass(frozen=True)
class Hole:
    """Whole lines taken out of a program; ``before`` and ``code`` end with a newline."""

    before: str
    code: str
    after: str

    @property
    def indent(self) -> str:
        """The white space before the first line of the code."""
        lines = (line for line in _lines(self.code) if line.strip() and not _is_comment(line))
        return _indent(next(lines, ""))

    def filled(self, line: str, window: Window) -> str:
        """Return the context with one text in the place of the code."""
        before, after = window(self.before, self.after)
        return before + line + after

    def fitted(self, answer: str) -> str:
        """Return an answer at the indentation of the hole, without blank lines around it."""
        text = BLANK_LINES.sub("", answer).rstrip()
        if not text:
            return ""
        if _indent(text) != self.indent:
            lines = textwrap.dedent(text).split("\n")
            text = "\n".join(self.indent + line if line.strip() else line for line in lines)
        return text + "\n"


class RegionHole(Hole):
    """A hole in a file of a project: the first line of an answer has its indentation too.

    So does the released code for repositories, where an answer may begin behind an indentation
    that the prompt has shown already.
    """

    def fitted(self, answer: str) -> str:
        """Return an answer at the indentation of the hole, its first line in any case."""
        text = super().fitted(answer)
        return self.indent + text.lstrip(" \t") if text else ""


def body_hole(program: str, entry_point: str) -> Hole | None:
    """Return the hole that the body of a function leaves, in the program without docstrings.

    None where there is no such function at the top level, or its body begins beside its header.
    Raises SyntaxError or ValueError for a program that does not parse.
    """
    source = without_docstrings(program)
    function = top_function(parse(source), entry_point)
    if function is None:
        return None
    lines = _lines(source)
    body = function.body
    decorators = getattr(body[0], "decorator_list", [])
    start = min(node.lineno for node in (body[0], *decorators)) - 1
    end = body[-1].end_lineno or body[-1].lineno
    if lines[start][: body[0].col_offset].strip():
        return None
    while not lines[start - 1].strip() or _is_comment(lines[start - 1]):
        start -= 1  # a comment above the body would describe it
    while not lines[start].strip():
        start += 1
    code = "".join(lines[start:end])
    if not code.endswith("\n"):
        code += "\n"
    return Hole("".join(lines[:start]), code, "".join(lines[end:]))


def without_docstrings(program: str) -> str:
    """Return a program without its docstrings and other statements that are only a text.

    HumanEval/115 has its description below an import. Raises SyntaxError or ValueError for a
    program that does not parse.
    """
    lines = _lines(program)
    found: list[tuple[ast.stmt, bool]] = []
    for body in _bodies(parse(program)):
        texts = [statement for statement in body if _is_text(statement)]
        found += [(text, len(texts) == len(body) and text is texts[0]) for text in texts]
    # the last first: what is taken out moves nothing that is still to be read
    for text, stands_for_body in sorted(found, key=_place, reverse=True):
        _take_out(lines, text, alone=stands_for_body)
    return "".join(lines)


def context(before: str, after: str, most: int = CONTEXT) -> tuple[str, str]:
    """Return the lines nearest to a hole, at most ``most`` characters in all, half on each side.

    Room that one side leaves unused goes to the other. Lines left out are marked.
    """
    room = most // 2
    left = max(room, most - len(after))
    right = max(room, most - len(before))
    return _last_lines(before, left), _first_lines(after, right)


def token_context(before: str, after: str, most: int = CONTEXT_TOKENS) -> tuple[str, str]:
    """Return the lines nearest to a hole, at most ``most`` tokens in all, half on each side.

    Room that one side leaves unused goes to the other. Lines left out are marked.
    """
    above, below = _lines(before), _lines(after)
    room = most // 2
    left = max(room, most - len(TOKEN.findall(after)))
    right = max(room, most - len(TOKEN.findall(before)))
    n_above = _n_fitting(reversed(above), left)
    n_below = _n_fitting(below, right)
    mark = f"{LEFT_OUT}\n"
    return (
        mark * (n_above < len(above)) + "".join(above[len(above) - n_above :]),
        "".join(below[:n_below]) + mark * (n_below < len(below)),
    )


def _n_fitting(lines: Iterable[str], most: int) -> int:
    """Return how many of the first lines have at most ``most`` tokens together."""
    totals = accumulate(len(TOKEN.findall(line)) for line in lines)
    return sum(total <= most for total in totals)


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their ends; a line ends as Python's do."""
    return io.StringIO(text, newline="").readlines()


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip(" \t"))]


def _last_lines(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    kept = text[len(text) - most :].partition("\n")[2]
    return f"{LEFT_OUT}\n{kept}"


def _first_lines(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    kept = text[:most].rpartition("\n")[0]
    return f"{kept}\n{LEFT_OUT}\n" if kept else f"{LEFT_OUT}\n"


def _place(found: tuple[ast.stmt, bool]) -> tuple[int, int]:
    return found[0].lineno, found[0].col_offset


def _bodies(tree: ast.Module) -> list[list[ast.stmt]]:
    """Return the bodies that may have a docstring."""
    owners = ast.Module | ast.ClassDef | FunctionNode
    return [node.body for node in ast.walk(tree) if isinstance(node, owners)]


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _take_out(lines: list[str], text: ast.stmt, *, alone: bool) -> None:
    """Remove a text; put ``pass`` in its place where it is a whole body or shares a line."""
    first, last = text.lineno - 1, (text.end_lineno or text.lineno) - 1
    head = lines[first].encode()[: text.col_offset].decode()
    tail = lines[last].encode()[text.end_col_offset :].decode()
    stands_alone = not head.strip() and (not tail.strip() or tail.lstrip().startswith("#"))
    if stands_alone and not alone:
        lines[first : last + 1] = []
    else:
        lines[first : last + 1] = [f"{head}pass{tail}"]
