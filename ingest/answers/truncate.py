"""Truncate a completion where the function or the line that it writes ends."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

STOPS = ("\nclass", "\ndef", "\n#")
"""Stop strings of the function-end rules (Spiess et al. 2024, section 3.4)."""

CANONICAL_IMPORTS = "canonical_imports_v1"
"""The rule that keeps a whole program behind the imports of its file's own solution."""

FIXED = "<fixed>"
END_FIXED = "</fixed>"
"""The tags around the one line of a repair."""

BODY_INDENT = "    "
TAB_WIDTH = 8
DEFINITION = re.compile(r"(?:async\s+def|def|class)\b")
BESIDE_DEFINITIONS = re.compile(r"(?:async\s+def|def|class|import|from)\b|@")
TELLING = re.compile(r"[#\"'()\[\]{}]")


@dataclass(frozen=True)
class Kept:
    """The kept text, and the span of the raw text it came from (``start`` to ``end``)."""

    text: str
    start: int
    end: int


class TruncationRule(Protocol):
    """What is kept of a text, given the stop strings of its setting."""

    def __call__(self, raw: str, stop: Sequence[str]) -> Kept:
        """Return the kept text."""
        ...


def whole(raw: str, stop: Sequence[str] = ()) -> Kept:
    """Keep everything."""
    return Kept(raw, 0, len(raw))


def at_stop(raw: str, stop: Sequence[str]) -> Kept:
    """Keep what comes before the first stop string."""
    found = [place for place in (raw.find(text) for text in stop if text) if place >= 0]
    end = min(found, default=len(raw))
    return Kept(raw[:end], 0, end)


def function_end_v1(raw: str, stop: Sequence[str] = ()) -> Kept:
    """Keep up to the first later line indented less than the first non-blank line.

    The stop strings apply first, and the first non-blank line is moved to the body's indentation.
    A line inside a triple-quoted string counts like any other: that is the published behaviour.
    """
    kept = at_stop(raw, [*STOPS, *stop])
    lines = kept.text.split("\n")
    return _cut(lines, [False] * len(lines), kept.end, comments_count=True)


def function_end_v2(raw: str, stop: Sequence[str] = ()) -> Kept:
    """Keep up to the first later logical line indented less than the first line of code.

    Never ends inside brackets or strings. A comment in column 0 ends the function only when code in
    column 0 follows it, and sets no indentation where the function begins with it.
    """
    kept = at_stop(raw, stop)
    return _cut(kept.text.split("\n"), list(_continued(kept.text)), kept.end, comments_count=False)


def cut_end_v1(raw: str, stop: Sequence[str], prompt: str) -> Kept:
    """Keep what belongs to the function that the prompt leaves unfinished; nothing is moved.

    Ends before the first logical line in column 0. Brackets and strings that the prompt leaves open
    continue; a comment in column 0 ends the function only when code in column 0 follows it.
    """
    kept = at_stop(raw, stop)
    lines = kept.text.split("\n")
    continued = list(_continued(prompt + kept.text))[prompt.count("\n") :]
    n_lines = _n_inside(lines, continued, 0, 1, comments_count=False)
    end = kept.end if n_lines == len(lines) else sum(len(line) + 1 for line in lines[:n_lines])
    return Kept(raw[:end], 0, end)


def module_end_v1(raw: str, stop: Sequence[str] = ()) -> Kept:
    """Keep a module up to the end of its definitions; nothing is moved.

    For prompts that leave no function open. Ends before the first logical line in column 0 that
    comes after a definition and begins no other one, no decorator and no import. Blank lines and
    comments before it go with it.
    """
    kept = at_stop(raw, stop)
    lines = kept.text.split("\n")
    defined, n_lines = False, 0
    for n, continued in enumerate(_continued(kept.text)):
        line = lines[n]
        if not continued and (not line.strip() or _is_comment(line)):
            continue
        if not continued and _indent_width(line) == 0:
            if defined and not BESIDE_DEFINITIONS.match(line):
                text = "\n".join(lines[:n_lines])
                return Kept(text, 0, len(text))
            defined = defined or bool(DEFINITION.match(line))
        n_lines = n + 1
    return kept


def fixed_line_v1(raw: str, stop: Sequence[str] = ()) -> Kept:
    """Keep the first line with text between ``<fixed>``, if there is one, and ``</fixed>``.

    The white space before it stays, as in a program; that after it goes.
    """
    found = raw.find(FIXED)
    start = found + len(FIXED) if found >= 0 else 0
    kept = at_stop(raw[start:], [END_FIXED, *stop])
    for line in kept.text.split("\n"):
        if line.strip():
            return Kept(line.rstrip(), start, start + len(line.rstrip()))
        start += len(line) + 1
    return Kept("", 0, 0)


def _cut(lines: list[str], continued: list[bool], end: int, *, comments_count: bool) -> Kept:
    """Cut before the first line that leaves the function; ``continued`` lines never do."""
    written = [n for n, line in enumerate(lines) if line.strip()]
    code = written if comments_count else [n for n in written if not _is_comment(lines[n])]
    first = next(iter(code or written), None)
    if first is None:
        return Kept("\n".join(lines), 0, end)
    n_lines = _n_inside(
        lines, continued, first + 1, _indent_width(lines[first]), comments_count=comments_count
    )
    if n_lines < len(lines):
        while n_lines > first + 1 and not lines[n_lines - 1].strip():
            n_lines -= 1
        lines = lines[:n_lines]
        end = len("\n".join(lines))
    return Kept("\n".join(_moved(lines, continued, lines[first], BODY_INDENT)), 0, end)


def _n_inside(
    lines: list[str], continued: list[bool], start: int, width: int, *, comments_count: bool
) -> int:
    """Return how many lines come before the first, from ``start``, indented less than width."""
    comments_from: int | None = None
    for n in range(start, len(lines)):
        line = lines[n]
        if not line.strip() or continued[n]:
            continue
        is_comment = not comments_count and _is_comment(line)
        if _indent_width(line) >= width:
            comments_from = None if not is_comment else comments_from
        elif is_comment:
            comments_from = n if comments_from is None else comments_from
        else:
            return n if comments_from is None else comments_from
    return len(lines)


def reindented(code: str, indent: str) -> str:
    """Return code with another indentation in place of that of its first line of code.

    Lines that begin inside brackets or strings stay as they are.
    """
    lines = code.split("\n")
    first = next((line for line in lines if line.strip() and not _is_comment(line)), lines[0])
    return "\n".join(_moved(lines, list(_continued(code)), first, indent))


def _moved(lines: list[str], continued: list[bool], first: str, indent: str) -> Iterator[str]:
    """Give each line an indentation in place of the first line's."""
    old = first[: len(first) - len(first.lstrip())]
    for n, line in enumerate(lines):
        moves = bool(line.strip()) and not continued[n] and line.startswith(old)
        yield indent + line[len(old) :] if moves else line


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _indent_width(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip())].expandtabs(TAB_WIDTH))


def _continued(code: str) -> Iterator[bool]:
    """Say of each physical line whether it begins inside brackets, a string or a continuation.

    A scanner of our own, because generated code is often cut off and a tokenizer would refuse it.
    """
    quote = ""
    depth = 0
    place = 0
    for line in code.split("\n"):
        yield bool(quote) or depth > 0 or code[max(place - 2, 0) : place] == "\\\n"
        quote, depth = _state_after(line, quote, depth)
        place += len(line) + 1


def _state_after(line: str, quote: str, depth: int) -> tuple[str, int]:
    place = 0
    while place < len(line):
        if not quote:
            found = TELLING.search(line, place)
            if found is None:
                break
            place = found.start()
        letter = line[place]
        if quote:
            if letter == "\\":
                place += 1
            elif line.startswith(quote, place):
                place += len(quote) - 1
                quote = ""
        elif letter == "#":
            break
        elif letter in "\"'":
            quote = letter * 3 if line.startswith(letter * 3, place) else letter
            place += len(quote) - 1
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth = max(depth - 1, 0)
        place += 1
    if len(quote) == 1 and not line.endswith("\\"):
        quote = ""  # a one-line string that was never closed ends with its line
    return quote, depth
