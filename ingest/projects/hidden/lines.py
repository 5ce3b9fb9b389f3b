"""The line of a function that line completion hides, and the prompt that leads up to it.

Source: Spiess et al., arXiv 2402.02047, section 3.2.2, and the code that its authors released. A
function qualifies when it has a docstring and a body of more than three lines without it, and tests
execute all of the body. Lines are drawn from those between the first and the last statement of the
body, the docstring left out. A hash of project, path, qualified name and number of the draw
decides. By ``v1`` a line that is blank, a comment or has ``try:`` in it is drawn again. After 101
draws the function is given up. ``v2`` draws among the lines that hold whole statements and nothing
else, so what is asked for can be written on one line.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from ingest.projects.executed import executables
from ingest.projects.functions import (
    FunctionParts,
    LineRange,
    decoded_lines,
    functions_in,
    parsed_source,
)
from ingest.projects.regions import is_lone_string
from models.keys import content_key
from warehouse.errors import BadInput, known_names

MOST_DRAWS = 101
MORE_LINES_THAN = 3
LINE_RULES = ("v1", "v2")


@dataclass(frozen=True)
class HiddenLine:
    """A line of a function that is to be completed.

    ``line`` counts from 1; ``indent`` and ``reference`` are its text, without white space at
    its end. ``n_draws`` says which draw gave it.
    """

    function: FunctionParts
    line: int
    indent: str
    reference: str
    n_draws: int


def hidden_lines(
    project: str,
    path: str,
    source: bytes,
    rules: str = "v1",
    covered: Set[int] | None = None,
) -> list[HiddenLine]:
    """Return one hidden line for each function of a file that qualifies, in the order of lines.

    ``covered`` has the lines of the file that passing tests execute, from 1; without it the body
    need not be covered. Raises BadInput for a file that is no Python.
    """
    if rules not in LINE_RULES:
        raise BadInput(f"no rules for lines {rules!r}{known_names(rules, LINE_RULES)}")
    tree, lines = parsed_source(path, source)
    code = executables(source, path)
    drawable: Sequence[int]
    if rules == "v1":
        drawable = range(1, len(lines) + 1)
        refused = {n for n in drawable if _is_refused(lines[n - 1].strip())}
    else:
        drawable, refused = _whole_lines(tree, lines), set()
    found = []
    for function in functions_in(path, source):
        body = _long_body(function)
        if body is None or not (covered is None or code.all_covered(body, covered)):
            continue
        within = [n for n in drawable if body.first <= n <= body.last]
        for n_draws, line in enumerate(_draws(project, function, within), 1):
            if line not in refused:
                found.append(_hidden(function, lines[line - 1].rstrip("\r\n"), line, n_draws))
                break
    return found


def text_before(source: bytes, hidden: HiddenLine, *, docstring: bool = True) -> str:
    """Return the lines of a function before its hidden line, from ``def`` on; raises BadInput.

    Without ``docstring`` its lines are left out.
    """
    function = hidden.function
    lines = decoded_lines(function.path, source)
    doc = function.docstring
    left_out = set() if docstring or doc is None else set(range(doc.first, doc.last + 1))
    seen = range(function.signature.first, hidden.line)
    return "".join(lines[n - 1] for n in seen if n not in left_out)


def _long_body(function: FunctionParts) -> LineRange | None:
    """Return the body of a function that qualifies: its lines hold no part of the docstring."""
    body = function.body
    if body is None or function.docstring is None or not function.body_apart:
        return None
    return body if len(body) > MORE_LINES_THAN else None


def _draws(project: str, function: FunctionParts, lines: list[int]) -> Iterator[int]:
    """Yield the drawn lines in their order; nothing where there are no lines."""
    for n_draws in range(MOST_DRAWS if lines else 0):
        key = content_key("hidden_line", project, function.path, function.qualname, n_draws)
        yield lines[int(key, 16) % len(lines)]


def _hidden(function: FunctionParts, text: str, line: int, n_draws: int) -> HiddenLine:
    reference = text.lstrip()
    indent = text[: len(text) - len(reference)]
    return HiddenLine(function, line, indent, reference.rstrip(), n_draws)


def _is_refused(text: str) -> bool:
    return not text or text.startswith("#") or "try:" in text


def _whole_lines(tree: ast.Module, lines: list[str]) -> list[int]:
    """Return the lines that hold whole statements and nothing else but a comment, in order.

    A string alone, an ``elif`` and what has a decorator on a line above are no whole statements.
    """
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno == node.end_lineno:
            text = lines[node.lineno - 1].encode()[node.col_offset :]
            is_elif = isinstance(node, ast.If) and text.startswith(b"elif")
            if not (is_elif or is_lone_string(node) or getattr(node, "decorator_list", [])):
                spans[node.lineno].append((node.col_offset, node.end_col_offset or 0))
    return sorted(line for line, held in spans.items() if _fill(held, lines[line - 1].encode()))


def _fill(spans: list[tuple[int, int]], line: bytes) -> bool:
    """Say whether a line holds only these spans of bytes, and perhaps a comment."""
    before = line[: min(start for start, _ in spans)]
    after = line[max(end for _, end in spans) :].strip()
    return not before.strip() and (not after or after.startswith(b"#"))
