"""Keys of rows: a hash of what produced the row, so that a second run adds nothing."""

import hashlib
import json
from typing import Any


def content_key(*parts: Any) -> str:
    """Return 32 hex digits (128 bits) of SHA-256 over the parts, kept apart from one another.

    Parts are JSON values; floats keep full precision, dictionaries are sorted by key.
    """
    return text_key(json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":")))


def text_key(text: str) -> str:
    """Return the 32-digit key of one text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
