"""Words that a reader of the project must not meet: they say less than a plain verb does."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.data import ROOT
from tests.english.prose import ROOMS, files, prose_of

FORBIDDEN = re.compile(
    r"\b(anew|by effect|told|as far as|(?:go|goes|going) on|of (?:its|their) own"
    r"|(?:speak|speaks|speaking) for|stand|stands)\b(?! for\b|-)",
    re.IGNORECASE,
)
CODE = re.compile(r"```.*?```|`[^`]*`|leaves: \w+", re.DOTALL)
"""A heading of an example names the code of a refusal, and codes are stored."""


def read_by_people(path: Path) -> Iterator[str]:
    """Yield the prose of a file, and every text of its code that has a blank in it."""
    yield from prose_of(path)
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from (
            node.value
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
        )
    elif path.suffix == ".toml":
        yield from re.findall(r"\w+ = \"[^\n]*", text)


def one_line(text: str) -> str:
    """Return a text without code and line breaks."""
    return " ".join(CODE.sub(" ", text).split())


@pytest.mark.parametrize("room", ROOMS)
def test_no_forbidden_word_is_read(room: str) -> None:
    paths = [path for path in files(room) if path.name != "CHANGELOG.md"]
    texts = prose_of if room == "tests" else read_by_people  # what tests plant is not read
    found = {
        f"{path.relative_to(ROOT)}: {text[max(0, word.start() - 30) : word.end() + 20]!r}"
        for path in paths
        for text in map(one_line, texts(path))
        for word in FORBIDDEN.finditer(text)
    }
    assert len(paths) >= 4
    assert found == set()


def test_a_forbidden_word_would_be_seen(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text('"""It stands here."""\nA = "it goes\\non"  # made anew\nB = "stand-in"\n')
    found = {word for text in read_by_people(file) for word in FORBIDDEN.findall(one_line(text))}
    assert found == {"anew", "goes on", "stands"}
    view = tmp_path / "x.sql"
    view.write_text("{#- told\n  anew -#}\nselect told -- of its own\nfrom anew\n")
    found = {word for text in read_by_people(view) for word in FORBIDDEN.findall(one_line(text))}
    assert found == {"told", "anew", "of its own"}
