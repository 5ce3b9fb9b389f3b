"""Build what new rows can change: the same statements, fewer of them, over fewer rows.

Raw rows are only added, so those that came since the last build say what can have changed. A table
that reads nothing new stays as it is, and its data tests are not run. A table that is made again is
compared with its last state; where both are the same, the tables that read it stay too.

In some expensive tables each row is of one unit, such as a language model under one setting. The
rows of touched units are deleted from such a table. Its own query makes them again, from the
touched rows of what it reads (``warehouse/store/growth/touched.py``). A unit is touched by new raw
rows, or where a table that was made again differs in it.

In doubt (``Doubt``) all is built (docs/decisions/0027).
"""

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum

import duckdb

from warehouse.store.growth.touched import COVERED, VIEWS, Touched, Unit
from warehouse.views.nodes import Node

NARROWED = frozenset(["holds", "unique_key", "refers_to"])
"""General data tests that say of new and touched rows what they say of all."""

UNIQUE_NUMBER = "unique_number"
"""The data test that no two candidates share a number: a new one could have that of an old one."""


class RelationState(IntEnum):
    """How a relation changed. TOUCHED: only rows of touched units differ."""

    SAME = 0
    TOUCHED = 1
    OTHER = 2


class Increment:
    """One build, node after node, in the order in which dbt ran them."""

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        nodes: Sequence[Node],
        before: Mapping[str, int],
        send: Callable[[Node, Callable[[str], str]], None],
    ) -> None:
        """``before``: how many rows raw tables had; ``send`` sends a node's texts, as changed."""
        self.send = send
        self.touched = Touched(con, before)
        self.nodes = {node.relation: node for node in nodes if node.relation}
        self.is_part = not self.touched.is_most()
        self.states: dict[str, RelationState] = {}
        for name in before:
            self.states[f"raw.{name}"] = self._state_of_raw(name)
        for view in self.touched.facts:
            self.states[f"facts.{view}"] = self._state_of_facts(view)
        self.read = {read for node in self.nodes.values() for read in node.reads}
        for node in nodes:
            self._visit(node)

    def _state_of_raw(self, name: str) -> RelationState:
        if name not in self.touched.grown:
            return RelationState.SAME
        return RelationState.TOUCHED if name in COVERED else RelationState.OTHER

    def _state_of_facts(self, view: str) -> RelationState:
        """Return how a view of facts changed; a new run that wrote no row changes none."""
        grown = (set(self.touched.roots(view)) - {"run"}) & self.touched.grown
        if not grown:
            return RelationState.SAME
        is_covered = f"facts.{view}" in VIEWS and grown <= COVERED
        return RelationState.TOUCHED if is_covered else RelationState.OTHER

    def _visit(self, node: Node) -> None:
        state = max((self.states[read] for read in node.reads), default=RelationState.SAME)
        can_replace = bool(node.replaced_by) and self.is_part and state == RelationState.TOUCHED
        if node.kind == "test":
            if state != RelationState.SAME:
                self._test(node, state)
        elif node.kind == "seed" or state == RelationState.SAME:
            self.states[node.relation] = RelationState.SAME
        elif node.kind == "view":
            is_staging = node.relation.startswith("staging.")
            self.states[node.relation] = state if can_replace or is_staging else RelationState.OTHER
        elif can_replace:
            self.states[node.relation] = self._replace(node)
        else:
            self.states[node.relation] = self._make(node)

    def _replace(self, node: Node) -> RelationState:
        """Replace the rows of touched units."""
        unit = self.touched.unit(node.replaced_by, node.relation)
        if not self.touched.count(unit.dirty):
            return RelationState.SAME
        self._mirror(node.reads)
        self.touched.replace(node.relation, unit, node.query)
        return RelationState.TOUCHED

    def _make(self, node: Node) -> RelationState:
        """Make a table in whole, and return how it changed."""
        relation = node.relation
        is_compared = relation in self.read and (self.is_part or not node.replaced_by)
        if not is_compared:
            self.send(node, str)
            return RelationState.OTHER
        unit = self._unit(node)
        self.touched.remember(relation, unit)
        self.send(node, str)
        if not self.touched.differing(relation, unit):
            return RelationState.SAME
        if unit is None or not self.touched.touch_changed(unit):
            return RelationState.OTHER
        return RelationState.TOUCHED

    def _test(self, node: Node, state: RelationState) -> None:
        """Send a data test, over new or touched rows alone where the old rows passed it.

        Rows that stay still name rows of raw tables, which only grow.
        """
        is_of_raw = all(read.startswith("staging.") for read in node.reads)
        if (
            node.check == "refers_to"
            and is_of_raw
            and self.states[node.reads[0]] == RelationState.SAME
        ):
            return
        changed: Callable[[str], str] = str
        if self.is_part and state == RelationState.TOUCHED:
            if node.check in NARROWED:
                self._mirror(node.reads)
                changed = self.touched.in_mirror
            elif node.check == UNIQUE_NUMBER:
                changed = self.touched.of_new_numbers
        self.send(node, changed)

    def _mirror(self, relations: Sequence[str]) -> None:
        """Put relations into the mirror, and before them what their views read."""
        for relation in relations:
            schema, _, name = relation.partition(".")
            if schema == "raw":
                self.touched.mirror_raw(name)
            elif schema == "facts":
                self.touched.mirror_facts(name)
            elif (node := self.nodes[relation]).kind == "view":
                self._mirror(node.reads)
                self.touched.mirror_view(relation, node.query)
            else:
                is_narrowed = bool(node.replaced_by) or node.compared_by == "compared_pair"
                self.touched.mirror_table(relation, self._unit(node) if is_narrowed else None)

    def _unit(self, node: Node) -> Unit | None:
        return self.touched.unit(node.unit, node.relation) if node.unit else None
