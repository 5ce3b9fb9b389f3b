"""Scores of two programs once more, by their formulas in plain Python."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

TOKEN = re.compile(r"\w+|[^\w\s]")


def grams(source: str) -> Counter[tuple[str, ...]]:
    """Count tokens and pairs of neighbouring tokens; a sign is one character here."""
    tokens = TOKEN.findall(source)
    return Counter([*((token,) for token in tokens), *pairwise(tokens)])


def tfidf_cosine(x: str, y: str, references: Sequence[str]) -> float:
    """Return the cosine of TF-IDF with smoothed inverse frequencies in the references."""
    held = Counter(term for source in references for term in set(grams(source)))
    vectors = [
        {
            term: count * (math.log((1 + len(references)) / (1 + held[term])) + 1)
            for term, count in grams(source).items()
            if held[term]
        }
        for source in (x, y)
    ]
    return cosine(*vectors)


def cosine(one: dict[tuple[str, ...], float], other: dict[tuple[str, ...], float]) -> float:
    """Return the cosine of two sparse vectors."""
    dot = math.fsum(value * other.get(term, 0.0) for term, value in one.items())
    lengths = [math.sqrt(math.fsum(v * v for v in vector.values())) for vector in (one, other)]
    return dot / (lengths[0] * lengths[1])
