"""Statements of two nodes, sent as those of a build of all."""

import duckdb

from warehouse.views.nodes import Node
from warehouse.views.statements.keeping import Built, KeptBuild, SentStatement
from warehouse.views.statements.sending import _send_all


def send_side_by_side(con: duckdb.DuckDBPyConnection, sql: str, times: int = 1) -> None:
    names = ("model.one", "model.two")
    nodes = [Node(name, "table", "", (), "", "", "", "") for name in names]
    sent = [SentStatement(name, sql, None) for name in names for _ in range(times)]
    _send_all(con, KeptBuild(sent, nodes, Built([], [], [])), nodes, 512)
