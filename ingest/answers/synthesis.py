"""A program recast as function synthesis: what is shown, what is asked for, what follows.

The rules of Spiess et al. 2024 (arXiv 2402.02047, section 3.2) for MBPP.
"""

import ast
import io
import tokenize
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ingest.parsing import parse, unix_lines

INDENT = "    "


@dataclass(frozen=True)
class Recast:
    """``prompt + reference + suffix`` is the program again, with the description as docstring."""

    prompt: str
    reference: str
    suffix: str


def recast(source: str, function: str, description: str) -> Recast:
    """Split a program at one top-level function.

    The prompt is the code before the function, its signature, and a docstring with the
    description. The reference is the body, moved to four spaces (four per level where tabs occur).
    The suffix is the code after the function. Raises ValueError when the function is missing or
    the parts would not mean the same program.
    """
    source = unix_lines(source)
    node = _last(parse(source), function)
    lines = source.split("\n")
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
    end = node.end_lineno or node.lineno
    before = "".join(line + "\n" for line in lines[:start])
    after = "\n".join(lines[end:])
    signature, body = _signature_and_body("\n".join(lines[start:end]) + "\n")
    prompt = before + signature.rstrip() + "\n" + docstring(description)
    suffix = "\n" + after.rstrip() + "\n" if after.strip() else ""
    meaning = _meaning(source)
    if meaning is None:
        raise ValueError("the program does not parse")
    for reference in [_levelled(body)] if "\t" in body else [_moved(body), _levelled(body)]:
        if _meaning(prompt + reference + suffix, without_docstring_of=function) == meaning:
            return Recast(prompt, reference, suffix)
    raise ValueError(f"splitting at {function!r} changes the program")


def function_under_test(source: str, asserts: Sequence[str]) -> str:
    """Return the function under test: the first callee in each assert that the program defines.

    Raises ValueError when the asserts name none, or more than one.
    """
    defined = {node.name for node in _functions(parse(unix_lines(source)))}
    found = {_first_callee(code, defined) for code in asserts}
    names = sorted(name for name in found if name is not None)
    if len(names) != 1 or None in found:
        raise ValueError(f"the asserts do not call one function of the program: {names}")
    return names[0]


def docstring(description: str) -> str:
    """Return a description as the lines of a docstring, four spaces in."""
    text = unix_lines(description).strip().replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    lines = [line.strip() for line in text.split("\n")]
    body = "".join(f"{INDENT}{line}".rstrip() + "\n" for line in lines)
    return f'{INDENT}"""\n{body}{INDENT}"""\n'


def module_docstring(description: str) -> str:
    """Return a text as the docstring of a module, which gives it back between two newlines."""
    text = description.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""\n{text}\n"""\n'


def _last(program: ast.Module, function: str) -> ast.FunctionDef:
    found = [node for node in _functions(program) if node.name == function]
    if not found:
        raise ValueError(f"the program does not define {function!r}")
    return found[-1]


def _functions(program: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in program.body if isinstance(node, ast.FunctionDef)]


def _first_callee(code: str, defined: set[str]) -> str | None:
    calls = [node for node in ast.walk(parse(code)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        if isinstance(call.func, ast.Name) and call.func.id in defined:
            return call.func.id
    return None


def _signature_and_body(code: str) -> tuple[str, str]:
    """Split a function after the colon that ends its signature (and a comment beside it)."""
    depth = 0
    in_signature = False
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.NAME and token.string == "def":
            in_signature = True
        elif token.type == tokenize.OP and token.string in "([{":
            depth += 1
        elif token.type == tokenize.OP and token.string in ")]}":
            depth -= 1
        elif in_signature and depth == 0 and token.string == ":":
            break
    lines = code.split("\n")
    row, column = token.end
    head = "\n".join([*lines[: row - 1], lines[row - 1][:column]])
    rest = lines[row - 1][column:]
    below = "\n".join(lines[row:])
    if rest.strip() and not rest.strip().startswith("#"):
        return head, INDENT + rest.strip() + "\n" + below
    return head + rest, below


def _moved(body: str) -> str:
    """Move a body to four spaces, leaving lines alone that continue a string or a statement."""
    lines = body.rstrip().split("\n")
    first = next(line for line in lines if line.strip() and not line.lstrip().startswith("#"))
    old = first[: len(first) - len(first.lstrip())]
    levels = _levels(lines)
    return _joined(
        INDENT + line[len(old) :] if number in levels and line.startswith(old) else line
        for number, line in enumerate(lines)
    )


def _levelled(body: str) -> str:
    """Give every line of a body four spaces per level: for bodies with tabs."""
    lines = body.rstrip().split("\n")
    levels = _levels(lines)
    return _joined(
        INDENT * levels[number] + line.lstrip() if number in levels else line
        for number, line in enumerate(lines)
    )


def _joined(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _levels(lines: list[str]) -> dict[int, int]:
    """Return the level of each line that begins a statement or comment; the body's own is 1."""
    levels: dict[int, int] = {}
    level = 0
    fresh = True
    code = "if 1:\n" + _joined(lines)
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.INDENT:
            level += 1
        elif token.type == tokenize.DEDENT:
            level -= 1
        elif token.type in (tokenize.NEWLINE, tokenize.NL):
            fresh = fresh or token.type == tokenize.NEWLINE
        elif fresh:
            levels[token.start[0] - 2] = max(level, 1)
            fresh = token.type == tokenize.COMMENT
    return levels


def _meaning(source: str, without_docstring_of: str | None = None) -> str | None:
    """Return the program's syntax tree as text, leaving out the docstring we added."""
    try:
        program = parse(source)
    except SyntaxError:
        return None
    if without_docstring_of is not None:
        del _last(program, without_docstring_of).body[0]
    return ast.dump(program)
