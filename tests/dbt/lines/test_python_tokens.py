"""The tokens of Python in SQL, against Python's own tokenizer, and exact match by them."""

import ast
import contextlib
import random
import tokenize
from collections.abc import Iterable, Sequence

import duckdb
import jinja2
import pytest

from tests.data import ROOT
from tests.support.oracles.projects.lines import python_tokens

MACROS = (ROOT / "dbt" / "macros" / "text" / "exact_match.sql").read_text(encoding="utf-8")
WORDS = "x é 名 _a 12 0x_1F 0b1_0 1_0.5e-3j .5 1. 7e1 ( ) [ ] { } , ; : . ~ @ | ^ % # # / < >"
OPERATORS = "= == != := -> ** **= * // //= @= << <<= <= >>= - + ... &= b\"\" rb'\\'' Rb'i' u'e'"
PIECES = (
    *(*WORDS.split(), *OPERATORS.split()),
    *(" ", "  ", "\t", "'a # b'", '"c  d"', "'''f g'''", '"""g"h"""'),
)


def sql(call: str) -> str:
    return jinja2.Template(MACROS + "{{ " + call + " }}").render().strip()


def tokens(texts: Sequence[str]) -> list[list[str]]:
    call = sql("python_tokens('text')")
    query = f"select {call} from (select unnest(?::varchar[]) as text)"
    return [row[0] for row in duckdb.execute(query, [list(texts)]).fetchall()]


def is_statement(text: str) -> bool:
    try:
        ast.parse(text.strip())
    except SyntaxError:
        return False
    return True


def check(texts: Iterable[str], least: int) -> None:
    """Compare the tokens of the texts that Python's tokenizer reads; these must be many."""
    expected = {}
    for text in texts:
        with contextlib.suppress(tokenize.TokenError, SyntaxError):
            expected[text] = python_tokens(text)
    assert len(expected) > least
    for (text, own), found in zip(expected.items(), tokens(list(expected)), strict=True):
        assert found == own, text


def test_tokens_of_our_own_lines_are_those_of_python() -> None:
    files = sorted((ROOT / "ingest").rglob("*.py"))
    texts = {line for file in files for line in file.read_text(encoding="utf-8").splitlines()}
    # from 3.12 on, a formatted string comes in parts there
    texts = {text for text in texts if not any(f"f{quote}" in text for quote in "\"'")}
    check([text for text in sorted(texts) if is_statement(text)], 3_000)


def test_tokens_of_random_lines_are_those_of_python() -> None:
    rng = random.Random(20240202)
    check([" ".join(rng.choices(PIECES, k=rng.randint(0, 12))) for _ in range(5_000)], 1_000)


@pytest.mark.parametrize(
    ("answer", "reference", "matches"),
    [
        ("x=1", "    x = 1", True),
        ("x = 1  # one", "x = 1", True),
        ("x = 10", "x = 1 0", False),
        ("x += 1", "x + = 1", False),
        ("x = 'a # b'", "x = 'a # c'", False),
        ("x = 'a b'", "x = 'ab'", False),
        ("x = 'a'", 'x = "a"', False),
        # a formatted string is one token
        ("f( f'{a}' )", "f(f'{a}')", True),
        ("f(f'{a + b}')", "f(f'{a+b}')", False),
        # lines that are parts of statements
        ("f(a,b ,", "f(a, b,", True),
        ("a and(b", "a and (b", True),
        ("a = b \\", "a = b", False),
        ("", "x", False),
        (" ", "", False),
        ("# gone", "x", False),
    ],
)
def test_exact_match(answer: str, reference: str, matches: bool) -> None:
    call = sql("exact_match_python('$1', '$2')")
    assert duckdb.execute(f"select {call}", [answer, reference]).fetchall() == [(matches,)]
