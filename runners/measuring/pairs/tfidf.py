"""Cosine of TF-IDF vectors over Python tokens and pairs of neighbouring tokens.

Idea: a token weighs more when fewer reference programs of the dataset contain it. The vocabulary
and its counts come from the references alone, so a score never changes when a language model is
added. Only what the references hold counts. Settings of scikit-learn's TfidfVectorizer:
smooth IDF, ln((1 + n) / (1 + df)) + 1, raw term counts, vectors of length 1.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.metadata import version
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from runners.measuring.pairs.base import Material, NoFeature, PairMeasure
from runners.measuring.pairs.tokenizers import python_tokens
from warehouse.facts.measuring import ReleaseReferences

if TYPE_CHECKING:
    from runners.measuring.pairs.base import Pairs, Scores


class Tfidf(PairMeasure):
    """Fitted on the references of one release."""

    measure = "tfidf_v1"
    worth_a_pool = None  # a pair takes a microsecond, a fit in another process much more

    def __init__(self, release: ReleaseReferences) -> None:
        self.references = release.sources
        held = Counter(
            term for source in release.sources for term in set(one_and_two_grams(source))
        )
        counts = [f"{term}\t{held[term]}" for term in sorted(held)]
        described = "\n".join([str(len(release.sources)), *counts])
        self.name = f"{release.dataset} {release.version}"
        self.release_id = release.release_id
        self.identity = hashlib.sha256(described.encode("utf-8", "surrogatepass")).hexdigest()
        self.detail = {
            "n_references": len(release.sources),
            "n_terms": len(held),
            "library": f"scikit-learn {version('scikit-learn')}",
        }

    @classmethod
    def scorers(cls, material: Material) -> Iterator["Tfidf"]:
        """Yield one scorer per release that has a reference with any token."""
        for release in material.releases:
            if any(python_tokens(source) for source in release.sources):
                yield cls(release)

    @cached_property
    def vectorizer(self) -> Any:
        """The fit, made when the first program comes; the identity needs counts alone."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        return TfidfVectorizer(analyzer=one_and_two_grams).fit(self.references)

    def features(self, sources: Sequence[str]) -> list[Any]:
        """Return a sparse vector of length 1 for each program."""
        vectors = self.vectorizer.transform(sources)
        filled = vectors.getnnz(axis=1) > 0
        return [
            vectors[row] if filled[row] else _reason(source) for row, source in enumerate(sources)
        ]

    def compare(self, features: Sequence[Any], first: "Pairs", second: "Pairs") -> "Scores":
        """Return cosines: from 0, no term in common, to 1."""
        import numpy as np
        from scipy.sparse import vstack

        table = vstack(features)
        cosines = np.asarray((table @ table.T).todense())[first, second]
        found: Scores = np.clip(np.where(first == second, 1.0, cosines), 0.0, 1.0)
        return found


def one_and_two_grams(source: str) -> list[str]:
    """Return the Python tokens of a program and the pairs of neighbours among them."""
    tokens = python_tokens(source)
    return [*tokens, *(f"{one}\0{other}" for one, other in pairwise(tokens))]


def _reason(source: str) -> NoFeature:
    return NoFeature("no_known_token" if python_tokens(source) else "empty_code")
