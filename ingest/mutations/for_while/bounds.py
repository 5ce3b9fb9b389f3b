"""The bounds of a ``range`` as they are written: what each may be, and what it reads.

Refused: unpacked or named arguments, a step that is no number, a bound on several lines or one
that assigns. Proved: tests/ingest/mutations/test_mutations_beyond.py.
"""

import libcst as cst

from ingest.mutations.analysis.numbers.whole_numbers import TRUTH_BUILTINS
from ingest.mutations.base import Unfit
from ingest.mutations.source.program import ParsedProgram

SUMS = (cst.Add, cst.FloorDivide, cst.Modulo, cst.Multiply, cst.Subtract)


def bounds_of(
    program: ParsedProgram, call: cst.Call
) -> tuple[cst.BaseExpression | None, cst.BaseExpression, int]:
    """Return where a range starts, where it stops and its step; raises Unfit."""
    if not 1 <= len(call.args) <= 3 or any(each.star or each.keyword for each in call.args):
        raise Unfit("arguments", "the arguments of range are not written out")
    values = [each.value for each in call.args]
    step = 1
    if len(values) == 3:
        text = program.text(values[2]).replace(" ", "")
        digits = text.removeprefix("-")
        if not digits.isdecimal() or not digits.isascii() or int(digits) == 0:
            raise Unfit("step", "the step is not written as a number")
        step = int(text)
    return (None, values[0], step) if len(values) == 1 else (values[0], values[1], step)


def bound_text(program: ParsedProgram, node: cst.BaseExpression) -> str:
    """Return the text of a bound that may be written again elsewhere; raises Unfit."""
    start, end = program.outer_span(node)
    text = program.source[start:end]
    if "\n" in text or "\r" in text:
        raise Unfit("many_lines", "a bound takes more than one line")
    if isinstance(node, cst.NamedExpr | cst.Yield | cst.Await | cst.GeneratorExp):
        raise Unfit("effect", "a bound assigns, or hands over control")
    return text


def is_divided(node: cst.BaseExpression | None) -> bool:
    """Say whether an expression is written as a fraction."""
    match node:
        case cst.Float() | cst.BinaryOperation(operator=cst.Divide()):
            return True
        case cst.BinaryOperation():
            return is_divided(node.left) or is_divided(node.right)
        case cst.UnaryOperation():
            return is_divided(node.expression)
        case _:
            return False


def is_truth(program: ParsedProgram, node: cst.BaseExpression) -> bool:
    """Say whether an expression may well be False or True."""
    match node:
        case cst.Comparison() | cst.UnaryOperation(operator=cst.Not()):
            return True
        case cst.Name():
            return node.value in ("False", "True")
        case cst.BooleanOperation():
            return is_truth(program, node.left) or is_truth(program, node.right)
        case cst.IfExp():
            return is_truth(program, node.body) or is_truth(program, node.orelse)
        case _:
            return program.calls_builtin(node, TRUTH_BUILTINS)


def is_simple(program: ParsedProgram, node: cst.BaseExpression) -> bool:
    """Say whether an expression is made of names, numbers, sums and lengths alone."""
    match node:
        case cst.Name() | cst.Integer():
            return True
        case cst.UnaryOperation(operator=cst.Minus()):
            return is_simple(program, node.expression)
        case cst.BinaryOperation() if isinstance(node.operator, SUMS):
            return is_simple(program, node.left) and is_simple(program, node.right)
        case cst.Call():
            is_length = program.calls_builtin(node, {"len"}) and len(node.args) == 1
            return is_length and isinstance(node.args[0].value, cst.Name)
        case _:
            return False
