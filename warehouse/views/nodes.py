"""What a build makes and tests, one node each: what it reads, and of what its rows are."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

KINDS = {"seed": "seed", "test": "test"}


@dataclass(frozen=True)
class Node:
    """A table, a view or a data test of the project.

    ``relation`` is what it makes, ``reads`` what it reads of other nodes and of ``raw`` and
    ``facts``, all as schema and name. A data test reads first what it is a test of.
    ``replaced_by`` names the units by which its rows are replaced, ``compared_by`` those by which
    they are only compared (docs/decisions/0027). ``query`` is its text. ``check`` names a general
    data test.
    """

    name: str
    kind: str
    relation: str
    reads: tuple[str, ...]
    replaced_by: str
    compared_by: str
    query: str
    check: str

    @property
    def unit(self) -> str:
        """The units of its rows; empty where it has none."""
        return self.replaced_by or self.compared_by


def nodes_of(results: Iterable[Any]) -> list[Node]:
    """Return the nodes of a build of all, from dbt's results, in the order in which it ran them."""
    ran = [result.node for result in results]
    relations = {node.unique_id: f"{node.schema}.{node.alias}" for node in ran}
    return [_node(node, relations) for node in ran if node.resource_type != "operation"]


def _node(node: Any, relations: dict[str, str]) -> Node:
    kind = KINDS.get(node.resource_type) or str(node.config.materialized)
    meta = node.config.meta
    keeps_query = kind == "view" or "replaced_by" in meta
    tested = getattr(node, "attached_node", None)
    # dbt's own order depends on what it had parsed before
    reads = sorted(getattr(node, "depends_on_nodes", ()), key=lambda name: (name != tested, name))
    return Node(
        name=node.unique_id,
        kind=kind,
        relation="" if kind == "test" else relations[node.unique_id],
        reads=tuple(relations.get(name) or ".".join(name.split(".")[-2:]) for name in reads),
        replaced_by=str(meta.get("replaced_by", "")),
        compared_by=str(meta.get("compared_by", "")),
        query=node.compiled_code if keeps_query else "",
        check=getattr(getattr(node, "test_metadata", None), "name", None) or "",
    )
