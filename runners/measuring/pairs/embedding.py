"""Cosine of the vectors that a local text encoder gives to two programs.

Chon et al. (arXiv 2408.14504, section 3.2) take st-codesearch-distilroberta-base, which is a folder
of the library sentence-transformers. Any such folder will do, and any of the library model2vec.
Comments and strings that are whole statements are removed first. Nothing is downloaded.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runners.measuring.pairs.base import Material, NoFeature, PairMeasure
from runners.measuring.pairs.encoder_folder import checksum_of, library_of, loaded
from runners.measuring.similarity.syntax import without_comments
from warehouse.errors import BadInput

if TYPE_CHECKING:
    from runners.measuring.pairs.base import Pairs, Scores

MAX_CHARACTERS = 100_000
MAX_REASON = 300


class Embedding(PairMeasure):
    """An encoder, known by the checksums of its files; loaded when the first text comes."""

    measure = "embedding_v1"
    kept = "vector"
    worth_a_pool = None

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.library = library_of(folder)
        self.name = folder.resolve().name
        self.identity = checksum_of(folder)
        self.detail = {"library": self.library}
        self.encoder: Any = None

    @classmethod
    def scorers(cls, material: Material) -> Iterator["Embedding"]:
        """Yield the scorer of the encoder's folder, where there is one."""
        if material.encoder is not None:
            yield cls(material.encoder)

    def features(self, sources: Sequence[str]) -> list[Any]:
        """Return the vector of each program, as an array."""
        import numpy as np

        texts = [without_comments(source).strip() for source in sources]
        found: list[Any] = [_reason(text) for text in texts]
        wanted = [row for row, reason in enumerate(found) if reason is None]
        if not wanted:
            return found
        for row, vector in zip(wanted, self._vectors([texts[row] for row in wanted]), strict=True):
            if not np.isfinite(vector).all():
                found[row] = NoFeature("not_finite")
            else:
                found[row] = vector if vector.any() else NoFeature("no_known_token")
        return found

    def _vectors(self, texts: list[str]) -> Any:
        import numpy as np

        try:
            if self.encoder is None:
                self.encoder = loaded(self.folder, self.library)
            return np.asarray(self.encoder.encode(texts), np.float64)
        except BadInput:
            raise
        except Exception as error:  # of a broken folder, whatever its library raises
            said = " ".join(str(error).split())
            if "trust_remote_code" in said:
                raise BadInput(
                    f"encoder {self.folder}: it needs Python code, which is never run: "
                    "use an encoder without"
                ) from error
            raise BadInput(
                f"encoder {self.folder}: {self.library} cannot use it: "
                f"{type(error).__name__}: {said[:MAX_REASON]}: save the encoder again"
            ) from error

    def compare(self, features: Sequence[Any], first: "Pairs", second: "Pairs") -> "Scores":
        """Return cosines, from -1 to 1; raises BadInput for vectors of different lengths."""
        import numpy as np

        dimensions = {len(feature) for feature in features}
        if len(dimensions) > 1:
            raise BadInput(
                f"encoder {self.name}: its vectors differ in length ({sorted(dimensions)}): "
                "use an encoder with one length"
            )
        table = np.array(features, np.float64)
        table /= np.abs(table).max(axis=1, keepdims=True)  # squares of what is left fit a number
        table /= np.linalg.norm(table, axis=1, keepdims=True)
        cosines = np.clip(table @ table.T, -1.0, 1.0)[first, second]
        found: Scores = np.where(first == second, 1.0, cosines)
        return found


def _reason(text: str) -> NoFeature | None:
    if not text:
        return NoFeature("empty_code")
    return NoFeature("too_large") if len(text) > MAX_CHARACTERS else None
