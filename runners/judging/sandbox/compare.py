"""How the judge compares an output with the expected one, after EvalPlus 0.3.1's rules.

Both sides are exact builtins decoded by models.plain.codec, so no comparison runs foreign code.

- ``exact``: equal in Python's sense; a list never equals a tuple.
- ``evalplus``: equal, or close when a tolerance applies. The tolerance is the problem's ``atol``,
  or 1e-6 when the expected value is a float or a flat list of floats. Close means same type, same
  length and
  |out - expected| <= atol + 1e-7 * |expected| for every number. (EvalPlus lets the 1e-6 linger
  for later inputs of the suite; here each input is judged alone.)
- ``set``: the two collections hold the same elements, in any order and number.
- ``not_none``: whether there is an output at all; a bool output must say whether the expected one
  is not None.
- ``poly_root``: HumanEval/32, the output is a root of the polynomial of the first argument within
  ``atol``.
- ``json_value``: equal to the expected JSON value; where that is a list of one element, the element
  alone is also right. A tuple counts as a list, a dict's keys as texts; floats are as under
  ``evalplus``.
- ``stdout``: the printed text falls into the same words as the expected one, where white space (as
  ``str.split`` sees it) parts them. No word may be missing, added, moved or spelled otherwise, and
  no number is read as a number. Line ends and blank lines do not matter.
- ``stdout_nocase``: the same, but for the case of letters. ``stdout_floats``: the same, but two
  words that are decimal numbers, not both whole, may differ by 1e-6, absolute or of the expected
  one. ``stdout_loose``: both.
- ``any``, ``or_zero``, ``surface_area``, ``digit_distance``: EvalPlus's rules for Mbpp/164, 295,
  581 and 558, whose statements allow more than one reading.
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from models.plain.codec import check_table

RTOL = 1e-7
FLOAT_ATOL = 1e-6
WHOLE = re.compile(r"[+-]?[0-9]+\Z")
DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\Z")
MAX_NUMBER = 400  # characters; nothing longer is read as a number

Comparison = Callable[[Sequence[Any], Any, Any, float], bool]


def agrees(compare: str, args: Sequence[Any], out: Any, expected: Any, atol: float) -> bool:
    """Say whether ``out``, answered for ``args``, is as right as ``expected``.

    Raises KeyError for a name not in COMPARISONS; trouble inside a comparison counts as False.
    """
    comparison = COMPARISONS[compare]
    try:
        return bool(comparison(args, out, expected, atol))
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        return False


def _exact(_args: Sequence[Any], out: Any, expected: Any, _atol: float) -> bool:
    return bool(out == expected)


def _evalplus(_args: Sequence[Any], out: Any, expected: Any, atol: float) -> bool:
    if out == expected:
        return True
    if atol == 0 and _is_floats(expected):
        atol = FLOAT_ATOL
    return atol != 0 and type(out) is type(expected) and _close(out, expected, atol)


def _set(_args: Sequence[Any], out: Any, expected: Any, _atol: float) -> bool:
    if isinstance(out, list | tuple):
        check_table(out)
    return set(out) == set(expected)


def _not_none(_args: Sequence[Any], out: Any, expected: Any, _atol: float) -> bool:
    given = out if isinstance(out, bool) else out is not None
    return given == (expected is not None)


def _poly_root(args: Sequence[Any], out: Any, _expected: Any, atol: float) -> bool:
    (coefficients,) = args
    total = sum(weight * math.pow(out, power) for power, weight in enumerate(coefficients))
    return bool(abs(total) <= atol)


def _any(_args: Sequence[Any], _out: Any, _expected: Any, _atol: float) -> bool:
    return True


def _or_zero(args: Sequence[Any], out: Any, expected: Any, atol: float) -> bool:
    return bool(out == 0) or _evalplus(args, out, expected, atol)


def _surface_area(args: Sequence[Any], out: Any, expected: Any, atol: float) -> bool:
    base, height = args  # height taken as the distance from the base to the apex
    area = round(base**2 + 2 * base * math.hypot(base / 2, height))
    return abs(out - area) <= atol or _evalplus(args, out, expected, atol)


def _digit_distance(args: Sequence[Any], out: Any, expected: Any, atol: float) -> bool:
    first, second = map(str, args)
    width = max(len(first), len(second))
    pairs = zip(first.zfill(width), second.zfill(width), strict=True)
    distance = sum(abs(int(a) - int(b)) for a, b in pairs)
    return bool(out == distance) or _evalplus(args, out, expected, atol)


def _json_value(args: Sequence[Any], out: Any, expected: Any, atol: float) -> bool:
    out, expected = _as_json(out), _as_json(expected)
    wanted = [expected, *expected] if isinstance(expected, list) and len(expected) == 1 else []
    return any(_evalplus(args, out, each, atol) for each in wanted or [expected])


def _as_json(value: Any) -> Any:
    """Return a value with tuples as lists and keys as text; a ValueError for two equal keys."""
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    found = {str(key): _as_json(item) for key, item in value.items()}
    if len(found) < len(value):
        raise ValueError("two keys of a dict are one as JSON")
    return found


def _is_floats(value: Any) -> bool:
    if isinstance(value, list | tuple) and value:
        return all(isinstance(item, float) for item in value)
    return isinstance(value, float)


def _close(out: Any, expected: Any, atol: float) -> bool:
    if isinstance(expected, list | tuple):
        return (
            isinstance(out, list | tuple)
            and len(out) == len(expected)
            and all(_close(a, b, atol) for a, b in zip(out, expected, strict=True))
        )
    if not isinstance(expected, int | float | complex) or not isinstance(
        out, int | float | complex
    ):
        return False
    if out == expected or abs(expected) == math.inf:  # nothing else is close to an infinity
        return bool(out == expected)
    return abs(out - expected) <= atol + RTOL * abs(expected)


def _stdout(_args: Sequence[Any], out: Any, expected: Any, _atol: float) -> bool:
    wanted = expected.split()
    return bool(out.split(None, len(wanted)) == wanted)  # an endless output is not split to its end


def _stdout_nocase(_args: Sequence[Any], out: Any, expected: Any, _atol: float) -> bool:
    return _stdout(_args, out.lower(), expected.lower(), _atol)


def _stdout_floats(_args: Sequence[Any], out: Any, expected: Any, _atol: float) -> bool:
    wanted = expected.split()
    words = out.split(None, len(wanted))
    return len(words) == len(wanted) and all(
        word == other or _same_number(word, other)
        for word, other in zip(words, wanted, strict=True)
    )


def _stdout_loose(_args: Sequence[Any], out: Any, expected: Any, _atol: float) -> bool:
    return _stdout_floats(_args, out.lower(), expected.lower(), _atol)


def _same_number(word: str, wanted: str) -> bool:
    """Whether both words are numbers, one of them not whole, and as close as FLOAT_ATOL."""
    if max(len(word), len(wanted)) > MAX_NUMBER or (WHOLE.match(word) and WHOLE.match(wanted)):
        return False
    if not (DECIMAL.match(word) and DECIMAL.match(wanted)):
        return False
    value, goal = float(word), float(wanted)
    if value == goal or abs(goal) == math.inf:
        return value == goal
    return abs(value - goal) <= FLOAT_ATOL * max(1.0, abs(goal))


COMPARISONS: dict[str, Comparison] = {
    "exact": _exact,
    "evalplus": _evalplus,
    "set": _set,
    "not_none": _not_none,
    "poly_root": _poly_root,
    "any": _any,
    "or_zero": _or_zero,
    "surface_area": _surface_area,
    "digit_distance": _digit_distance,
    "json_value": _json_value,
    "stdout": _stdout,
    "stdout_nocase": _stdout_nocase,
    "stdout_floats": _stdout_floats,
    "stdout_loose": _stdout_loose,
}
