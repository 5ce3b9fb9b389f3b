"""Words that a reader of the project must not meet: they say less than a plain verb does."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.data import ROOT

FORBIDDEN = re.compile(
    r"\b(anew|by effect|told|as far as|(?:go|goes|going) on|of (?:its|their) own"
    r"|(?:speak|speaks|speaking) for|stand|stands)\b(?! for\b|-)",
    re.IGNORECASE,
)
GENERATED = {"views.md", "tables.md", "cli.md", "bad_inputs.md"}
PROSE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
ASIDE = {"migrations_sql", "staging", "target", "logs", "starter_problems"}
CODE = re.compile(r"leaves: \w+")
"""A heading of an example names the code of a refusal, and codes are stored."""


def pages() -> Iterator[Path]:
    """Yield the pages that are written by hand; the changelog keeps what it said."""
    yield from (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "Makefile")
    yield from (path for path in (ROOT / "docs").rglob("*.md") if path.name not in GENERATED)


def read_by_people(path: Path) -> Iterator[str]:
    """Yield the parts of a file that are prose: comments, docstrings, messages, descriptions."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md" or path.name == "Makefile":
        yield PROSE.sub(" ", text)
    elif path.suffix == ".py":
        yield from (
            token.string
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT
        )
        yield from (
            node.value
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
        )
    elif path.suffix == ".sql":
        yield from re.findall(r"--[^\n]*|\{#.*?#\}", text, re.DOTALL)
    else:
        yield from re.findall(r"(?:#|description:|\w+ = \").*", text)


@pytest.mark.parametrize(
    "room", ["pages", "models", "warehouse", "ingest", "runners", "dbt", "configs"]
)
def test_no_forbidden_word_is_read(room: str) -> None:
    if room == "pages":
        paths = list(pages())
    else:
        kinds = {".py", ".sql", ".yml", ".md", ".toml"}
        paths = [path for path in (ROOT / room).rglob("*") if path.suffix in kinds]
    found = {
        f"{path.relative_to(ROOT)}: {text[max(0, word.start() - 30) : word.end() + 20]!r}"
        for path in paths
        if not ASIDE & set(path.parts)
        for text in (CODE.sub("", part) for part in read_by_people(path))
        for word in FORBIDDEN.finditer(text)
    }
    assert len(paths) > 5
    assert found == set()


def test_a_forbidden_word_would_be_seen(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text('"""It stands here."""\nA = "it goes on"  # made anew\nB = "stand-in"\n')
    found = [word[0] for text in read_by_people(file) for word in FORBIDDEN.finditer(text)]
    assert sorted(found) == ["anew", "goes on", "stands"]
    view = tmp_path / "x.sql"
    view.write_text("{#- told\n  anew -#}\nselect told -- of its own\nfrom anew\n")
    found = [word[0] for text in read_by_people(view) for word in FORBIDDEN.finditer(text)]
    assert found == ["told", "anew", "of its own"]
