"""The protocol of a measure of pairs: a feature of each program, and a score of two features."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from models.keys import content_key
from models.tables import Scorer
from warehouse.facts.measuring import ReleaseReferences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class NoFeature:
    """Why a program has no feature that a measure can compare: a word of PAIR_NULL_REASONS."""

    null_reason: str


@dataclass(frozen=True)
class Material:
    """What scorers are made of: references of releases, and the folder of an encoder."""

    releases: list[ReleaseReferences] = field(default_factory=list)
    encoder: Path | None = None


class PairMeasure(ABC):
    """A measure as it was fitted. Made by ``scorers``; workers get it pickled.

    ``kept`` names the column of ``candidate_feature`` where a costly feature is kept; empty where
    features are computed again. ``worth_a_pool`` is the number of pairs from which
    several processes are faster than one; None for never.
    """

    measure: ClassVar[str]
    kept: ClassVar[Literal["", "vector", "digest"]] = ""
    worth_a_pool: ClassVar[int | None] = 20_000

    name: str = ""
    release_id: str | None = None
    identity: str
    detail: dict[str, Any]

    @classmethod
    @abstractmethod
    def scorers(cls, material: Material) -> Iterator["PairMeasure"]:
        """Yield every scorer that the material allows; none where what it needs is missing."""

    @abstractmethod
    def features(self, sources: Sequence[str]) -> list[Any]:
        """Return one feature per program, or why it has none; no text raises an error."""

    @abstractmethod
    def compare(self, features: Sequence[Any], first: "Pairs", second: "Pairs") -> "Scores":
        """Return the score of features ``first[i]`` and ``second[i]``, for each i.

        Every one of them is a feature: none is NoFeature.
        """

    @property
    def scorer_id(self) -> str:
        """The key of its row; it differs for each fit."""
        return content_key(self.measure, self.release_id or "", self.identity)

    def row(self, run_id: str) -> Scorer:
        """Return its row."""
        return Scorer(
            scorer_id=self.scorer_id,
            measure=self.measure,
            name=self.name,
            release_id=self.release_id,
            identity=self.identity,
            detail=json.dumps(self.detail, sort_keys=True),
            run_id=run_id,
        )


if TYPE_CHECKING:
    Pairs = NDArray[np.int64]
    Scores = NDArray[np.float64]
