"""What crosses between test and candidate, through the whole path a user takes."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.runners import whole_path
from tests.runners.whole_path import PathRows

# What tests use and the prompt defines: honest completions, and what is said of them.
HELPERS = {
    "HumanEval/32": {
        "    lo, hi = -1e6, 1e6\n    while poly(xs, lo) * poly(xs, hi) > 0:\n"
        "        lo, hi = lo * 2, hi * 2\n    for _ in range(300):\n        mid = (lo + hi) / 2\n"
        "        if poly(xs, lo) * poly(xs, mid) > 0:\n            lo = mid\n        else:\n"
        "            hi = mid\n    return lo\n": "passed",
        "    return 0.0\n\ndef poly(xs, x):\n    return 0.0\n": "failed",
    },
    "HumanEval/38": {
        "    return encode_cyclic(encode_cyclic(s))\n": "passed",
        "    return s\n\ndef encode_cyclic(s):\n    return s\n": "failed",
        # a redefinition may serve the candidate
        "    return encode_cyclic(s)\n\n_given = encode_cyclic\n\n"
        "def encode_cyclic(s):\n    return _given(_given(s))\n": "passed",
    },
    "HumanEval/50": {
        "    return ''.join(chr((ord(ch) - 5 - 97) % 26 + 97) for ch in s)\n": "passed",
        "    return s\n\ndef encode_shift(s):\n    return s\n": "failed",
        # a program that lacks it fails, as in the makers' harness
        "    return ''.join(chr((ord(ch) - 5 - 97) % 26 + 97) for ch in s)\n\n"
        "del encode_shift\n": "error",
        "    return encode_shift(s)\n\ndef encode_shift(s):\n"
        "    return ''.join(chr((ord(ch) - 5 - 97) % 26 + 97) for ch in s)\n": "passed",
    },
}

ENDING = "def f(x):\n    if x < 3:\n        raise {}\n    return 1\n"
RETURNS_ONE = "def f(x):\n    return 1\n"
# Tests, a right program, and what is said of others; all but "same" are split.
TOLD: dict[str, tuple[str, str, dict[str, str]]] = {
    "StopIteration in a map": (
        "for n in map(f, [1, 2]):\n    assert n == 1\nassert f(3) == 1\n",
        RETURNS_ONE,
        {
            ENDING.format("StopIteration"): "error",
            ENDING.format("StopIteration(1)"): "error",
            ENDING.format("StopAsyncIteration"): "error",
            ENDING.format("GeneratorExit"): "error",
            "class Mine(StopIteration):\n    pass\n\n" + ENDING.format("Mine"): "error",
        },
    ),
    "StopIteration in iter()": (
        "assert all(n == 1 for n in iter(lambda: f(1), 2)) if f(3) != 1 else True\n"
        "assert list(iter(lambda: f(0), 1)) == []\n",
        RETURNS_ONE,
        {ENDING.format("StopIteration"): "error"},
    ),
    "order of a set": (
        "s = {12, 13, 14, 15, 16}\nassert f(s) == (16, 12, 13, 14, 15)\n"
        "assert f({8, 0}) == tuple({8, 0})\n",
        "def f(s):\n    return tuple(s)\n",
        {
            "def f(s):\n    return tuple(sorted(s))\n": "failed",
            "def f(s):\n    return tuple(sorted(s, key=lambda x: (x % 16, -x)))\n": "failed",
        },
    ),
    "MBPP/341 as published": (
        "assert f({1, 2, 3, 4, 5}) == (1, 2, 3, 4, 5)\n"
        "assert f({12, 13, 14, 15, 16}) == (12, 13, 14, 15, 16)\n",
        "def f(s):\n    return tuple(sorted(s))\n",
        {"def f(s):\n    return tuple(s)\n": "failed"},
    ),
    "order of an answer": (
        "assert list(f(8, 0)) == [8, 0]\nassert list(f(0, 8)) == [0, 8]\n",
        "def f(a, b):\n    s = set()\n    s.add(a)\n    s.add(b)\n    return s\n",
        {"def f(a, b):\n    s = set()\n    s.add(b)\n    s.add(a)\n    return s\n": "failed"},
    ),
    "an argument is changed": (
        "xs = [3, 1, 2]\nassert f(xs) == [1, 2, 3]\nassert xs == [3, 1, 2]\n",
        "def f(xs):\n    return sorted(xs)\n",
        {"def f(xs):\n    xs.sort()\n    return list(xs)\n": "failed"},
    ),
    "an argument is to be changed": (
        "xs, d = [3, 1], {'a': [1]}\nassert f(xs, d) is None\nassert xs == [3, 1, 9]\n"
        "assert d == {'a': [1, 9]}\n",
        "def f(xs, d):\n    xs.append(9)\n    d['a'].append(9)\n",
        {"def f(xs, d):\n    xs = xs + [9]\n    d = {'a': [1, 9]}\n": "failed"},
    ),
    "one object": (
        "xs = [1]\nassert f(xs, xs) is xs\nassert f(xs, [1]) is not xs\n",
        "def f(a, b):\n    return a if a is b else list(a)\n",
        {"def f(a, b):\n    return list(a)\n": "failed", "def f(a, b):\n    return a\n": "failed"},
    ),
    "a default that is kept": (
        "a = f(1)\nb = f(2)\nassert a == [1]\nassert b == [2]\n",
        "def f(x, seen=None):\n    seen = [] if seen is None else seen\n    seen.append(x)\n"
        "    return seen\n",
        {"def f(x, seen=[]):\n    seen.append(x)\n    return seen\n": "failed"},
    ),
    "an endless generator": (
        "from itertools import islice\nassert list(islice(f(), 3)) == [0, 1, 2]\n"
        "assert not isinstance(f(), list)\nit = iter([1, 2, 3])\nf(it)\n"
        "assert list(it) == [2, 3]\n",
        "from itertools import count\ndef f(it=None):\n"
        "    return next(it) if it else (n for n in count())\n",
        {"def f(it=None):\n    return list(it)[0] if it else list(range(9))\n": "failed"},
    ),
    "numbers": (
        "import math\nassert math.copysign(1, f(-0.0)) == -1\nnan = float('nan')\n"
        "assert f(nan) is nan\nassert f(True) is True\nassert type(f(1)) is int\n",
        "def f(x):\n    return x\n",
        {
            "def f(x):\n    return x + 0\n": "failed",
            "import enum\nclass E(enum.IntEnum):\n    A = 1\n"
            "def f(x):\n    return E.A if type(x) is int else x\n": "failed",
        },
    ),
    "exceptions": (
        "def caught(x):\n    try:\n        f(x)\n    except Exception as error:\n"
        "        return isinstance(error, KeyError) and error.args == (x,)\n"
        "assert caught('a')\nassert caught(2)\n",
        "class Mine(KeyError):\n    pass\ndef f(x):\n    raise Mine(x)\n",
        {
            "def f(x):\n    raise LookupError(x)\n": "failed",
            "def f(x):\n    raise SystemExit(x)\n": "error",
            "def f(x):\n    raise KeyboardInterrupt\n": "error",
        },
    ),
    "same: StopIteration in a map": (
        "def call(g):\n    return g()\nassert f(call) == 1\n"
        "for n in map(f, [call, 2]):\n    assert n == 1\n",
        "def f(x):\n    return x(lambda: 1) if callable(x) else 1\n",
        {
            "def f(x):\n    if x == 2:\n        raise StopIteration\n"
            "    return x(lambda: 1)\n": "error",
        },
    ),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[PathRows]]]:
    """One warehouse for all: what the views say of every sample."""
    folder = tmp_path_factory.mktemp("border")
    problems: list[dict[str, Any]] = []
    samples: dict[str, list[str]] = {}
    for number, (tests, reference, others) in enumerate(TOLD.values()):
        problems.append(whole_path.problem(f"T/{number}", tests, reference))
        samples[f"T/{number}"] = [reference, *others]
    try:
        problems += whole_path.real(*HELPERS)
        samples |= {task: list(completions) for task, completions in HELPERS.items()}
    except pytest.skip.Exception:
        pass
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder / "home"))
        yield whole_path.verdicts(folder, problems, samples)


@pytest.mark.parametrize("task", HELPERS)
def test_helpers_of_the_prompt_are_the_judges_own(
    found: dict[str, list[PathRows]], task: str
) -> None:
    if task not in found:
        pytest.skip("real data not found")
    assert found[task] == [PathRows(verdict, "split") for verdict in HELPERS[task].values()]


@pytest.mark.parametrize("name", TOLD)
def test_programs_fare_as_beside_their_tests(found: dict[str, list[PathRows]], name: str) -> None:
    expected = ["passed", *TOLD[name][2].values()]
    integrity = "same_interpreter" if name.startswith("same") else "split"
    key = f"T/{list(TOLD).index(name)}"
    assert found[key] == [PathRows(verdict, integrity) for verdict in expected]
