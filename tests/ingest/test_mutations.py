"""The mutations: every class's examples, what cannot be read, what a seed decides."""

import pytest

from ingest.mutations import MUTATIONS
from ingest.mutations.base import (
    Changes,
    Decline,
    Edit,
    Mutated,
    Site,
    fault,
    mutations,
    seed_of,
    splice,
)
from ingest.mutations.insertion import LineMutation
from ingest.mutations.source.program import ParsedProgram, Unreadable, parse_program

ALL = mutations()
EXAMPLES = [
    pytest.param(mutation, example, id=f"{mutation.name}-{mutation.version}-{number}")
    for mutation in ALL
    for number, example in enumerate(mutation.examples)
]


def program(source: str, entry_point: str | None = "f") -> ParsedProgram:
    read = parse_program(source, entry_point)
    assert isinstance(read, ParsedProgram), read
    return read


def named(name: str, version: int = 1):
    return next(each for each in ALL if (each.name, each.version) == (name, version))


def sites(mutation, source: str, entry_point: str | None = "f") -> list[Site]:
    found = mutation.sites(program(source, entry_point))
    return [each for each in found if isinstance(each, Site)]


def codes(mutation, source: str, entry_point: str | None = "f") -> set[str]:
    found = mutation.sites(program(source, entry_point))
    return {each.code for each in found if isinstance(each, Decline)}


def applied(mutation, source: str, site: Site, seed: int = 0) -> Mutated:
    result = mutation.apply(source, site, seed)
    assert isinstance(result, Mutated), result
    return result


@pytest.mark.parametrize(("mutation", "example"), EXAMPLES)
def test_examples(mutation, example):
    if isinstance(example, Changes):
        site = sites(mutation, example.before)[example.site]
        result = applied(mutation, example.before, site)
        assert result.source == example.after
        assert splice(result.source, result.undo)[0] == example.before
    else:
        assert sites(mutation, example.code) == []
        refused = codes(mutation, example.code)
        assert refused == set() if example.reason is None else example.reason in refused


def test_every_registered_mutation_has_examples_of_both_kinds_and_versions_in_order():
    assert [each.name for each in ALL if each.version == 1] == list(MUTATIONS)
    for mutation in ALL:
        kinds = {type(example) for example in mutation.examples}
        assert Changes in kinds
        assert mutation.version > 1 or len(kinds) == 2
        assert all(fault(example.before) is None for example in mutation.examples[:1])


@pytest.mark.parametrize(
    ("source", "entry_point", "code"),
    [
        ("print 'two'\n", None, "syntax"),
        ("def f(:\n", "f", "syntax"),
        ("def f(a):\n  if a:\n\t   return 1\n  else:\n     return 2\n", "f", "libcst_syntax"),
        ("def f(a):\n    return(lambda: a)\n", "f", "libcst_syntax"),
        ("def g(a):\n    return a\n", "f", "no_entry_point"),
        ("x = " + "-" * 5000 + "1\n", None, "too_deep"),
        ("x = " + "(" * 5000 + ")" * 5000, None, "syntax"),
        ("x = 1\0\n", None, "syntax"),
        ("x = 1\ry = 2\r", None, "libcst_text"),
    ],
)
def test_what_cannot_be_read_says_why(source, entry_point, code):
    read = parse_program(source, entry_point)
    assert isinstance(read, Unreadable)
    assert read.code in {code, "too_deep"}


def test_the_seed_is_of_the_problem_the_mutation_and_its_version():
    seeds = {
        seed_of("p", "names_random", 1),
        seed_of("q", "names_random", 1),
        seed_of("p", "names_random", 2),
        seed_of("p", "names_shuffle", 1),
    }
    assert len(seeds) == 4
    assert seed_of("HumanEval/0", "names_random", 1) == seed_of("HumanEval/0", "names_random", 1)
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_new_names_are_five_letters_and_stand_nowhere_else_in_the_text():
    source = "def f(a):\n    # wqnhi is taken\n    b = a\n    c = b\n    return c\n"
    mutation = named("names_random")
    result = applied(mutation, source, sites(mutation, source)[0])
    names = dict(result.names)
    assert list(names) == ["b", "c"]
    assert all(len(new) == 5 and new.isascii() and new.islower() for new in names.values())
    assert "wqnhi" not in names.values()
    other = applied(mutation, source, sites(mutation, source)[0], seed=1)
    assert other.source != result.source


def test_shuffled_names_all_move():
    source = "def f(a):\n    b, c, d = a\n    e = b + c\n    return d, e\n"
    mutation = named("names_shuffle")
    for seed in range(30):
        names = dict(applied(mutation, source, sites(mutation, source)[0], seed).names)
        assert sorted(names) == sorted(names.values()) == ["b", "c", "d", "e"]
        assert all(old != new for old, new in names.items())


ODD = '''\
import os
def helper(total):
    return total
@staticmethod
def f(items, *rest, key=None, **more):
    """total of é"""
    totál = 0 ; größe: int = len(items)   # größe
    for i, (x, *ys) in enumerate(items):
        with open(os.devnull) as fh, open(os.devnull) as (fh2):
            pass
        totál += helper(total=x) + sum(y for y in ys if y != i)
        g = lambda totál, d=größe: totál + d
        del x
    class C:
        totál = 3
        def m(self):
            return [größe, self.totál]
    match items:
        case [first, *others] if (n := first):
            pass
        case {"k": v, **kw}:
            pass
        case C(totál=w) as whole:
            pass
        case _:
            pass
    return f"{totál:>{größe}} {g(1)!r}", C
'''


def test_renaming_follows_pythons_scopes():
    mutation = named("names_random")
    result = applied(mutation, ODD, sites(mutation, ODD)[0])
    new = dict(result.names)
    local = "totál größe i x ys fh fh2 y g first others n v kw w whole"
    assert set(new) == set(local.split())
    text = result.source
    assert f"lambda totál, d={new['größe']}: totál + d" in text
    assert "        totál = 3\n" in text
    assert f"return [{new['größe']}, self.totál]" in text
    assert f"helper(total={new['x']})" in text
    assert f"case C(totál={new['w']}) as {new['whole']}" in text
    assert f'f"{{{new["totál"]}:>{{{new["größe"]}}}}} {{{new["g"]}(1)!r}}"' in text
    assert "# größe" in text
    assert splice(text, result.undo)[0] == ODD


def test_a_whole_program_is_a_region_of_its_own():
    source = (
        "n = int(input())\nwhile n > 0:\n    k = n\n    n -= 1\n    if k == 2:\n        print(k)\n"
        "    else:\n        print(n)\n\n\ndef g(a):\n    return a + k\n"
    )
    mutation = named("names_random")
    result = applied(mutation, source, sites(mutation, source, None)[0])
    assert set(dict(result.names)) == {"n", "k"}
    assert f"return a + {dict(result.names)['k']}" in result.source
    assert len(sites(named("if_else_flip"), source, None)) == 1
    refused = {
        "from os import *\nn = 1\nm = n\nprint(m)\n": "star_import",
        "input = 3\nn = input\nprint(n)\nprint()\n": "builtin_name",
        "n = 1\nclass A:\n    n = n\nprint(A.n)\n": "class_fallback",
    }
    for text, code in refused.items():
        assert code in codes(mutation, text, None)


REACHING = [
    "import builtins\ndef f(a):\n    b = a\n    return builtins.eval('b')\n",
    "import sys\ndef g():\n    return sys._getframe(1)\ndef f(a):\n    b = a\n    return g()\n",
    "import __main__\nb = 1\ndef f(a):\n    return __main__.b\n",
    "import sys\nb = 1\ndef f(a):\n    return sys.modules[__name__].b\n",
]


@pytest.mark.parametrize("source", REACHING)
def test_names_that_may_be_reached_as_data_stay(source):
    for entry_point in ("f", None):
        assert not sites(named("names_random"), source + "pass\n" * 9, entry_point)


TELLING = """\
import traceback
def f(a):
    'text'
    b = 1
    c = 2
    for i in range(3):
        c += i
"""


@pytest.mark.parametrize(
    "name", ["independent_swap", "for_while", "dead_code", "docstring_removal", "if_else_flip"]
)
def test_programs_that_tell_their_lines_keep_them(name):
    source = (
        TELLING + "    if b == c:\n        b = 3\n    else:\n        b = 4\n" + "    pass\n" * 9
    )
    assert codes(named(name), source) == {"dynamic"}
    assert sites(named(name), source.replace("traceback", "math"))
    assert not sites(named(name), source)


TOLD = """\
def f(a):
    a = 1
    b = a
    a = b
    try:
        if a < 1:
            b = a
        else:
            b = 2
    except {}:
        b = 3
    return b, a
"""


def test_what_a_caught_error_may_tell_stays():
    for handler, renames in (("NameError", False), ("ValueError", True)):
        for name in ("names_random", "def_use_break"):
            assert bool(sites(named(name), TOLD.format(handler))) == renames
    for handler, flips in (("TypeError as e", False), ("TypeError", True)):
        assert bool(sites(named("if_else_flip"), TOLD.format(handler))) == flips


PRIVATE = """\
def f(a):
    _C__v = 3
    ﬁ = w = 4
    class C:
        def m(self):
            _C__k = __k = 5
            return __v, _C__k
    return C().m(), fi, w
"""


def test_names_that_python_takes_for_others_stay():
    mutation = named("names_random")
    (site,) = sites(mutation, PRIVATE)
    assert set(dict(applied(mutation, PRIVATE, site).names)) == {"w"}
    assert "spelling" in codes(mutation, PRIVATE)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("final", [True, False])
def test_line_ends_and_a_missing_last_one_stay(end, final):
    lines = ["def f(a):", "\t'Text.'", "\tb = a", "\tc = 2", "\tif a > 1:", "\t\tb = c"]
    lines += ["\telse:", "\t\tc = b", "\tfor i in range(a):", "\t\tc += i"]
    lines += ["\treturn b, c", "\tpass", "\tpass"] if final else []
    source = end.join(lines) + (end if final else "")
    for mutation in ALL:
        for site in sites(mutation, source):
            result = applied(mutation, source, site)
            n_added = len(result.source.splitlines()) - len(lines)
            assert n_added == 0 or isinstance(mutation, LineMutation)
            assert result.source.count(end) == source.count(end) + n_added
            assert result.source.count("\r\n") in (0, result.source.count("\n"))
            assert result.source.endswith(end) == source.endswith(end)


@pytest.mark.parametrize(
    ("head", "start", "test", "code"),
    [
        ("", "b = [set(a), {1}]", "b[0] < b[1]", "partial_order"),
        ("", "b, c = map(set, a)", "b < c", "partial_order"),
        ("def g(x):\n    return {x}\n", "b = g(a)", "b < a", "partial_order"),
        ("from collections import Counter\n", "b = Counter(a)", "b <= a", "partial_order"),
        ("", "b = a.keys()", "b < a", "partial_order"),
        ("", "b = float('NaN')", "b < a", "partial_order"),
        ("import math\n", "b = math.isnan(a)", "a < 1", "partial_order"),
        ("class C(list):\n    pass\n", "b = C()", "a == b", "user_class"),
        ("@order\nclass C:\n    pass\n", "b = C()", "a < b", "user_class"),
        ("class C:\n    __ne__ = max\n", "b = C()", "a == b", "user_class"),
        ("class C:\n    x = 1\n", "b = C()", "a == b", None),
        ("class C(ValueError):\n    x = 1\n", "b = C()", "a == b", None),
        ("", "b = {1, 2}\n    c = 0", "c < a", None),
        ("", "b = [v for k, v in a.items()]", "a < b", None),
    ],
)
def test_comparisons_without_a_complement_do_not_flip(head, start, test, code):
    tail = "        a = 1\n    else:\n        a = 2\n"
    source = f"{head}def f(a):\n    {start}\n    if {test}:\n{tail}"
    assert codes(named("if_else_flip"), source) == (set() if code is None else {code})


def test_a_refusal_where_the_result_is_no_program():
    mutation = named("if_else_flip")
    broken = Site("if_else_flip", 1, 1, (Edit(0, 3, "de"),))
    refused = mutation.apply("def f():\n    pass\n", broken, 0)
    assert isinstance(refused, Decline)
    assert refused.code == "no_program"
    with pytest.raises(ValueError, match="overlap"):
        splice("abc", [Edit(0, 2, ""), Edit(1, 3, "")])


SWAPS = [
    ("x = a[0]\n    y = a[1]", True),
    ("x = a[0]\n    x = a[1]", False),
    ("a.append(1)\n    y = len(a)", False),
    ("x = []\n    y = {}", True),
    ("print(1)\n    y = 2", False),
    ("x = (yield)\n    y = 2", False),
    ("x = sorted(a, key=len)\n    y = 2", True),
    ("x = sorted(a, key=b)\n    y = 2", False),
    ("a[0] = 1\n    b[0] = 2", False),
    ("x = [0]\n    b[0] = 2", True),
    ("x = a.pop\n    y = x()", False),
    ("x = y = 0\n    z = 1", True),
    ("import os\n    x = 1", False),
    ("x = 1; y = 2\n    z = 3", True),
    ("x = [0 for x in a]\n    y = 1", True),
    ("x = (lambda: y)\n    y = 1", False),
    ("x = sum(k for k in a)\n    y = max(b)", True),
    ("del b\n    y = 1", False),
    ("'text'\n    y = 1", False),
    ("for i in a:\n        pass\n    y = 1", True),
    ("for i in a:\n        break\n    y = 1", False),
    ("x = a.k\n    a.k = 2", False),
    ("x: int = 1\n    y: int = 2", True),
    ("x = f'{a}'\n    y = f'{b}'", True),
    ("x = map(len, a)\n    y = map(b, a)", False),
    ("x = list.pop(a)\n    y = 1", False),
    ("a.append(1)\n    x = 1 // 0", False),
    ("a += [1]\n    x = b[0]", False),
    ("x = b[0]\n    a[0] = 1", False),
    ("a.sort()\n    x, y = [], -1", True),
    ("a.sort()\n    x = a[0] = 1", False),
    ("x = a.split()\n    y = 1 // 0", True),
]


@pytest.mark.parametrize(("pair", "swaps"), SWAPS)
def test_which_neighbours_swap(pair, swaps):
    tail = "    return a\n" + "    pass\n" * 6
    source = f"def f(a, b):\n    if a:\n        pass\n    {pair}\n{tail}"
    line = 4
    found = [site for site in sites(named("independent_swap"), source) if site.line == line]
    assert bool(found) == swaps


GUARDED = """\
def f(a, b):
    def g():
        x = a[0]
        y = b[0]
        return x == y
    {}
    return 1
"""


@pytest.mark.parametrize("name", ["independent_swap", "operand_swap"])
def test_what_is_called_under_a_try_tells_errors_apart(name):
    guard = "try:\n        g()\n    except KeyError:\n        pass"
    for rest, swaps in (("g()", True), (guard, False)):
        source = GUARDED.format(rest).replace("return x == y", "return a[1] == b[1]")
        assert bool(sites(named(name), source + "    pass\n" * 9)) == swaps


def test_functions_that_call_themselves_under_a_try_tell_errors_apart():
    body = "    x = a[0]\n    y = b[0]\n    return x, y\n" + "    pass\n" * 12
    called = "    if a:\n        try:\n            {}(b)\n        finally:\n            pass\n"
    for name, swaps in (("f", False), ("g", True)):
        source = f"def f(a, b):\n{called.format(name)}{body}"
        assert bool(sites(named("independent_swap"), source)) == swaps


def test_loops_that_wait_do_not_swap():
    body = "    n = 0\n    async for i in a:\n        n += i\n    x = 1\n    y = 2\n    return n\n"
    source = "async def f(a):\n" + body + "    pass\n" * 12
    assert {site.line for site in sites(named("independent_swap", 2), source)} == {5}


SNEAKY = [
    "m = map(len, a)\n    x = list(m)\n    y = list(m)",
    "from itertools import chain\n    m = chain(a, a)\n    x = list(m)\n    y = list(m)",
    "m = [iter(a)]\n    x = list(m[0])\n    y = list(m[0])",
    "m = []\n    m.append(k for k in a)\n    x = list(m[0])\n    y = list(m[0])",
    "k = 1\n    m = map(lambda v: v + k, a)\n    k = 2\n    y = list(m)",
    "r = [0]\n    m = r\n    m[0] = 1\n    y = r[0]",
    "r = [[0]]\n    m = r[0]\n    m += [1]\n    y = str(r)",
    "from collections import defaultdict\n    d = defaultdict(int)\n    x = d[1]\n    y = d[2]",
    "r = [0]\n    for q in [r]:\n        q.append(1)\n    y = len(r)",
    "r = []\n    q = [0]\n    r.append(q)\n    q[0] = 2\n    y = str(r)",
    "r = q = []\n    q.append(1)\n    y = len(r)",
    "import sys\n    p = sys.path\n    p.append(1)\n    y = len(sys.path)",
    "m = [map(str, a)]\n    q = m[0]\n    x = list(q)\n    y = list(q)",
    "m = [iter(a) for _ in a]\n    x = list(m[0])\n    y = list(m[0])",
    "m = [iter(a)] * 2\n    x = list(zip(*m))\n    y = list(zip(*m))",
    "m = dict(k=iter(a))\n    x = list(m['k'])\n    y = list(m['k'])",
    "m = tuple(map(str, [v]) for v in a)\n    x = list(m[0])\n    y = list(m[0])",
    "m = []\n    m.extend([iter(a)])\n    x = list(m[0])\n    y = list(m[0])",
    "m = {}\n    m['k'] = iter(a)\n    x = list(m['k'])\n    y = list(m['k'])",
    "m = list(map(g, a))\n    x = list(m[0])\n    y = list(m[0])",
    "m = dict.fromkeys('ab', iter(a))\n    x = list(m['a'])\n    y = list(m['b'])",
    "from itertools import tee\n    p, q = tee(a)\n    x = list(p)\n    y = list(p)",
    "p, q = g(), 1\n    x = list(p)\n    y = list(p)",
    "m, *p = map(iter, a)\n    x = list(p[0])\n    y = list(p[0])",
    "with g(iter(a)) as m:\n        pass\n    x = list(m)\n    y = list(m)",
    "import re\n    r = [0]\n    h = r.pop\n    x = re.sub('', repl=h, string='')\n    y = len(r)",
    "import re\n    r = [0]\n    h = r.append\n    x = re.subn('a', h, 'a')\n    y = r[0]",
]


@pytest.mark.parametrize("body", SNEAKY)
def test_shared_objects_and_used_up_iterators_do_not_swap(body):
    source = f"def f(a):\n    {body}\n    return x, y\n" + "    pass\n" * 9
    last = len(body.splitlines())
    assert last not in {site.line for site in sites(named("independent_swap"), source)}


@pytest.mark.parametrize(
    "body",
    [
        "for k, m in itertools.groupby(a):\n        x = list(m)\n        y = list(m)",
        "for m in [iter(a), zip(a)]:\n        x = list(m)\n        y = list(m)",
        "match [iter(a)]:\n        case [m]:\n            x = list(m)\n            y = list(m)",
    ],
)
def test_what_a_block_hands_out_may_be_used_up(body):
    source = f"import itertools\ndef f(a):\n    {body}\n    return x, y\n" + "    pass\n" * 9
    assert not sites(named("independent_swap"), source)


@pytest.mark.parametrize(
    "start",
    [
        "m = list(map(int, a))",
        "m = [k for k, _ in collections.Counter(a).items()]",
        "m = [heapq.heappop(a)]",
        "m, n = map(lambda k: k + 1, a)",
    ],
)
def test_what_is_read_to_the_end_at_once_swaps(start):
    head = f"import collections, heapq\ndef f(a):\n    {start}\n"
    source = head + "    x = m\n    y = [m]\n    return x, y\n" + "    pass\n" * 9
    assert 4 in {site.line for site in sites(named("independent_swap"), source)}
