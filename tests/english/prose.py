"""What a person reads of a file, and the sentences in it.

A sentence ends with its full stop, or with its paragraph or list item. A list after a colon, with
semicolons between its items, counts item by item. Headings, tables and blocks of code hold no
sentence. A name counts as one word: a text in backticks, or a word with an underscore. So does a
list of names. What a bracket says of a name is a sentence by itself. Numbers and signs are no
words, and of a link only its text counts.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from textwrap import dedent

import yaml

from tests.data import ROOT

ROOMS = ["pages", "docs", "models", "warehouse", "ingest", "runners", "dbt", "configs", "tests"]
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "pyproject.toml"]
KINDS = {".md", ".py", ".sql", ".toml", ".yml"}
ASIDE = {"migrations_sql", "staging", "target", "logs", "starter_problems"}
GENERATED = {"views.md", "bad_inputs.md"}
"""Their sentences are those of descriptions, docstrings and messages."""

DESCRIBED = {"description", "estimand", "bias"}
SQL_COMMENT = re.compile(r"(?:^[ \t]*--[^\n]*\n)+|--[^\n]*|\{#.*?#\}", re.DOTALL | re.MULTILINE)
HASH_COMMENT = re.compile(r"(?:^[ \t]*#[^\n]*\n)+|(?<= )# [^\n]*", re.MULTILINE)

# What holds no sentence: code, literal blocks, tables, headings, marks of HTML and of dbt.
NO_PROSE = re.compile(
    r"^ *```.*?^ *```|::[ ]*\n(?:[ ]*\n|[ ]{4}[^\n]*(?:\n|\Z))+|^ *=====.*^ *=====[= ]+$"
    r"|^ *(?:\||\#{1,6} |<|alt=)[^\n]*$|\{%.*?%\}",
    re.DOTALL | re.MULTILINE,
)
PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )")
ABBREVIATION = re.compile(r"\b(e\.g|i\.e|et al|vs|cf|Fig|Eq|Sec|p|pp|No)\. ")
END = re.compile(r"(?<=[.!?])[)\"'”*]*[ ]+")
NEXT = "\0"
BRACKET = re.compile(r"\([^()]*\)")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
NAME = re.compile(r"``[^`]*``|`[^`]*`|(?<![\w`])[a-z0-9]+_\w+(?:\(\))?")
GLOSS = re.compile(r"` \(([^()]*)\)")
NAMES = re.compile(r"`(?:(?:, and|, or|,| and| or) `)+")


def files(room: str) -> list[Path]:
    """Return the files of a room that people write; migrations that shipped stay as they are."""
    paths = [ROOT / page for page in PAGES] if room == "pages" else (ROOT / room).rglob("*")
    return [
        path
        for path in paths
        if (path.suffix in KINDS or path.name == "Makefile")
        and not ASIDE & set(path.parts)
        and not (path.parent == ROOT / "docs" and path.name in GENERATED)
    ]


def prose_of(path: Path) -> Iterator[str]:
    """Yield the prose of a file: pages, docstrings, comments, messages, help and descriptions."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield text
    elif path.suffix == ".py":
        tree = ast.parse(text)
        yield from docstrings(tree)
        yield from messages(tree)
        yield from comments(text)
    elif path.suffix == ".sql":
        for found in SQL_COMMENT.findall(text):
            yield re.sub(r"^\s*--|\{#-?|-?#\}", "", found, flags=re.MULTILINE)
    else:
        if path.suffix == ".yml":
            yield from descriptions(yaml.compose(text))
        for found in HASH_COMMENT.findall(text):
            yield re.sub(r"^\s*#", "", found, flags=re.MULTILINE)


def docstrings(tree: ast.AST) -> Iterator[str]:
    """Yield the docstrings of modules, classes, functions and attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                first, _, rest = text.partition("\n")
                yield f"{first}\n{dedent(rest)}"


def messages(tree: ast.AST) -> Iterator[str]:
    """Yield the texts that are raised, and the help of options; a value in them is a name."""
    for node in ast.walk(tree):
        match node:
            case ast.Raise(exc=ast.expr() as said) | ast.keyword(arg="help", value=said):
                yield from strings(said)


def strings(said: ast.AST) -> Iterator[str]:
    """Yield the string literals of an expression."""
    match said:
        case ast.JoinedStr(values=parts):
            yield "".join(str(p.value) if isinstance(p, ast.Constant) else "`x`" for p in parts)
        case ast.Constant(value=str(text)) if " " in text:
            yield text
        case _:
            for child in ast.iter_child_nodes(said):
                yield from strings(child)


def comments(text: str) -> Iterator[str]:
    """Yield the comments of Python code, those on lines that follow each other as one."""
    found = [
        token
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    ]
    places = {
        token.start[0]: token.string[1:] if token.line.lstrip().startswith("#") else None
        for token in found
    }
    for _, block in groupby(enumerate(sorted(places)), key=lambda place: place[1] - place[0]):
        for whole, lines in groupby((line for _, line in block), key=lambda n: places[n] is None):
            if not whole:
                yield "\n".join(str(places[line]) for line in lines)
    yield from (token.string[1:] for token in found if places[token.start[0]] is None)


def descriptions(node: yaml.Node | None) -> Iterator[str]:
    """Yield what a YAML file says of its views and columns."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value in DESCRIBED and isinstance(value, yaml.ScalarNode):
                yield value.value
            else:
                yield from descriptions(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from descriptions(value)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, each name in them as a backtick."""
    for paragraph in PARAGRAPH.split(NO_PROSE.sub("\n\n", text)):
        line = ABBREVIATION.sub(r"\1 ", LINK.sub(r"\1", " ".join(paragraph.split())))
        line = NAME.sub("`", line)
        yield from GLOSS.findall(line)
        line = BRACKET.sub(lambda found: found[0].replace(";", ","), GLOSS.sub("`", line))
        for sentence in END.split(NAMES.sub("`", line)):
            first, colon, items = sentence.partition(": ")
            yield from f"{first}{colon}{items.replace('; ', NEXT)}".split(NEXT)


def n_words(sentence: str) -> int:
    """Return the number of words: what holds a letter, or is a name."""
    return sum(any(c.isalpha() or c == "`" for c in word) for word in sentence.split())
