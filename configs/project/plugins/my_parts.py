"""Parts of your own, which assay.toml names."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from runners.measuring.pairs.base import Material, PairMeasure


class SameLength(PairMeasure):
    """Whether two programs have the same number of lines: 1 or 0."""

    measure = "same_length_v1"
    identity = "1"
    detail: ClassVar[dict[str, Any]] = {}

    @classmethod
    def scorers(cls, material: Material) -> Iterator["SameLength"]:
        """Yield the only scorer."""
        yield cls()

    def features(self, sources: Sequence[str]) -> list[int]:
        """Return the number of lines of each program."""
        return [len(source.splitlines()) for source in sources]

    def compare(self, features: Sequence[int], first: Any, second: Any) -> Any:
        """Return the score of each pair."""
        lines = np.array(features)
        return (lines[first] == lines[second]).astype(float)
