"""The tree edit distance of many pairs, compiled by numba when it is first called.

Idea: Zhang and Shasha's (1989). For each pair of keyroots a table of forests' distances, whose
corners are distances of subtrees, kept for the larger forests. Inserting, deleting and renaming a
node cost 1 each.

Assumed: trees are ordered, and numbered in postorder with the first leaf of each node.
Refused: nothing here; trees that are too large have no features (``tree_edit.py``).
Proved: tests/runners/measuring/pairs/test_tree_edit.py, against the recursion written out.
"""

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def distances(
    labels: "Whole",
    first_leaves: "Whole",
    starts: "Whole",
    keyroots: "Whole",
    key_starts: "Whole",
    first: "Whole",
    second: "Whole",
) -> Any:
    """Return the distance of trees ``first[i]`` and ``second[i]``, for each i.

    Tree t has nodes ``starts[t]`` to ``starts[t + 1]`` of ``labels`` and ``first_leaves``, and
    keyroots ``key_starts[t]`` to ``key_starts[t + 1]``; both count nodes from 0 within the tree.
    """
    found = np.zeros(len(first), np.int64)
    most = 0
    for tree in range(len(starts) - 1):
        most = max(most, starts[tree + 1] - starts[tree])
    trees = np.empty((most, most), np.int32)
    forests = np.empty((most + 1, most + 1), np.int32)
    for pair in range(len(first)):
        one, other = first[pair], second[pair]
        if one == other:
            continue
        a_labels = labels[starts[one] : starts[one + 1]]
        b_labels = labels[starts[other] : starts[other + 1]]
        a_leaves = first_leaves[starts[one] : starts[one + 1]]
        b_leaves = first_leaves[starts[other] : starts[other + 1]]
        for a_key in keyroots[key_starts[one] : key_starts[one + 1]]:
            for b_key in keyroots[key_starts[other] : key_starts[other + 1]]:
                a_leaf, b_leaf = a_leaves[a_key], b_leaves[b_key]
                rows, columns = a_key - a_leaf + 2, b_key - b_leaf + 2
                for row in range(rows):
                    forests[row, 0] = row
                for column in range(columns):
                    forests[0, column] = column
                for row in range(1, rows):
                    a = a_leaf + row - 1
                    a_is_whole = a_leaves[a] == a_leaf
                    for column in range(1, columns):
                        b = b_leaf + column - 1
                        least = min(forests[row - 1, column], forests[row, column - 1]) + 1
                        if a_is_whole and b_leaves[b] == b_leaf:
                            renamed = 0 if a_labels[a] == b_labels[b] else 1
                            least = min(least, forests[row - 1, column - 1] + renamed)
                            trees[a, b] = least
                        else:
                            above = forests[a_leaves[a] - a_leaf, b_leaves[b] - b_leaf]
                            least = min(least, above + trees[a, b])
                        forests[row, column] = least
        found[pair] = trees[len(a_labels) - 1, len(b_labels) - 1]
    return found
