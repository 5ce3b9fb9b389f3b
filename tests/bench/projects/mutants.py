"""Files of a project with one expression changed, in lines that its tests execute."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from runners.projects.passed_suite import PassedSuite

OTHER = {
    cst.LessThan: cst.LessThanEqual,
    cst.GreaterThan: cst.GreaterThanEqual,
    cst.LessThanEqual: cst.LessThan,
    cst.GreaterThanEqual: cst.GreaterThan,
    cst.Equal: cst.NotEqual,
    cst.NotEqual: cst.Equal,
    cst.Is: cst.IsNot,
    cst.IsNot: cst.Is,
    cst.Add: cst.Subtract,
    cst.Subtract: cst.Add,
    cst.Multiply: cst.Add,
    cst.And: cst.Or,
    cst.Or: cst.And,
}


@dataclass(frozen=True)
class ChangedFile:
    """The new text of a file of a project, and the first line that is changed."""

    path: str
    line: int
    source: str


def mutants_of(known: PassedSuite, n: int, seed: int) -> Iterator[ChangedFile]:
    """Yield mutants of lines that tests execute, by an order that the seed decides."""
    chance = random.Random(f"{known.project.name} {seed}")
    places = [(path, line) for path, lines in known.covered.items() for line in sorted(lines)]
    places.sort()
    chance.shuffle(places)
    modules: dict[str, tuple[MetadataWrapper, dict[int, list[cst.CSTNode]]]] = {}
    found = 0
    for path, line in places:
        if path not in modules:
            text = (known.project.folder / path).read_text(encoding="utf-8")
            wrapper = MetadataWrapper(cst.parse_module(text))
            modules[path] = wrapper, _by_line(wrapper)
        wrapper, nodes = modules[path]
        if line not in nodes:
            continue
        node = chance.choice(nodes[line])
        changed = wrapper.module.deep_replace(node, _changed(node))
        yield ChangedFile(path, line, changed.code)  # type: ignore[attr-defined]
        found += 1
        if found == n:
            return


def _by_line(wrapper: MetadataWrapper) -> dict[int, list[cst.CSTNode]]:
    found: dict[int, list[cst.CSTNode]] = {}
    for node, place in wrapper.resolve(PositionProvider).items():
        if type(node) in OTHER or isinstance(node, cst.Integer | cst.Return):
            found.setdefault(place.start.line, []).append(node)
    return found


def _changed(node: cst.CSTNode) -> cst.CSTNode:
    if isinstance(node, cst.Integer):
        return cst.Integer(str(node.evaluated_value + 1))
    if isinstance(node, cst.Return):
        if node.value is not None:
            return node.with_changes(value=None)
        space = cst.SimpleWhitespace(" ")
        return node.with_changes(value=cst.Name("NotImplemented"), whitespace_after_return=space)
    other: cst.CSTNode = OTHER[type(node)]()
    return other
