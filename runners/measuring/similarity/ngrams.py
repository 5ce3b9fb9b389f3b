"""BLEU of two token lists, plain and with weighted keywords (Ren et al. 2020, section 3.1)."""

import keyword
import math
from collections import Counter
from collections.abc import Sequence

MAX_ORDER = 4
UNMATCHED = 0.1
"""Matches of an order that has none (Chen and Cherry 2014, W14-3346, smoothing 1)."""

KEYWORDS = frozenset(keyword.kwlist) | {"case", "match", "type"}
KEYWORD_WEIGHT, OTHER_WEIGHT = 1.0, 0.2
WEIGHTED_LENGTH = 2
"""Tokens of any reference, for the brevity of a weighted match: a slip of the library."""

Tokens = Sequence[str]
NGrams = Counter[tuple[str, ...]]


def ngram_match(candidate: Tokens, reference: Tokens) -> float:
    """Return BLEU: the geometric mean of precisions of orders 1 to 4, less for brevity."""
    shares = []
    for order in range(1, MAX_ORDER + 1):
        found, wanted = _ngrams(candidate, order), _ngrams(reference, order)
        shares.append(((found & wanted).total(), found.total()))
    return _score(shares, len(candidate), len(reference))


def weighted_ngram_match(candidate: Tokens, reference: Tokens) -> float:
    """Return the same mean of recalls, where a single keyword weighs five other tokens.

    As in the library, weights that sum to less than 1 count as 1. So a reference of fewer than five
    tokens without a keyword has less than 1 even with itself. Only a candidate of one token is too
    brief.
    """
    shares = []
    for order in range(1, MAX_ORDER + 1):
        found, wanted = _ngrams(candidate, order), _ngrams(reference, order)
        weigh = _weight if order == 1 else Counter.total
        shares.append((weigh(found & wanted), weigh(wanted)))
    return _score(shares, len(candidate), WEIGHTED_LENGTH)


def _ngrams(tokens: Tokens, order: int) -> NGrams:
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


def _weight(unigrams: NGrams) -> float:
    return sum(
        count * (KEYWORD_WEIGHT if token in KEYWORDS else OTHER_WEIGHT)
        for (token,), count in unigrams.items()
    )


def _score(shares: Sequence[tuple[float, float]], n_candidate: int, n_reference: int) -> float:
    """Return the score from matches and their possible number, for each order."""
    if not shares[0][0]:
        return 0.0
    logs = [math.log((matched or UNMATCHED) / max(1.0, total)) for matched, total in shares]
    brevity = min(0.0, 1 - n_reference / n_candidate)
    return min(1.0, math.exp(brevity + math.fsum(logs) / MAX_ORDER))
