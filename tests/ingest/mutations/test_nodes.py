"""Nodes of a kind are those that isinstance finds, in the order of the text."""

import argparse
import inspect
import textwrap
import typing

import libcst as cst
import pytest

from ingest.mutations.source.tree import Nodes, inside

KINDS: list[tuple[type[cst.CSTNode], ...]] = [
    (cst.Name,),
    (cst.Call,),
    (cst.For, cst.CompFor),
    (cst.Assign, cst.AnnAssign, cst.AugAssign),
    (cst.Module, cst.IndentedBlock),
    (cst.Nonlocal,),
]


@pytest.mark.parametrize("module", [argparse, textwrap, typing], ids=lambda each: each.__name__)
def test_nodes_of_a_kind_are_those_of_a_walk(module: typing.Any) -> None:
    tree = cst.parse_module(inspect.getsource(module))
    nodes = Nodes(tree)
    assert list(map(id, nodes.all)) == list(map(id, inside(tree)))
    for kinds in KINDS:
        walked = [id(node) for node in inside(tree) if isinstance(node, kinds)]
        assert list(map(id, nodes.of(*kinds))) == walked
    assert any(nodes.of(*kinds) for kinds in KINDS)
    assert nodes.of(cst.Match) == []


def test_nodes_below_a_root_leave_out_the_others() -> None:
    module = cst.parse_module("a = 1\ndef f():\n    return b\n")
    (function,) = Nodes(module).of(cst.FunctionDef)
    assert [node.value for node in Nodes(function).of(cst.Name)] == ["f", "b"]
