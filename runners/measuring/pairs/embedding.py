"""Cosine of the vectors that a local text encoder gives to two programs.

Chon et al. (arXiv 2408.14504, section 3.2) take st-codesearch-distilroberta-base, which is a folder
of the library sentence-transformers; any such folder will do, and any of the library model2vec.
Comments and strings that are whole statements are removed first. Nothing is downloaded.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runners.measuring.pairs.base import Material, NoFeature, PairMeasure
from runners.measuring.similarity.syntax import without_comments
from warehouse.checksums import file_sha256
from warehouse.errors import BadInput

if TYPE_CHECKING:
    from runners.measuring.pairs.base import Pairs, Scores

MAX_CHARACTERS = 100_000
STATIC = [
    {
        "idx": 0,
        "name": "0",
        "path": ".",
        "type": "sentence_transformers.models.StaticEmbedding",
    }
]
"""The modules.json of a folder that model2vec saved."""


class Embedding(PairMeasure):
    """An encoder, known by the checksums of its files; loaded when the first text comes."""

    measure = "embedding_v1"
    kept = "vector"
    worth_a_pool = None

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.library = _library(folder)
        self.name = folder.resolve().name
        self.identity = _checksum(folder)
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
                self.encoder = _loaded(self.folder, self.library)
            return np.asarray(self.encoder.encode(texts), np.float64)
        except Exception as error:  # of a broken folder, whatever its library raises
            raise BadInput(
                f"encoder {self.folder}: {self.library} cannot use it: "
                f"{type(error).__name__}: {error}: save the encoder again"
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


def _library(folder: Path) -> str:
    """Return the library that reads a folder, and its version."""
    if not folder.is_dir():
        raise BadInput(
            f"encoder {folder}: no such folder: give --encoder the folder of a saved encoder"
        )
    modules = _json(folder / "modules.json")
    settings = _json(folder / "config.json")
    is_named = isinstance(settings, dict) and settings.get("model_type") == "model2vec"
    if is_named or modules == STATIC:
        library = "model2vec"
    elif isinstance(modules, list):
        library = "sentence-transformers"
    else:
        raise BadInput(
            f"encoder {folder}: not a known layout: expected modules.json (sentence-transformers), "
            "or config.json with model_type model2vec"
        )
    try:
        return f"{library} {version(library)}"
    except ModuleNotFoundError as error:
        raise BadInput(
            f"encoder {folder}: it needs the library {library}, which is not installed: "
            "pip install 'assay[encoder]'"
        ) from error


def _json(path: Path) -> Any:
    """Return what a file holds; None where it is missing or no JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _checksum(folder: Path) -> str:
    """Return the hash of the names and checksums of a folder's files.

    Hidden files and pages to read (``.md``) do not count: they change no vector.
    """
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and path.suffix != ".md"
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
    lines = [f"{file_sha256(path)}  {path.relative_to(folder).as_posix()}" for path in files]
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _loaded(folder: Path, library: str) -> Any:
    if library.startswith("model2vec"):
        from model2vec import StaticModel

        return StaticModel.from_pretrained(folder, force_download=False)
    from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found]

    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def _reason(text: str) -> NoFeature | None:
    if not text:
        return NoFeature("empty_code")
    return NoFeature("too_large") if len(text) > MAX_CHARACTERS else None
