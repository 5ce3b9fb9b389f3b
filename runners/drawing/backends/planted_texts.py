"""How a planted language model writes: styles, lengths and tokens of its texts."""

import re

TOKEN = re.compile(r"\w+|[^\w\s]")


def indentation(body: str) -> str:
    """Return the white space before the first line of code of a function body."""
    found = re.search(r"^([ \t]*)[^\s#]", body, re.MULTILINE)
    return found[1] if found else "    "


def begun(prompt: str, reference: str) -> str:
    """Return what an answer begins with: a new line where prompt and reference meet within one."""
    return "\n" if reference.startswith("\n") and not prompt.endswith("\n") else ""


def styled(body: str, style: int, indent: str) -> str:
    """Return the body after names of its style, more of them than twice its tokens.

    Two bodies of one style keep their overlap; two of different styles share at most half of
    their tokens, well under the clone threshold of 0.8.
    """
    n_tokens = 2 * len(TOKEN.findall(body)) + 40
    names = [f"style_{style}_{number}" for number in range(n_tokens)]
    lines = [
        indent + " = ".join(names[start : start + 8]) + " = None\n"
        for start in range(0, n_tokens, 8)
    ]
    return "".join(lines) + body.lstrip("\r\n")


def padded(text: str, length: int, indent: str) -> str:
    """Return the text made as long as it should be by a last comment, if it is shorter."""
    filler = length - len(text) - len(indent) - len("#\n")
    return f"{text}{indent}#{'x' * filler}\n" if filler >= 0 else text


def spelled(text: str) -> list[str]:
    """Return the tokens that spell a text: words, white space, signs."""
    return re.findall(r"\s+|\w+|[^\w\s]", text)
