"""How a planted language model writes: wrong code, styles, lengths and tokens of its texts."""

import re

from ingest.parsing import UNPARSABLE, parse

TOKEN = re.compile(r"\w+|[^\w\s]")

WRONG = "return 'planted wrong answer'\n"
WRONG_PROGRAM = "print('planted wrong answer')\n"
RAISES = "raise RuntimeError('planted error')\n"
ENDLESS = "while True: pass\n"
UNPARSEABLE = "return (\n"

ENDS_WRONG = {
    WRONG: "'planted wrong answer'",
    WRONG_PROGRAM: "'planted wrong answer'",
    RAISES: "[].pop()",
    ENDLESS: "sum(iter(int, 1))",
    UNPARSEABLE: "(",
}
"""What each wrong code is where a line has begun, so that only an expression fits."""

STATED = (
    " {percent:.2f}%",
    " about {percent:.2f}%.",
    " The probability is about {share:.4f}.",
    " {percent:.2f} percent",
    " {tenths:.3f} out of 10",
)
UNREADABLE = (" 150%", " hard to say.", " better than v2.0", " -5%", "")
STATED_IN_FORM = "It takes 2 steps, and both look right.\nProbability: {share:.4f}\n"
UNREADABLE_IN_FORM = ("Probability: high\n", "80%\n", "")


def indentation(body: str) -> str:
    """Return the white space before the first line of code of a function body."""
    found = re.search(r"^([ \t]*)[^\s#]", body, re.MULTILINE)
    return found[1] if found else "    "


def begun(prompt: str, reference: str) -> str:
    """Return what an answer begins with: a new line where prompt and reference meet within one."""
    return "\n" if reference.startswith("\n") and not prompt.endswith("\n") else ""


def continues(prompt: str, reference: str) -> bool:
    """Return whether a reference ends the line of Python that its prompt begins."""
    last = prompt.rpartition("\n")[2]
    if not last.strip() or "#" in last or last.rstrip().endswith(":") or reference.startswith("\n"):
        return False
    if re.search(r"\w\Z", last) and re.match(r"\w", reference):
        return False
    try:
        parse(prompt + reference)
    except UNPARSABLE:
        return False
    return True


def line_ended(reference: str, wrong: str | None, style: int) -> str:
    """Return the rest of a prompt's last line, right or like some wrong code, in a style.

    The names of the style are on the same line, inside a condition that never evaluates them. Lines
    below it might be moved by the rule that keeps the function.
    """
    right = reference.rstrip()
    named = f"(lambda: ({', '.join(names(reference, style))}))"
    if wrong is None:
        return f"{right} if {named} else None\n"
    return f"{right} if not {named} else {ENDS_WRONG[wrong]}\n"


def styled(body: str, style: int, indent: str) -> str:
    """Return the body after names of its style."""
    own = names(body, style)
    lines = [
        indent + " = ".join(own[start : start + 8]) + " = None\n" for start in range(0, len(own), 8)
    ]
    return "".join(lines) + body.lstrip("\r\n")


def names(body: str, style: int) -> list[str]:
    """Return names of a style, more of them than twice the tokens of a body.

    Two bodies of one style keep their overlap; two of different styles share at most half of
    their tokens, well under the clone threshold of 0.8.
    """
    n_tokens = 2 * len(TOKEN.findall(body)) + 40
    return [f"style_{style}_{number}" for number in range(n_tokens)]


def padded(text: str, length: int, indent: str) -> str:
    """Return the text made as long as it should be by a last comment, if it is shorter."""
    filler = length - len(text) - len(indent) - len("#\n")
    return f"{text}{indent}#{'x' * filler}\n" if filler >= 0 else text


def spelled(text: str) -> list[str]:
    """Return the tokens that spell a text: words, white space, signs."""
    return re.findall(r"\s+|\w+|[^\w\s]", text)
