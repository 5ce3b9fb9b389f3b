"""A program that looks up the given outputs: what runs where a dataset has no solution.

It is ours and runs in a process of its own, so no candidate sees it. Its time says nothing about
how long a solution takes.
"""

from models.plain import codec
from models.words import SCRIPT
from runners.judging.sandbox.types import Suite

SCRIPT_SHEET = """\
import sys
ANSWERS = {answers}
sys.stdout.buffer.write(ANSWERS[sys.stdin.buffer.read()])
"""

FUNCTION_SHEET = """\
nan, inf = float("nan"), float("inf")
ANSWERS = {answers}
def {function}(*arguments):
    return ANSWERS[repr(arguments)]
"""


def answer_sheet(suite: Suite) -> str:
    """Return the program; ``suite`` must hold the expected outputs of all its inputs.

    Where one input has two outputs, the last one is given, so a test fails.
    """
    assert suite.expected is not None
    inputs = [codec.decode(text) for text in suite.inputs]
    outputs = [codec.decode(text) for text in suite.expected]
    pairs = list(zip(inputs, outputs, strict=True))
    if suite.entry_point == SCRIPT:
        printed = {read.encode(): wanted.encode() for (read,), wanted in pairs}
        return SCRIPT_SHEET.format(answers=repr(printed))
    answered = {repr(tuple(arguments)): wanted for arguments, wanted in pairs}
    return FUNCTION_SHEET.format(answers=repr(answered), function=suite.entry_point)
