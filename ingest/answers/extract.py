"""The code inside a chat answer: which fenced block is kept, and what was odd about the answer."""

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.answers.beside import code_before, is_future
from ingest.answers.truncate import Kept, cut_end_v1
from ingest.parsing import UNPARSABLE, FunctionNode, parse, top_function, unix_lines
from ingest.problems.holes import body_hole

RULE = "fenced_v1"
CUT_RULE = "fenced_cut_v1"
PYTHON = {"python", "python3", "py", "py3"}

MARK = re.compile("^\ufeff", re.MULTILINE)
FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})(?P<label>[^\n`]*)$", re.MULTILINE)


@dataclass(frozen=True)
class Extracted:
    """The kept part of an answer, and its issues as (code, detail)."""

    kept: Kept
    issues: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Block:
    """A fenced block: its label in lower case, its code, and where the code begins and ends."""

    label: str
    code: Kept


def fenced_v1(raw: str, entry_point: str | None) -> Extracted:
    """Keep the one Python block of an answer.

    Of several, the last that defines the entry point, else the last. Blocks without a label count
    as Python where none is labelled so. Without any fence the whole answer is kept if it is code.
    A block that was never closed ends with the answer. Nothing is kept where there is no code.
    """
    blocks = list(blocks_of(raw))
    python = [block for block in blocks if block.label in PYTHON]
    python = python or [block for block in blocks if not block.label]
    if len(python) == 1:
        return Extracted(python[0].code)
    if python:
        defining = [block for block in python if defines(block.code.text, entry_point)]
        chosen = (defining or python)[-1]
        place = python.index(chosen) + 1
        why = "the last that defines the function" if defining else "none defines the function"
        detail = f"{len(python)} blocks of Python: took number {place}, {why}"
        return Extracted(chosen.code, (("several_blocks", detail),))
    if blocks:
        labels = ", ".join(sorted({block.label[:20] for block in blocks}))
        return Extracted(Kept("", 0, 0), (("wrong_language", f"only blocks of: {labels}"),))
    if _is_code(raw):
        return Extracted(Kept(raw, 0, len(raw)))
    return Extracted(Kept("", 0, 0), (("no_code", "no fenced block, and the text is no program"),))


def fenced_any_v1(raw: str) -> Extracted:
    """Keep the last fenced block of an answer, of any language; without any, the whole answer."""
    blocks = list(blocks_of(raw))
    if not blocks:
        return Extracted(Kept(raw, 0, len(raw)))
    issue = ("several_blocks", f"{len(blocks)} blocks: took the last")
    return Extracted(blocks[-1].code, (issue,) if len(blocks) > 1 else ())


def fenced_cut_v1(raw: str, entry_point: str | None, given: str) -> Extracted:
    """Keep the program that continues the given lines; the block is chosen as in fenced_v1.

    A block that holds the given lines first, white space at line ends apart, is the program. One
    that does not define the entry point is what follows them. One that defines it with other lines
    completes nothing, and is not kept.
    """
    found = fenced_v1(raw, entry_point)
    code = found.kept
    if not code.text.strip():
        return found
    lines = [line.rstrip() for line in given.rstrip().splitlines()]
    if [line.rstrip() for line in code.text.splitlines()[: len(lines)]] == lines:
        return found
    if defines(code.text, entry_point):
        changed = ("no_code", "the lines given were changed: nothing completes them")
        return Extracted(Kept("", 0, 0), (*found.issues, changed))
    n = len(code.text) if entry_point is None else cut_end_v1(code.text, (), given).end
    return Extracted(Kept(given + code.text[:n], code.start, code.start + n), found.issues)


def is_body(text: str) -> bool:
    """Say whether a text is the body of a function; a word like ``Sorry`` parses and is none."""
    lines = textwrap.dedent(text).split("\n")
    try:
        (function,) = parse("def _():\n" + "\n".join(f"    {line}" for line in lines)).body
    except UNPARSABLE:
        return False
    return any(not isinstance(node, ast.Expr) for node in getattr(function, "body", ()))


def inner_body(code: str, entry_point: str) -> str:
    """Return the body of the function where an answer repeats its header, else the answer.

    What the answer imports and defines beside the function goes before the body.
    """
    text = unix_lines(code)
    try:
        tree = parse(text)
        function = top_function(tree, entry_point)
        if function is None:
            return code
        hole = body_hole(text, entry_point)
        beside = [
            each
            for each in tree.body
            if not isinstance(each, ast.Expr)
            and not is_future(each)
            and not (isinstance(each, FunctionNode) and each.name == entry_point)
        ]
        before = code_before(text, beside, function)
    except UNPARSABLE:
        return code
    segments = [ast.get_source_segment(text, each) or "" for each in function.body]
    return "\n".join([*before, textwrap.dedent(hole.code) if hole else "\n".join(segments)])


def without_marks(text: str) -> str:
    """Return an answer with an empty line for a byte order mark before a line: places stay."""
    return MARK.sub("\n", text)


def blocks_of(raw: str) -> Iterator[Block]:
    """Yield the fenced blocks; a fence closes with at least its own marks and no label."""
    opened: re.Match[str] | None = None
    for fence in FENCE.finditer(raw):
        if opened is None:
            opened = fence
        elif fence["marks"].startswith(opened["marks"]) and not fence["label"].strip():
            yield _block(raw, opened, fence.start())
            opened = None
    if opened is not None:
        yield _block(raw, opened, len(raw))


def _block(raw: str, opened: re.Match[str], end: int) -> Block:
    label = opened["label"].split()
    start = min(opened.end() + 1, end)
    code = raw[start:end]
    if indent := len(opened["indent"]):
        code = re.sub(rf"^[ \t]{{1,{indent}}}", "", code, flags=re.MULTILINE)
    return Block(label[0].lower() if label else "", Kept(code, start, end))


def _tree(code: str) -> ast.Module | None:
    try:
        return parse(code)
    except UNPARSABLE:
        return None


def defines(code: str, entry_point: str | None) -> bool:
    """Say whether a name is bound at top level; in code that does not parse, by its ``def``."""
    if entry_point is None:
        return False
    tree = _tree(code)
    if tree is None:
        return bool(re.search(rf"^(?:async )?def {re.escape(entry_point)}\b", code, re.MULTILINE))
    return any(entry_point in _bound(statement) for statement in tree.body)


def _bound(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _is_code(text: str) -> bool:
    """Say whether a text is a program; a word like ``Sorry`` parses and is none."""
    tree = _tree(text)
    return tree is not None and any(not isinstance(node, ast.Expr) for node in tree.body)
