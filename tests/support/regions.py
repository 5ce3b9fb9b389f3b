"""What tests of regions need beside the code: lines cut out of a file, and chances to be drawn."""

import math
import re
from collections.abc import Sequence

from ingest.projects.functions import LineRange

LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def split(source: bytes, lines: LineRange) -> tuple[bytes, bytes, bytes]:
    """Return what is before some lines of a file, the lines with their ends, and what is after."""
    found = LINE.findall(source)
    first, last = lines.first - 1, lines.last
    return b"".join(found[:first]), b"".join(found[first:last]), b"".join(found[last:])


def probabilities(weights: Sequence[float], tau: float) -> list[float]:
    """Return the probability of each region to be drawn first."""
    powers = [weight ** (1 / tau) for weight in weights]
    return [power / math.fsum(powers) for power in powers]
