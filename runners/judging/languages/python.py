"""What the judge knows of Python: whether a text parses.

Its programs run in ``runners/judging/sandbox``; other languages are
``Language`` objects (``base.py``).
"""

from ingest.parsing import UNPARSABLE, parse


def parses(source: str) -> bool:
    """Return whether the text is Python; nothing of it is run."""
    try:
        parse(source)
    except UNPARSABLE:
        return False
    return True
