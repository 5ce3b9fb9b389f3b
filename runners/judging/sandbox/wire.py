"""The bytes between worker, zygote and child: small packets and length-prefixed frames.

Worker to zygote: RUN (with one end of a fresh socket pair), WATCH while a test takes its time, and
STOP. Zygote to worker: READY once, then END for every RUN, in order. Worker to child: one PROGRAM
frame, then CALLS frames. Child to worker: LOADED or REFUSED, then one ANSWER or RAISED per call in
order. In the mode where tests run beside the candidate, one REPORT. A whole program gets, once it
is LOADED, one byte with its two files, and one CALLS frame for each run.

Assumed: worker and zygote trust each other and end together. The child is hostile: it may send any
bytes, late or never.
Refused: frames beyond the size that their reader allows, and what no honest child sends: the worker
ends the conversation (``Tampered``). Frames hold plain data, never pickled objects.
Proved: the programs of tests/hostile, and tests/runners/judging/differential both ways.
"""

import struct
from collections.abc import Callable

# b"R", sequence, cpu_s, memory, processes, file size, /tmp, answer (sizes in bytes)
RUN = struct.Struct("=cQdQIQQQ")
STOP = struct.Struct("=cQ")  # b"K", sequence
# b"T", sequence, CPU seconds the test may still take; 0: that test is over
WATCH = struct.Struct("=cQd")
# reason, sequence, wait status, cpu_s, cpu_s of the longest test watched, wall_s, max RSS in kB
END = struct.Struct("=cQidddQ")

EXITED, CPU, STOPPED, SANDBOX = b"E", b"C", b"K", b"S"

LOADED, REFUSED, ANSWER, RAISED, REPORT = b"L", b"X", b"V", b"E", b"S"
NEXT = b"N"  # the child asks for the next item of an iterator of the test
ITEM = b"\0"  # begins the frame that brings it; a CALLS frame may come first, and is answered first

HEADER = struct.Struct("=I")


def pack_calls(calls: list[tuple[str, str]]) -> bytes:
    """One line per call: the name and the encoded argument list, or list and keywords."""
    return "\n".join(f"{name}\t{arguments}" for name, arguments in calls).encode()


class Lines:
    """Collects a stream's lines; a line of any length costs one copy."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def feed(self, data: bytes) -> list[bytes]:
        """Take what arrived and return the lines it completes."""
        head, *rest = data.split(b"\n")
        self._parts.append(head)
        if not rest:
            return []
        first = b"".join(self._parts)
        self._parts = [rest.pop()]
        return [first, *rest]


def read_exactly(read: Callable[[int], bytes], size: int) -> bytes | None:
    """Read ``size`` bytes, or return None at the end of the stream."""
    data = read(size)
    if len(data) == size:
        return data
    parts = [data]
    got = len(data)
    while got < size:
        part = read(min(size - got, 1 << 20))
        if not part:
            return None
        parts.append(part)
        got += len(part)
    return b"".join(parts)
