"""A WebAssembly module without exports that nothing uses.

DuckDB exports each of its 78,000 functions, for extensions that are loaded later: 7 of its 35 MB.
The pages load none. What stays are the exports that the engine's script names; it puts an
underscore before some.
"""

import re
from collections.abc import Iterator

MAGIC = b"\0asm\1\0\0\0"
EXPORTS = 7
WORDS = re.compile(rb"[\w$.]+")


def without_unused_exports(module: bytes, script: bytes) -> bytes:
    """Return the module with those exports that ``script`` names."""
    used = set(WORDS.findall(script))
    written = [MAGIC]
    for kind, content in _sections(module):
        kept = _kept(content, used) if kind == EXPORTS else content
        written += [bytes([kind]), _number(len(kept)), kept]
    return b"".join(written)


def _sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    at = len(MAGIC)
    while at < len(module):
        size, start = _read(module, at + 1)
        yield module[at], module[start : start + size]
        at = start + size


def _kept(content: bytes, used: set[bytes]) -> bytes:
    n, at = _read(content, 0)
    kept = []
    for _ in range(n):
        length, start = _read(content, at)
        name = content[start : start + length]
        _, end = _read(content, start + length + 1)
        if name in used or b"_" + name in used:
            kept.append(content[at:end])
        at = end
    return _number(len(kept)) + b"".join(kept)


def _read(content: bytes, at: int) -> tuple[int, int]:
    """Return a number in LEB128, and where it ends."""
    value = shift = 0
    while True:
        value |= (content[at] & 127) << shift
        shift += 7
        at += 1
        if content[at - 1] < 128:
            return value, at


def _number(value: int) -> bytes:
    """Return a number in LEB128."""
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    return bytes([*written, value])
