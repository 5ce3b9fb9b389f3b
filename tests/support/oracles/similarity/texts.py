"""chrF, BLEU precisions and shared subtrees a second time, slowly, in exact fractions or prints."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import tree_sitter_python
from tree_sitter import Language, Node, Parser


def grams(units: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    """Every run of so many units, with how often it occurs."""
    starts = range(len(units) - order + 1)
    return Counter(tuple(units[start : start + order]) for start in starts)


def chrf(candidate: str, reference: str) -> Fraction:
    """Mean precision and mean recall over orders both texts have; F with recall twice."""
    mine, wanted = "".join(candidate.split()), "".join(reference.split())
    orders = range(1, min(6, len(mine), len(wanted)) + 1)
    precision = recall = Fraction(0)
    for order in orders:
        shared = (grams(mine, order) & grams(wanted, order)).total()
        precision += Fraction(shared, len(mine) - order + 1) / len(orders)
        recall += Fraction(shared, len(wanted) - order + 1) / len(orders)
    if precision + recall == 0:
        return Fraction(0)
    return 5 * precision * recall / (4 * precision + recall)


def shared_subtrees(candidate: str, reference: str) -> Fraction:
    """Share of the reference's subtrees that tree-sitter prints as one of the candidate's."""
    mine, wanted = printed_subtrees(candidate), printed_subtrees(reference)
    return Fraction(sum(tree in mine for tree in wanted), len(wanted))


def printed_subtrees(source: str) -> list[str]:
    """The module and every node with children, as tree-sitter prints them."""
    root = Parser(Language(tree_sitter_python.language())).parse(source.encode()).root_node

    def inner(node: Node) -> list[str]:
        found = [str(node)] if node.children else []
        return found + [text for child in node.children for text in inner(child)]

    return inner(root) or [str(root)]
