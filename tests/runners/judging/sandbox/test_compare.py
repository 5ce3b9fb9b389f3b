"""The comparison rules, against cases worked out by hand from EvalPlus's."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.judging.sandbox.compare import agrees

CASES: list[tuple[str, list[Any], Any, Any, float, bool]] = [
    ("exact", [], [1, 2], [1, 2], 0, True),
    ("exact", [], (1, 2), [1, 2], 0, False),
    ("exact", [], 1.0, 1, 0, True),
    ("exact", [], math.nan, math.nan, 0, False),
    ("evalplus", [], 0.1 + 0.2, 0.3, 0, True),
    ("evalplus", [], [0.1 + 0.2], [0.3], 0, True),
    ("evalplus", [], (0.1 + 0.2,), [0.3], 0, False),
    ("evalplus", [], [0.3, 0.3], [0.3], 0, False),
    ("evalplus", [], 0.30001, 0.3, 0, False),
    ("evalplus", [], 0.30001, 0.3, 1e-4, True),
    ("evalplus", [], 3, 3.0, 0, True),
    ("evalplus", [], 2, 3.0, 2.0, False),
    ("evalplus", [], 1e9 + 10, 1e9, 0, True),
    ("evalplus", [], 11, 10, 0, False),
    ("evalplus", [], "a", "b", 1e-6, False),
    ("evalplus", [], [[0.1 + 0.2]], [[0.3]], 0, False),
    ("evalplus", [], [[0.1 + 0.2]], [[0.3]], 1e-6, True),
    ("evalplus", [], math.nan, 1.0, 0, False),
    ("evalplus", [], math.inf, math.inf, 0, True),
    ("set", [], [2, 1, 1], (1, 2), 0, True),
    ("set", [], [1], [1, 2], 0, False),
    ("set", [], [[1]], [[1]], 0, False),
    ("not_none", [], "found", "other", 0, True),
    ("not_none", [], None, "other", 0, False),
    ("not_none", [], False, None, 0, True),
    ("not_none", [], True, None, 0, False),
    ("poly_root", [[-6, 1]], 6.00001, None, 1e-4, True),
    ("poly_root", [[-6, 1]], 6.1, None, 1e-4, False),
    ("poly_root", [[-6, 1]], "6", None, 1e-4, False),
    ("any", [], None, 1, 0, True),
    ("or_zero", [], 0, 7, 0, True),
    ("or_zero", [], 6, 7, 0, False),
    ("surface_area", [3, 4], 33, 0, 0, False),
    ("surface_area", [3, 4], 35, 0, 0, True),
    ("digit_distance", [1, 256], 12, 0, 0, True),
    ("digit_distance", [1, 256], 11, 0, 0, False),
    ("json_value", [], (1, (2, 3)), [1, [2, 3]], 0, True),
    ("json_value", [], 5, [5], 0, True),
    ("json_value", [], -1.0, math.inf, 0, False),
    ("json_value", [], math.inf, math.inf, 0, True),
    ("json_value", [], [1.0, 2.0], [math.inf, 2.0], 0, False),
    ("evalplus", [], 1e308, -math.inf, 1e-6, False),
    ("stdout_floats", [], "0.5", "1e999", 0, False),
    ("stdout_floats", [], "1" + "0" * 350 + ".0", "1e400", 0, True),
    ("json_value", [], [5], [5], 0, True),
    ("json_value", [], (5,), [[5]], 0, True),
    ("json_value", [], [[5]], [5], 0, False),
    ("json_value", [], 5, [5, 6], 0, False),
    ("json_value", [], 0.1 + 0.2, [0.3], 0, True),
    ("json_value", [], [0.1 + 0.2, 1.0], [0.3, 1.0], 0, True),
    ("json_value", [], 0.30001, 0.3, 0, False),
    ("json_value", [], "5", [5], 0, False),
    ("json_value", [], True, [1], 0, True),
    ("json_value", [], None, [None], 0, True),
    ("json_value", [], None, [], 0, False),
    ("json_value", [], (), [], 0, True),
    ("json_value", [], {1: (2,)}, [{"1": [2]}], 0, True),
    ("json_value", [], {1: 2, "1": 2}, {"1": 2}, 0, False),
    ("json_value", [], {1, 2}, [1, 2], 0, False),
    ("stdout", [], "1 2\n3\n", " 1\t2 3", 0, True),
    ("stdout", [], "1\r\n\r\n2", "1\n2\n", 0, True),
    ("stdout", [], "1 2 ", "1 2", 0, True),
    ("stdout", [], "1 2 3", "1 2", 0, False),
    ("stdout", [], "1", "1 2", 0, False),
    ("stdout", [], "2 1", "1 2", 0, False),
    ("stdout", [], "1.0", "1", 0, False),
    ("stdout", [], "yes", "YES", 0, False),
    ("stdout", [], "12", "1 2", 0, False),
    ("stdout", [], " \n", "", 0, True),
    ("stdout_nocase", [], "Yes\nNO", "YES no", 0, True),
    ("stdout_nocase", [], "yes no", "yes", 0, False),
    ("stdout_nocase", [], "1.0", "1", 0, False),
    ("stdout_floats", [], "0.3333333", "0.333333", 0, True),
    ("stdout_floats", [], "0.33333", "0.333333", 0, False),
    ("stdout_floats", [], "1.0", "1", 0, True),
    ("stdout_floats", [], "1e6", "1000000.9", 0, True),
    ("stdout_floats", [], "1e6", "1000002.", 0, False),
    ("stdout_floats", [], "1000001", "1000000", 0, False),
    ("stdout_floats", [], "01", "1", 0, False),
    ("stdout_floats", [], "nan", "nan", 0, True),
    ("stdout_floats", [], "inf", "1e999", 0, False),
    ("stdout_floats", [], "0.5 x", "0.5 X", 0, False),
    ("stdout_floats", [], "0.5", "0.5 0.5", 0, False),
    ("stdout_floats", [], "0." + "5" * 500, "0.5", 0, False),
    ("stdout_loose", [], "yes 0.50000001", "YES 0.5", 0, True),
    ("stdout_loose", [], "yes 0.6", "YES 0.5", 0, False),
    ("stdout", [], "0", "", 0, False),
    ("stdout", [], "1\xa02", "1 2", 0, True),
]


@pytest.mark.parametrize(("compare", "args", "out", "expected", "atol", "same"), CASES)
def test_rule(
    compare: str, args: list[Any], out: Any, expected: Any, atol: float, same: bool
) -> None:
    assert agrees(compare, args, out, expected, atol) is same


def test_an_unknown_rule_is_an_error() -> None:
    with pytest.raises(KeyError):
        agrees("nearly", [], 1, 1, 0)


WORDS = st.text(alphabet="ab1 \n\r\t\x0b\xa0\u2003", max_size=12)


@given(WORDS, WORDS)
def test_printed_texts_agree_when_their_words_do(out: str, expected: str) -> None:
    assert agrees("stdout", [], out, expected, 0) is (out.split() == expected.split())
    assert agrees("stdout", [], f"\n {out}\r\n", out, 0)
