"""A part of the views: which nodes of a build a selection means, and what they lack."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from warehouse.errors import AssayError, BadInput, known_names
from warehouse.views.nodes import Node

MAKE = (".sql", ".csv")
"""Suffixes of the files that make a view or a seed; others describe."""

MOST_NAMES = 3
WORD = re.compile(r"(\+?)(\w+(?:\.v\d+)?)(\+?)")
"""A name; a sign before it adds all that it reads, one behind it all that reads it."""


def unknown_selection(select: str) -> str:
    """Return what is wrong with a selection, without starting dbt.

    Views, what they are made of and seeds have names. A name without its version means all of them.
    """
    from warehouse.views.describe import view_names
    from warehouse.views.project import project_dir, project_files

    readers = view_names()
    files = project_files(project_dir(), ("models", "seeds"))
    names = {path.stem for path in files if path.suffix in MAKE} | set(readers)
    for word in select.split():
        found = WORD.fullmatch(word)
        name = re.sub(r"\.v(\d+)$", r"_v\1", found[2] if found else word)
        if name not in names:
            plain = [each for each in readers if not re.search(r"_v\d+$", each)]
            return f"there is no view {name!r}{known_names(name, sorted(names), plain)}"
    return "" if select.strip() else "the selection is empty"


def part_of(select: str, nodes: Sequence[Node], relations: Collection[str]) -> list[Node]:
    """Return the nodes that a selection means, in their order, with the data tests of these.

    A data test belongs to a part that has one of its views, where the part has or reads all the
    others: dbt's rule ``buildable``. ``relations`` are those that are there, as schema and name.
    Raises BadInput where a word means no node, such as ``mine`` where ``mine_v1`` has no versions.
    Raises AssayError where the part reads a relation that is neither selected nor there.
    """
    makers = {node.relation: node for node in nodes if node.relation}
    readers: dict[str, list[str]] = {}
    for node in makers.values():
        for read in node.reads:
            readers.setdefault(read, []).append(node.relation)
    reads = {name: _made(node.reads, makers) for name, node in makers.items()}
    chosen: set[str] = set()
    for word in select.split():
        before, name, behind = WORD.fullmatch(word).groups()  # type: ignore[union-attr]
        named = {each for each, node in makers.items() if name in _names(node)}
        if not named:
            names = sorted(set().union(*(_names(node) for node in makers.values())))
            raise BadInput(f"there is no view {name!r}{known_names(name, names)}")
        chosen |= named
        chosen |= _reached(named, reads) if before else set()
        chosen |= _reached(named, readers) if behind else set()
    known = chosen | _reached(chosen, reads)

    def is_meant(node: Node) -> bool:
        if node.kind != "test":
            return node.relation in chosen
        return not chosen.isdisjoint(node.reads) and known.issuperset(_made(node.reads, makers))

    part = [node for node in nodes if is_meant(node)]
    needed = {read for node in part for read in _made(node.reads, makers)}
    _refuse(select, needed - chosen - set(relations))
    return part


def _names(node: Node) -> set[str]:
    """Return the names of a node in a selection: with its version in two ways, and without."""
    name = node.name.split(".", 2)[2]
    stem = re.sub(r"\.v\d+$", "", name)
    return {name, stem, node.relation.split(".", 1)[1]}


def _made(reads: Iterable[str], makers: Collection[str]) -> list[str]:
    return [read for read in reads if read in makers]


def _reached(start: Iterable[str], arrows: Mapping[str, Iterable[str]]) -> set[str]:
    """Return all that can be reached by arrows, without the start."""
    found: set[str] = set()
    left = list(start)
    while left:
        new = set(arrows.get(left.pop(), ())) - found
        found |= new
        left += new
    return found


def _refuse(select: str, missing: Collection[str]) -> None:
    names = sorted({relation.split(".", 1)[1] for relation in missing})
    if names:
        more = len(names) - MOST_NAMES
        told = ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
        raise AssayError(
            f"the views that {select!r} and its data tests read are not built ({told}): "
            "run `assay build`, which builds all"
        )
