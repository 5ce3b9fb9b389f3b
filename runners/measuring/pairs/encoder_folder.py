"""A text encoder in a local folder: which library reads it, what it is, and whether it is whole.

The libraries load an incomplete folder without an error. Missing weights become random
numbers, and without its vocabulary a tokenizer takes every word for an unknown one. Such an encoder
is refused.
"""

import hashlib
import json
import logging
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warehouse.checksums import file_sha256
from warehouse.errors import BadInput

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STATIC = [
    {
        "idx": 0,
        "name": "0",
        "path": ".",
        "type": "sentence_transformers.models.StaticEmbedding",
    }
]
"""The modules.json of a folder that model2vec saved."""

PROBES = ["def", "return"]
"""Words that every encoder of Python tells apart; each is one word to every tokenizer."""

SAME = 1e-5
"""Largest difference of two equal vectors, as a fraction of their largest number."""


def loaded(folder: Path, library: str) -> Any:
    """Return the encoder of a folder; raises BadInput where its files are not whole.

    It is loaded twice, and both must give a text the same vector.
    """
    import numpy as np

    one, other = _opened(folder, library), _opened(folder, library)
    vectors, again = _probed(one), _probed(other)
    if not np.allclose(vectors, again, 0, SAME * _largest(vectors), equal_nan=True):
        raise BadInput(
            f"encoder {folder}: weights are missing from its files, so {library} makes them up: "
            "save the encoder again"
        )
    if np.array_equal(*vectors):
        raise BadInput(
            f"encoder {folder}: it cannot tell {' from '.join(PROBES)}: it knows no Python, or "
            "files of its tokenizer are missing: save the encoder again"
        )
    return one


def library_of(folder: Path) -> str:
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


def checksum_of(folder: Path) -> str:
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


def _opened(folder: Path, library: str) -> Any:
    if library.startswith("model2vec"):
        from model2vec import StaticModel

        return StaticModel.from_pretrained(folder, force_download=False)
    from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found]
    from transformers.utils import logging as chatter  # type: ignore[import-not-found]

    chatter.set_verbosity_error()  # nothing but our own messages and progress is shown
    chatter.disable_progress_bar()
    logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def _probed(encoder: Any) -> "NDArray[np.float64]":
    import numpy as np

    return np.asarray(encoder.encode(PROBES), np.float64)


def _largest(vectors: "NDArray[np.float64]") -> float:
    import numpy as np

    return float(np.nanmax(np.abs(vectors), initial=0.0))
