"""Programs made to fool the analyses: every mutant that is made all the same behaves the same.

Each has fooled an earlier version, or is a sibling of one that did.
"""

import contextlib
import copy
import io
from collections.abc import Iterator
from typing import Any

import pytest

from ingest.mutations.base import Site, mutations
from tests.support.mutations import applied, parsed

PADDING = "if False:\n" + "    pass\n" * 20
"""Lines that keep what is before them in sight."""

COLLECTIONS = "from collections import Counter, defaultdict\nimport re, string\n"
TWICE = "p = sum({0})\nq = list({0})\nreturn p, q"
USED_UP = [
    ("", "b = Counter(a).elements()\n" + TWICE.format("b")),
    ("it = iter([1, 2])\n", TWICE.format("it")),
    ("", "def g(it):\n    p = sum(it)\n    q = list(it)\n    return p, q\nreturn g(iter(a))"),
    ("", "def g(*its):\n    p = sum(its[0])\n    q = list(its[0])\n    return p, q\n"
         "return g(iter(a))"),
    ("", "def g(**its):\n    p = sum(its['k'])\n    q = list(its['k'])\n    return p, q\n"
         "return g(k=iter(a))"),
    ("", "g = lambda it: sum(it) == len(list(it))\nreturn g(iter(a))"),
    ("", "xs = []\nys = xs\nys.append(iter(a))\n" + TWICE.format("xs[0]")),
    ("def put(zs):\n    zs.append(iter([1, 2]))\n", "xs = []\nput(xs)\n" + TWICE.format("xs[0]")),
    ("def put(zs):\n    zs.append(iter([1, 2]))\n",
     "xs = []\nh = put\nh(xs)\n" + TWICE.format("xs[0]")),
    ("def put(zs):\n    zs.append(iter([1, 2]))\n",
     "xs = []\nlist(map(put, [xs]))\n" + TWICE.format("xs[0]")),
    ("", "xs = []\nxs.__iadd__([iter(a)])\n" + TWICE.format("xs[0]")),
    ("", "xs = [0]\nxs.__setitem__(0, iter(a))\n" + TWICE.format("xs[0]")),
    ("import heapq\n", "xs = []\nheapq.heappush(xs, iter(a))\n" + TWICE.format("xs[0]")),
    ("", "b = max(iter(a), iter(a), key=lambda k: 1)\n" + TWICE.format("b")),
    ("D = {'k': iter([3, 4])}\n", TWICE.format("D['k']")),
    ("", "d = defaultdict(lambda: iter([1, 2]))\nd[0]\n" + TWICE.format("d.get(0)")),
    ("", "b = {}.get(0, iter(a))\n" + TWICE.format("b")),
    ("def h():\n    global it\n    it = iter([1, 2])\nh()\n", "global it\n" + TWICE.format("it")),
    ("", "if b:\n    return f(iter(a), 0)\n" + TWICE.format("a")),
    ("", "b = string.Formatter().parse('a{b}')\np = len(list(b))\nq = list(b)\nreturn p, q"),
    ("", "b = re.compile('a').finditer('aa')\np = len(list(b))\nq = len(list(b))\nreturn p, q"),
    ("", "try:\n    raise ValueError(iter(a))\nexcept ValueError as e:\n    b = e.args\n"
         "    p = sum(b[0])\n    q = list(b[0])\n    c = p, q\nreturn c"),
    ("", "b = (lambda: iter(a))()\n" + TWICE.format("b")),
    ("", "return list(map(lambda it: sum(it) == len(list(it)), [iter(a)]))"),
    ("", "def g():\n    yield 1\n    yield 2\nit = g()\n" + TWICE.format("it")),
]  # fmt: skip
CHANGES = [
    "any(map(lambda r: r.append(1), [xs]))",
    "any(filter(lambda r: r.append(1), [xs]))",
    "all(sorted([xs], key=lambda r: r.append(1) or 0))",
    "bool(reduce(lambda p, r: r.append(1) or p, [xs, xs]))",
    "any(map(lambda r=xs, *rs: rs[0].append(1), [1], [xs]))",
    "any(map(lambda r: any(map(lambda s: s.append(1), r)), [[xs]]))",
    "re.sub('a', lambda m, r=xs: r.append(1) or 'b', 'a') == 'b'",
    "len([w for w in map(lambda r: r.append(1), [xs])])",
    "all(sorted([0, 3], **{'key': xs.append}))",
    "all(sorted([0, 3], **OPTIONS))",
    "max([0, 3], **OPTIONS)",
    "re.sub('a', string='a', **OPTIONS)",
    "list(map(*PAIR))",
]
HANDLERS = "OPTIONS = {'key': lambda q: xs.append(q) or 1, 'repl': lambda q: xs.append(q) or 'k'}\n"
FILLED = [
    "f\"{d['k']}\"",
    "'{0[k]}'.format(d)",
    "'{0[0][k]}'.format([d])",
    "'{x[k]}'.format(x=d)",
    "'{0[k]}'.format(*[d])",
    "'{:{w[k]}}'.format(1, w=d)",
    "'{k}'.format_map(d)",
    "str.format('{0[k]}', d)",
    "'%(k)s' % d",
    "'abc'.translate(d)",
    "string.Template('$k').substitute(d)",
    "string.Formatter().format('{0[k]}', d)",
    "string.Formatter().vformat('{k}', (), d)",
    "str(d.__missing__('k'))",
]
OTHERS = [
    ("import xml.etree.ElementTree as ET\n",
     "r = ET.fromstring('<r><x>1</x></r>')\ne = r.find('x')\ne.text = '2'\n"
     "y = r[0].text\nreturn y"),
    ("import xml.etree.ElementTree as ET\nr = ET.fromstring('<r><x>1</x></r>')\n",
     "e = r.find('x')\ne.text = '2'\ny = r[0].text\nreturn y"),
    ("P = __import__('collections').namedtuple('P', 'find')\nxs = []\n",
     "b = P(lambda k: xs)\nr = b.find(0)\nr.append(1)\ny = len(xs)\nreturn y"),
    ("import math\n", "xs = [1]\nr = math.prod([], start=xs)\nr.append(1)\ny = len(xs)\nreturn y"),
    ("import types\nxs = []\n", "b = types.SimpleNamespace(count=lambda: xs)\nr = b.count()\n"
                               "r.append(1)\ny = len(xs)\nreturn y"),
    ("xs = []\ndef g():\n    pass\n",
     "g.find = lambda: xs\nh = g\nr = h.find()\nr.append(1)\ny = len(xs)\nreturn y"),
    ("xs = []\n", "K = type('K', (), {'find': lambda s: xs})\nb = K()\nr = b.find()\nr.append(1)\n"
                 "y = len(xs)\nreturn y"),
    ("xs = []\n", "K = type('K', (), {'__add__': lambda s, o: xs.append(1)})\nb = K()\nr = b + 1\n"
                 "y = len(xs)\nreturn y"),
]  # fmt: skip
NOT_NUMBERS = [
    ("", "c = float('inf') - a"),
    ("import math\n", "c = math.inf - a"),
    ("", "c = 1e999 - a"),
    ("", "c = 1e200\nc *= c\nc -= c"),
    ("", "c = float('inf') * 0"),
    ("", "c = sum([float('inf'), -float('inf')])"),
    ("", "c = float('n' + 'an')"),
    ("", "c = 'na'\nc = float(c + 'n')"),
    ("", "c = 2.0\nfor i in range(1100):\n    c *= 2\nc -= c"),
    ("", "c = d = 1.0\nfor i in range(2000):\n    c, d = d, c + d\nc = c - d"),
    ("import struct\n", "c = struct.unpack('d', bytes([0] * 6 + [248, 127]))[0]"),
    ("import json\n", "c = json.loads('[Na' + 'N]')[0]"),
    ("def g(x):\n    return x - x\n", "c = g(float('inf'))"),
    ("INF = float('inf')\n", "c = INF - INF"),
    ("", "c = eval('float(chr(110) + \"an\")')"),
    ("", "c = [float('inf')] * 2\nc = c[0] - c[1]"),
    ("", "c = float('inf') // 2"),
    ("import math\n", "c = math.prod([1e80] * 9)\nc -= c"),
    ("", "c = {'k': float('inf')}\nc['k'] -= float('inf')\nc = c['k']"),
    ("from functools import reduce\n", "c = reduce(lambda p, q: p * q, [1e80] * 9)\nc -= c"),
]
TOLD = [
    "try:\n    if a:\n        b = 1\n    c = b\nexcept Exception as e:\n    c = str(e)\nreturn c",
    "try:\n    if a:\n        b = 1\n    c = b\nexcept:\n    c = str(sys.exc_info()[1])\nreturn c",
    "try:\n    b = 1\n    del b\n    c = b\nexcept Exception as e:\n    c = str(e)\nreturn c",
    "b = 1\nd = b\nb = 2\ntry:\n    del b\n    c = b\nexcept Exception as e:\n"
    "    c = str(e)\nreturn c",
    "def g():\n    return b\ntry:\n    g()\n    b = 1\nexcept BaseException as e:\n"
    "    c = str(e)\nreturn c",
    "try:\n    try:\n        a[9]\n    except IndexError as q:\n        d = 1\n    c = q\n"
    "except (KeyError, Exception) as e:\n    c = str(e)\nreturn c",
    "def g():\n    if a:\n        b = 1\n    return b\nreturn told(g)",
    "try:\n    for k in a:\n        pass\n    c = k\nexcept Exception as e:\n"
    "    c = e.args\nreturn c",
    "try:\n    if a < 'x':\n        c = 1\n    else:\n        c = 2\nexcept TypeError:\n"
    "    c = str(sys.exc_info()[1])\nreturn c",
]  # fmt: skip
TELLER = (
    "import sys\ndef told(g):\n    try:\n        g()\n    except Exception as e:\n"
    "        return str(e)\n"
)
BOUNDS = [
    ("", "n = len(a) / 2"),
    ("", "n = len(a)\nn /= 2"),
    ("", "n = [1.5][0]"),
    ("import math\n", "n = math.sqrt(4)"),
    ("", "n = 2 ** -len(a)"),
    ("", "n = pow(2, -len(a))"),
    ("", "n = sum([0.5, 1])"),
    ("", "n = len(a).__truediv__(2)"),
    ("", "n, m = divmod(5, 2.0)"),
    ("", "n = max(1, len(a) / 2)"),
    ("", "for n in [2.5]:\n    pass"),
    ("from fractions import Fraction\n", "n = Fraction(3, 2)"),
    ("def g(x):\n    return x / 2\n", "n = g(3)"),
    ("N = 2.5\n", "n = N"),
    ("", "n = len(a) > 1"),
    ("", "n = [True][0]"),
    ("def g(x):\n    return x == x\n", "n = g(3)"),
    ("", "n = isinstance(a, list)"),
]
LOOPS = ["for i in range({0}):\n    c.append(i)", "for i in range({0}, 3):\n    c.append(i)"]
LEFT = [
    "i = 7\nfor i in range(len(a)):\n    return 5\nreturn i",
    "i = 7\ntry:\n    for i in range(0, int('x')):\n        pass\nexcept ValueError:\n"
    "    return i\nreturn 0",
    "xs = [0]\nn = 0\nfor i in range(len(xs)):\n    n += 1\n"
    "    any(map(lambda r: r.append(1), [xs] * (n < 9)))\nreturn n, xs",
    "d = defaultdict(int)\nd[5] = 5\nn = 0\nfor i in range(len(d)):\n    n += 1\n"
    "    s = '{0[k]}'.format(d)\nreturn n, d",
]  # fmt: skip


def programs() -> Iterator[tuple[str, str]]:
    """Yield the name and text of every program."""
    for number, (head, body) in enumerate(USED_UP):
        yield f"used-up-{number}", function(COLLECTIONS + head, body)
    for number, change in enumerate(CHANGES):
        head = f"{COLLECTIONS}from functools import reduce\nxs = [0]\n{HANDLERS}"
        head += "PAIR = (lambda q: xs.append(q), [1])\n"
        body = f"x = {change}\ny = len(xs)\nreturn x, y"
        yield f"changes-{number}", function(head, body)
        yield f"changes-here-{number}", function(head, f"xs = [0]\n{body}")
        yield f"changes-compared-{number}", function(head, f"x = {change} == len(xs)\nreturn x")
    for number, text in enumerate(FILLED):
        head = f"d = defaultdict(int)\ns = {text}\nz = len(d)\nreturn s, z"
        yield f"filled-{number}", function(COLLECTIONS, head)
        body = f"d = defaultdict(int)\nz = {text} == len(d)\nreturn z, d"
        yield f"filled-compared-{number}", function(COLLECTIONS, body)
    for number, (head, body) in enumerate(OTHERS):
        yield f"other-{number}", function(head, body)
    for number, (head, body) in enumerate(NOT_NUMBERS):
        branch = "if c < 1 or not c > 2:\n    d = 1\nelse:\n    d = 2\nreturn d"
        yield f"nan-{number}", function(head, f"a = float('inf')\n{body}\n{branch}")
    for number, body in enumerate(TOLD):
        yield f"told-{number}", function(TELLER, body)
    for number, (head, body) in enumerate(BOUNDS):
        for loop in LOOPS:
            inner = loop.format("n").replace("\n", "\n    ")
            text = f"c = []\n{body}\ntry:\n    {inner}\nexcept TypeError:\n    c = 0\nreturn c"
            yield f"bound-{number}-{len(loop)}", function(head, text)
    for number, body in enumerate(LEFT):
        yield f"left-{number}", function(COLLECTIONS, body)


def function(head: str, body: str) -> str:
    """Write a function ``f`` of which all but the last line is before the cut."""
    *lines, last = f"{body}\n".splitlines(keepends=True)
    text = "".join([*lines, *PADDING.splitlines(keepends=True), last])
    return f"{head}def f(a, b=1):\n" + "".join(f"    {line}" for line in text.splitlines(True))


def outcome(source: str, arguments: list[Any]) -> tuple[str, ...]:
    """Run a program written here; says what came back, what was printed, or the kind of error."""
    space: dict[str, Any] = {"__name__": "fooling"}
    printed = io.StringIO()
    given = copy.deepcopy(arguments)
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(source, "<fooling>", "exec"), space)
            result = repr(space["f"](*given))
        except Exception as error:
            return "error", type(error).__name__, printed.getvalue()
    return "value", result, repr(given), printed.getvalue()


PROGRAMS = dict(programs())


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_mutant_of_a_fooling_program_does_something_else(name):
    source = PROGRAMS[name]
    program = parsed(source, "f")
    for mutation in mutations():
        for site in [each for each in mutation.sites(program) if isinstance(each, Site)]:
            result = applied(mutation, source, site, 3)
            for arguments in ([[1, 2, 2]], [[]]):
                before, after = outcome(source, arguments), outcome(result.source, arguments)
                assert after == before, f"{mutation.name} {site}\n{result.source}"


SCRIPTS = [
    "xs = [0]\nany(map(lambda r: r.append(1), [xs]))\nz = len(xs)\nprint(z)\n",
    "xs = [0]\nn = 0\nfor i in range(len(xs)):\n    n += 1\n"
    "    any(map(lambda r: r.append(1), [xs] * (n < 9)))\nprint(n)\n",
    "import io\nlines = io.StringIO('1\\n2\\n')\np = list(lines)\nq = list(lines)\nprint(p, q)\n",
    "x: int = 1\ny = str(__annotations__)\nprint(y)\n",
    "try:\n    if 0 > 1:\n        b = 1\n    print(b)\nexcept Exception as e:\n    print(e)\n",
]


@pytest.mark.parametrize("source", SCRIPTS)
def test_no_mutant_of_a_fooling_script_prints_something_else(source):
    source += PADDING + "def f(*given):\n    pass\n"
    program = parsed(source, None)
    for mutation in mutations():
        for site in [each for each in mutation.sites(program) if isinstance(each, Site)]:
            result = applied(mutation, source, site, 3)
            assert outcome(result.source, []) == outcome(source, []), result.source
