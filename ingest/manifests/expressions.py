"""Arguments of a call, written as in Python, without running Python.

The idea: the syntax tree is walked, and each node that is known gives a value. Known are literals,
arithmetic, comparisons, conditions, parts of sequences, comprehensions, and calls of a few builtins
that make plain values, such as ``list(range(10))``. No name but these and a comprehension's own
means anything, no attribute is taken, and no text of the file is executed. What grows is bounded:
the steps that are taken, the elements of a sequence, and the digits of a number. All else is
refused. EvoEval writes 572 of its inputs so (``tests/ingest/manifests/test_expressions.py``).
"""

import ast
import operator
from collections.abc import Callable, Iterator
from typing import Any

from ingest.parsing import parse

MAX_STEPS = 2_000_000
MAX_ELEMENTS = 30_000_000
MAX_BITS = 100_000

BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
}
MAKERS: dict[str, Callable[..., Any]] = {
    kind.__name__: kind
    for kind in (
        *(range, list, tuple, set, frozenset, dict, str, int, float, complex, bool),
        *(reversed, sorted, chr, ord, abs),
    )
}


def call_arguments(text: str) -> list[Any]:
    """Return the values between the parentheses of a call: ``"[1] * 3, 0.5"``.

    Raises ValueError for what is no argument, or none that is known here.
    """
    try:
        tree = parse(f"({text}\n,)" if text.strip() else "()")
        (statement,) = tree.body
        assert isinstance(statement, ast.Expr)
        return list(_Values().of(statement.value, {}))
    except (SyntaxError, AssertionError) as error:
        raise ValueError(f"not the arguments of a call: {error}") from error
    except (TypeError, ArithmeticError, LookupError, RecursionError, MemoryError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


class _Values:
    """The values of expressions, within one bound of steps."""

    def __init__(self) -> None:
        self.steps = 0

    def of(self, node: ast.expr, names: dict[str, Any]) -> Any:
        """Return the value of an expression; ``names`` are those of comprehensions around it."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise ValueError("the expression takes too many steps")
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                if node.id not in names:
                    raise ValueError(f"the name {node.id!r} means nothing here")
                return names[node.id]
            case ast.List() | ast.Tuple() | ast.Set():
                makes = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)]
                return makes(self.of(each, names) for each in node.elts)
            case ast.Dict():
                if None in node.keys:
                    raise ValueError("a dict is not unpacked here")
                pairs = zip(node.keys, node.values, strict=True)
                return {self.of(key, names): self.of(value, names) for key, value in pairs if key}
            case ast.UnaryOp():
                return UNARY[type(node.op)](self.of(node.operand, names))
            case ast.BinOp():
                return self._binary(node, names)
            case ast.Compare():
                return self._compared(node, names)
            case ast.IfExp():
                return self.of(node.body if self.of(node.test, names) else node.orelse, names)
            case ast.Subscript():
                return self.of(node.value, names)[self._index(node.slice, names)]
            case ast.Call():
                return self._made(node, names)
            case ast.ListComp() | ast.GeneratorExp():
                return [self.of(node.elt, inner) for inner in self._each(node.generators, names)]
            case ast.SetComp():
                return {self.of(node.elt, inner) for inner in self._each(node.generators, names)}
            case ast.DictComp():
                return {
                    self.of(node.key, inner): self.of(node.value, inner)
                    for inner in self._each(node.generators, names)
                }
        raise ValueError(f"{ast.unparse(node)[:60]!r} is no plain value")

    def _binary(self, node: ast.BinOp, names: dict[str, Any]) -> Any:
        if type(node.op) not in BINARY:
            raise ValueError(f"{ast.unparse(node)[:60]!r} is no plain value")
        left, right = self.of(node.left, names), self.of(node.right, names)
        if isinstance(node.op, ast.Mult):
            for items, times in ((left, right), (right, left)):
                if isinstance(items, str | bytes | list | tuple) and isinstance(times, int):
                    _bounded(len(items) * max(times, 0), MAX_ELEMENTS)
        if isinstance(node.op, ast.Mod) and isinstance(left, str | bytes):
            raise ValueError("a text is not formatted here")
        if isinstance(node.op, ast.Pow) and isinstance(left, int) and isinstance(right, int):
            _bounded(left.bit_length() * abs(right), MAX_BITS)
        return BINARY[type(node.op)](left, right)

    def _compared(self, node: ast.Compare, names: dict[str, Any]) -> bool:
        values = [self.of(each, names) for each in (node.left, *node.comparators)]
        pairs = zip(node.ops, values, values[1:], strict=False)
        return all(COMPARED[type(kind)](left, right) for kind, left, right in pairs)

    def _index(self, node: ast.expr, names: dict[str, Any]) -> Any:
        if isinstance(node, ast.Slice):
            parts = (node.lower, node.upper, node.step)
            return slice(*(None if part is None else self.of(part, names) for part in parts))
        return self.of(node, names)

    def _made(self, node: ast.Call, names: dict[str, Any]) -> Any:
        if not isinstance(node.func, ast.Name) or node.func.id not in MAKERS or node.keywords:
            raise ValueError(f"{ast.unparse(node)[:60]!r} is no call that is known here")
        given = [self.of(each, names) for each in node.args]
        made = MAKERS[node.func.id](*given)
        if isinstance(made, range):
            _bounded(len(made), MAX_ELEMENTS)
        return list(made) if node.func.id == "reversed" else made

    def _each(
        self, generators: list[ast.comprehension], names: dict[str, Any]
    ) -> Iterator[dict[str, Any]]:
        """Yield the names of each round of a comprehension."""
        if not generators:
            yield names
            return
        first, *rest = generators
        if first.is_async:
            raise ValueError("an asynchronous comprehension is no plain value")
        for item in self.of(first.iter, names):
            inner = names | _bound(first.target, item)
            if all(self.of(condition, inner) for condition in first.ifs):
                yield from self._each(rest, inner)


def _bound(target: ast.expr, item: Any) -> dict[str, Any]:
    if isinstance(target, ast.Name):
        return {target.id: item}
    if isinstance(target, ast.Tuple | ast.List):
        pairs = zip(target.elts, item, strict=True)
        return {name: value for part, each in pairs for name, value in _bound(part, each).items()}
    raise ValueError(f"{ast.unparse(target)[:60]!r} is no name")


def _bounded(size: int, most: int) -> None:
    if size > most:
        raise ValueError(
            f"the expression makes {size:,} elements or bits, and {most:,} are allowed"
        )
