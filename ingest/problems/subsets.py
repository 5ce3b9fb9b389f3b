"""A subset that a seed decides: the same whatever the order of what it is drawn from."""

import hashlib
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def seeded_subset(
    items: Sequence[Item], n: int, seed: int, name: Callable[[Item], str]
) -> list[Item]:
    """Return ``n`` of the items, or all where there are fewer, in the order in which they came.

    The seed and the names decide which.
    """
    ranked = sorted(range(len(items)), key=lambda place: _rank(seed, name(items[place])))
    return [items[place] for place in sorted(ranked[:n])]


def _rank(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{name}".encode()).digest()
