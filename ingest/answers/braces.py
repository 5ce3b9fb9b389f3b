"""Where a function in a language with braces ends, and which fenced block of an answer has it.

Strings and comments are passed over. A quote that a language uses otherwise, as Rust does for
lifetimes, passes over no more than its line.
"""

import re
from collections.abc import Sequence, Set

from ingest.answers.extract import Extracted, blocks_of
from ingest.answers.truncate import Kept, at_stop

RULE = "fenced_language_v1"
END_RULE = "braces_end_v1"

TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'|[{}]",
    re.DOTALL,
)
CLOSING = re.compile(r"\s*\}")


def braces_end_v1(raw: str, stop: Sequence[str] = ()) -> Kept:
    """Keep up to the brace that closes the function, and those that follow it at once."""
    kept = at_stop(raw, stop)
    depth = 0
    for token in TOKEN.finditer(kept.text):
        depth += {"{": 1, "}": -1}.get(token.group(), 0)
        if depth < 0:
            end = token.end()
            while closing := CLOSING.match(kept.text, end):
                end = closing.end()
            return Kept(kept.text[:end] + "\n", 0, end)
    return kept


def fenced_language_v1(raw: str, labels: Set[str], entry_point: str | None) -> Extracted:
    """Keep the one block of an answer in a language; ``labels`` are the language's names.

    Of several, the last that names the entry point, else the last. Blocks without a label count
    where none is labelled so. Without any fence, an answer that names it and has braces is code.
    """
    blocks = list(blocks_of(raw))
    own = [block for block in blocks if block.label in labels]
    own = own or [block for block in blocks if not block.label]
    if len(own) == 1:
        return Extracted(own[0].code)
    if own:
        naming = [block for block in own if entry_point and entry_point in block.code.text]
        chosen = (naming or own)[-1]
        detail = f"{len(own)} blocks of the language: took number {own.index(chosen) + 1}"
        return Extracted(chosen.code, (("several_blocks", detail),))
    if blocks:
        found = ", ".join(sorted({block.label[:20] for block in blocks}))
        return Extracted(Kept("", 0, 0), (("wrong_language", f"only blocks of: {found}"),))
    if entry_point and entry_point in raw and "{" in raw:
        return Extracted(Kept(raw, 0, len(raw)))
    return Extracted(Kept("", 0, 0), (("no_code", "no fenced block, and the text is no program"),))
