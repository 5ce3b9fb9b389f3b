"""Keys of rows: a hash of what produced the row, so that a second run adds nothing."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any


def content_key(*parts: Any) -> str:
    """Return 32 hex digits (128 bits) of SHA-256 over the parts, kept apart from one another.

    Parts are JSON values; floats keep full precision, dictionaries are sorted by key.
    """
    return text_key(_json(parts))


def content_keys(*columns: Sequence[str]) -> list[str]:
    """Return the content_key of each row of some columns of text; each text is encoded once."""
    encoded = {text: _json(text) for text in {text for column in columns for text in column}}
    rows = zip(*([encoded[text] for text in column] for column in columns), strict=True)
    return [text_key(f"[{','.join(row)}]") for row in rows]


def text_key(text: str) -> str:
    """Return the 32-digit key of one text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
