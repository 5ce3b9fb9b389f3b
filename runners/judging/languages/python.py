"""What the judge knows of Python: whether a text parses.

Another language needs a module of this shape, a keeping rule for its completions in
``ingest/answers``, tokenizers in ``measuring/pairs``, and an interpreter inside the sandbox.
"""

from ingest.parsing import UNPARSABLE, parse


def parses(source: str) -> bool:
    """Return whether the text is Python; nothing of it is run."""
    try:
        parse(source)
    except UNPARSABLE:
        return False
    return True
