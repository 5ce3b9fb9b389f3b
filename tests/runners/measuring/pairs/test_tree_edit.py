"""Tree edit similarity against a recursive definition, and on programs."""

import random
from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from runners.measuring.pairs import tree_edit
from runners.measuring.pairs.base import NoFeature
from runners.measuring.pairs.tree_edit import FlatTree, TreeEdit
from runners.measuring.similarity.syntax import SyntaxNode, parse_python

Tree = tuple[str, tuple[Any, ...]]


def distance(one: Tree, other: Tree) -> int:
    """Fewest single nodes to delete, insert or rename, over all ways to take a forest apart."""

    @cache
    def between(left: tuple[Tree, ...], right: tuple[Tree, ...]) -> int:
        if not left and not right:
            return 0
        found = []
        if left:
            found.append(between(left[:-1] + left[-1][1], right) + 1)
        if right:
            found.append(between(left, right[:-1] + right[-1][1]) + 1)
        if left and right:
            (a, below_a), (b, below_b) = left[-1], right[-1]
            found.append(between(below_a, below_b) + between(left[:-1], right[:-1]) + (a != b))
        return min(found)

    return between((one,), (other,))


def random_tree(n_nodes: int, rng: random.Random) -> Tree:
    below, left = [], n_nodes - 1
    while left:
        size = rng.randint(1, left)
        below.append(random_tree(size, rng))
        left -= size
    return rng.choice("abc"), tuple(below)


def flat(tree: Tree) -> FlatTree:
    labels: list[str] = []
    first_leaves: list[int] = []

    def walk(node: Tree) -> int:
        leaves = [walk(part) for part in node[1]]
        labels.append(node[0])
        first_leaves.append(leaves[0] if leaves else len(labels) - 1)
        return first_leaves[-1]

    walk(tree)
    keyroots = [row for row, leaf in enumerate(first_leaves) if leaf not in first_leaves[row + 1 :]]
    return FlatTree(tuple(labels), tuple(first_leaves), tuple(keyroots))


def alike(*sources: str) -> float:
    measure = TreeEdit()
    features = measure.features(sources)
    return float(measure.compare(features, np.array([0]), np.array([1]))[0])


def test_random_trees_have_the_distance_of_the_definition() -> None:
    rng = random.Random(0)
    for _ in range(60):
        trees = [random_tree(rng.randint(1, 9), rng) for _ in range(4)]
        trees.append(trees[1])  # each two are compared once, whichever comes first
        pairs = np.array(list(permutations(range(5), 2)))
        found = TreeEdit().compare([flat(tree) for tree in trees], pairs[:, 0], pairs[:, 1])
        for (a, b), similarity in zip(pairs, found, strict=True):
            both = sum(len(flat(trees[each]).labels) for each in (a, b))
            d = distance(trees[a], trees[b])
            assert similarity == pytest.approx((both - d) / (both + d), abs=1e-12)


def test_names_literals_and_comments_do_not_count_and_operators_do() -> None:
    code = "def f(x):\n    '''Doc.'''\n    return x + 1\n"
    assert alike(code, "def g(total):\n    # one\n    return total + 22\n") == 1
    # module, function, its name, parameters, x, block, return, sum, x, 1: ten nodes, one renamed
    assert alike(code, code.replace("+", "-")) == pytest.approx(19 / 21)


def tree_of(node: SyntaxNode) -> Tree:
    label = tree_edit._label(node)
    return label, tuple(tree_of(child) for child in node.children if child.shown)


def size(tree: Tree) -> int:
    return 1 + sum(size(part) for part in tree[1])


def test_reading_from_the_right_gives_the_distances_of_the_definition() -> None:
    programs = ["f(a, g(b))\n", "f(g(a), b)\nx += 1\n", "while a:\n    b = c\nelse:\n    d()\n"]
    pairs = [*combinations(range(len(programs)), 2)]
    trees = [tree_of(parse_python(program).root) for program in programs]
    wanted = []
    for one, other in pairs:
        both, apart = size(trees[one]) + size(trees[other]), distance(trees[one], trees[other])
        wanted.append((both - apart) / (both + apart))
    first, second = np.array(pairs).T
    measure = TreeEdit()
    found = measure.compare(measure.features(programs), first, second)
    assert found.tolist() == wanted


def test_what_is_no_tree_has_a_reason() -> None:
    long = "x = 1\n" * 3_000
    nested = "x=" + "f(" * 250 + "1" + ",a)" * 250  # few nodes, and minutes of work a pair
    found = TreeEdit().features(["x = (", "", "# nothing\n'text'\n", long, nested, "x"])
    reasons = ["no_parse", "empty_code", "empty_code", "too_large", "too_large"]
    assert found[:5] == [NoFeature(reason) for reason in reasons]
    assert len(found[5].labels) == 3
