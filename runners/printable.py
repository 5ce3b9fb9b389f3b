"""Texts of strangers as they may be stored and printed."""

MAX_REASON = 300


def printable_line(text: str) -> str:
    """Return a text of a stranger as one short line without control characters."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(line.split())[:MAX_REASON]
