"""The lines of functions: written down by hand, as the tokenizer sees them, cut and put back."""

import argparse
import ast
import dataclasses
import io
import re
import tokenize
import typing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.projects.functions import LineRange, functions_in
from tests.support.regions import split
from warehouse.errors import BadInput

SHAPES = {
    "plain": ("def f(x):\n    return x\n", "f 1-2 s1-1 d- b2-2 apart"),
    "docstring": ("def f():\n    '''a\n    b'''\n    return 1\n", "f 1-4 s1-1 d2-3 b4-4 apart"),
    "docstring alone": ("def f():\n    ''\n", "f 1-2 s1-1 d2-2 b-"),
    "bytes are none": ("def f():\n    b'a'\n", "f 1-2 s1-1 d- b2-2 apart"),
    "one line": ("def f(): return 1\n", "f 1-1 s1-1 d- b1-1"),
    "docstring, one line": ("def f(): 'a'; return 1\n", "f 1-1 s1-1 d1-1 b1-1"),
    "body beside docstring": ("def f():\n    'a'; x = 1\n    y = 1\n", "f 1-3 s1-1 d2-2 b2-3"),
    "colon, then backslash": ("def f(): \\\n  return 1", "f 1-2 s1-1 d- b2-2 apart"),
    "long signature": (
        "def f(\n    a=':',  # a: b\n    *,\n    b: 'x' = {1: 2},\n"
        ") -> (\n    int  # :\n):\n    pass\n",
        "f 1-8 s1-7 d- b8-8 apart",
    ),
    "lambda after the arrow": (
        "def f() -> lambda: [\n0]: pass\n",
        "f 1-2 s1-2 d- b2-2",
    ),
    "no arguments, comments": ("def f(  # (:\n  # :\n  ):\n  pass", "f 1-4 s1-3 d- b4-4 apart"),
    "colon on its own": ("def f() \\\n:\n  pass", "f 1-3 s1-2 d- b3-3 apart"),
    "comments before the body": (
        "def f():\n    # a\n\n    'doc'\n    # b\n    pass\n    # c\n\n# d\n",
        "f 1-6 s1-1 d4-4 b6-6 apart",
    ),
    "decorators": (
        "x = 1\n@ \\\na\n@b(\n  c\n)\n# why\nasync def f():\n    pass\n",
        "f 2-9 s8-8 d- b9-9 apart async",
    ),
    "decorator in brackets": (
        "@(\n  # @ no\n  a\n)\ndef f():\n  @b\n  class C: pass\n",
        "f 1-7 s5-5 d- b6-7 apart",
    ),
    "overloads": (
        "class A:\n  @overload\n  def f(self): ...\n  def f(self):\n    pass\n",
        "A.f 2-3 s3-3 d- b3-3|A.f 4-5 s4-4 d- b5-5 apart",
    ),
    "nested": (
        "def f():\n  class A:\n    def g(self):\n      def h(): pass\n"
        "  try: pass\n  except E:\n    def k(): pass\n",
        "f 1-7 s1-1 d- b2-7 apart|f.<locals>.A.g 3-4 s3-3 d- b4-4 apart nested"
        "|f.<locals>.A.g.<locals>.h 4-4 s4-4 d- b4-4 nested|f.<locals>.k 7-7 s7-7 d- b7-7 nested",
    ),
    "in blocks": (
        "if a:\n  def f(): pass\nelse:\n  def f():\n    pass\n"
        "match a:\n  case 1:\n    def g(): pass\n",
        "f 2-2 s2-2 d- b2-2|f 4-5 s4-4 d- b5-5 apart|g 8-8 s8-8 d- b8-8",
    ),
    "tabs and form feeds": ("\f\ndef f():\n\tif x:\n\f\t\tpass\n", "f 2-4 s2-2 d- b3-4 apart"),
    "odd spaces in strings": ("a = '''\x0b\x0c\x1c\x85\u2028'''\ndef f(): 1", "f 2-2 s2-2 d- b2-2"),
    "wide letters": ("def f(é='ü:é', *ü: 'é'): 'é'; é = 1", "f 1-1 s1-1 d1-1 b1-1"),
}


def shown(function):
    def lines(each):
        return f"{each.first}-{each.last}" if each else "-"

    words = [function.qualname, lines(function.lines), f"s{lines(function.signature)}"]
    words += [f"d{lines(function.docstring)}", f"b{lines(function.body)}".replace("b--", "b-")]
    words += ["apart"] * function.body_apart + ["nested"] * function.nested
    words += ["async"] * function.is_async
    return " ".join(words)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", SHAPES)
def test_the_lines_of_each_part(name, end):
    source, expected = SHAPES[name]
    found = functions_in("a.py", source.replace("\n", end).encode())
    assert "|".join(map(shown, found)) == expected


@pytest.mark.parametrize(
    ("cookie", "encoding"),
    [
        ("latin-1", "latin-1"),
        ("shift_jis", "shift_jis"),
        ("utf-8", "utf-8-sig"),
        ("cp1252", "cp1252"),
    ],
)
def test_a_coding_cookie_is_followed(cookie, encoding):
    letter = "あ" if encoding == "shift_jis" else "é"
    source = f"#!/bin/sh\n# -*- coding: {cookie} -*-\ndef f(a='{letter}:',\n b=1):\n  '{letter}'\n"
    (found,) = functions_in("a.py", source.encode(encoding))
    assert shown(found) == "f 3-5 s3-4 d5-5 b-"
    assert split(source.encode(encoding), found.lines)[1].decode(encoding).startswith("def f")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"print 'a'\n", "a.py:1: no Python: "),
        (b"def f():\n\tif x:\n        pass\n", "a.py:3: no Python: inconsistent use of tabs"),
        (b"x = '\xe9'\n", "no text in its encoding"),
        (b"# coding: none-such\n", "no text in its encoding: unknown encoding"),
        (b"# coding: hex\n", "no text in its encoding"),
        (b"# coding: unicode_escape\nx = 1\\nx = 2\n", "hides the ends of lines"),
        (b"x = 1\0\n", "no Python"),
        (b"(" * 5_000, "no Python"),
        (b"-" * 200_000 + b"1", "no Python that can be read: "),
    ],
)
def test_what_cannot_be_placed_is_refused(source, reason):
    with pytest.raises(BadInput, match=re.escape(reason)):
        functions_in("a.py", source)


@pytest.mark.parametrize("module", [argparse, ast, dataclasses, typing, tokenize])
def test_signatures_end_where_the_tokenizer_says(module):
    source = Path(module.__file__).read_bytes()
    tokens = list(tokenize.tokenize(io.BytesIO(source).readline))
    ends, depth, lambdas, start = {}, 0, 0, 0
    for token in tokens:
        if token.type == tokenize.NAME and token.string in ("def", "lambda"):
            start = start if token.string == "lambda" else token.start[0]
            lambdas += token.string == "lambda" and depth == 0
        elif token.type == tokenize.OP and token.string in "()[]{}":
            depth += 1 if token.string in "([{" else -1
        elif token.type == tokenize.OP and token.string == ":" and depth == 0:
            lambdas, is_lambda = max(lambdas - 1, 0), lambdas > 0
            if start and not is_lambda:
                ends[start], start = token.start[0], 0
    found = functions_in("a.py", source)
    assert {each.signature.first: each.signature.last for each in found} == ends
    assert len(found) > 10


PARTS = st.sampled_from(
    [
        "x = 1",
        "@a\n@b(\n 1)\ndef NAME(a, b=':'): return a",
        "def NAME(\n  a,  # :\n  b,\n):\n    'doc'\n    return '''\n\n'''",
        "async def NAME():\n    'a' ; x = 1\n\n    # why\n    def inner(): pass\n    return x  # e",
        "class C:\n\tdef NAME(self):\n\t\tif self:\n\t\t\treturn 1\n\t\t# after",
        "\f\ndef NAME(): \\\n  pass",
        "def NAME():\n    s = 'é'\n    @d\n    def g():\n        '''doc\n        '''\n    return g",
        "# a comment",
        "",
    ]
)


@settings(max_examples=150)
@given(st.lists(PARTS, max_size=6), st.lists(st.sampled_from(["\n", "\r\n", "\r"])), st.booleans())
def test_a_body_that_is_cut_and_put_back_gives_the_same_file(parts, ends, ended):
    texts = [part.replace("NAME", f"f{n}") for n, part in enumerate(parts)]
    lines = "\n".join(texts).split("\n")
    source = "".join(
        line + (ends[n % len(ends)] if ends else "\n") for n, line in enumerate(lines)
    ).encode()
    source = source if ended else source.rstrip(b"\r\n")
    found = functions_in("a.py", source)
    for each in found:
        for part in (each.lines, each.signature, each.docstring, each.body):
            if part is not None:
                assert len(part) >= 1
                assert each.lines.first <= part.first <= part.last <= each.lines.last
                assert b"".join(split(source, part)) == source
        if each.body is not None and each.body_apart:
            before, body, after = split(source, each.body)
            indent = body[: len(body) - len(body.lstrip())]
            others = functions_in("a.py", before + indent + b"pass\n" + after)
            same = [one for one in others if one.qualname == each.qualname]
            assert [one.signature for one in same] == [each.signature]
            assert same[0].docstring == each.docstring
            assert before + body + after == source


def test_lines_are_split_as_they_are_counted():
    assert split(b"a\r\nb\rc\x0b\n\nd", LineRange(2, 3)) == (b"a\r\n", b"b\rc\x0b\n", b"\nd")
    assert functions_in("a.py", b"") == []
