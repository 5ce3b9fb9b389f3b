"""A program that looks up expected outputs, run in place of a missing reference.

It never runs in a candidate's process. Its time says nothing about how long a solution takes.
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
def {function}(*arguments, _answers=ANSWERS, _repr=repr):
    return _answers[_repr(arguments)]
"""


def answer_sheet(suite: Suite) -> str:
    """Return the program; ``suite`` must hold the expected outputs of all its inputs.

    If one input has two expected outputs, the later one is returned, so a test fails unless both
    are close enough to be equal.
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
