"""Nodes sent on two connections at once.

DuckDB plans with one thread, and few rows take less time than their plan. So each node is sent when
what it reads is made, and two are sent at a time.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from graphlib import TopologicalSorter
from threading import Event

import duckdb

from warehouse.views.nodes import Node


def send_side_by_side(
    connections: Sequence[duckdb.DuckDBPyConnection],
    nodes: Sequence[Node],
    send_node: Callable[[duckdb.DuckDBPyConnection, str], None],
) -> None:
    """Send each node, by its name, on a free connection. All are closed afterwards."""
    makers = {node.relation: node.name for node in nodes if node.relation}
    order = TopologicalSorter(
        {node.name: {makers[read] for read in node.reads if read in makers} for node in nodes}
    )
    order.prepare()
    free = list(connections)
    stopped = Event()

    def send(name: str) -> str:
        connection = free.pop()
        try:
            if not stopped.is_set():
                send_node(connection, name)
        finally:
            free.append(connection)
        return name

    pool = ThreadPoolExecutor(len(connections))
    sent: set[Future[str]] = set()
    try:
        while order.is_active():
            sent |= {pool.submit(send, name) for name in order.get_ready()}
            ended, sent = wait(sent, return_when=FIRST_COMPLETED)
            order.done(*(each.result() for each in ended))
    finally:
        _end(pool, connections, free, stopped)


def _end(
    pool: ThreadPoolExecutor,
    connections: Sequence[duckdb.DuckDBPyConnection],
    free: Sequence[duckdb.DuckDBPyConnection],
    stopped: Event,
) -> None:
    """Stop what is sent, wait until all is free, close it; however often Ctrl-C is pressed.

    DuckDB closes no connection that a thread uses. Threads are not joined: in Python 3.11 one whose
    join was interrupted counts as ended.
    """
    interruption = None
    while not stopped.is_set() or len(free) < len(connections):
        try:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            while len(free) < len(connections):
                for connection in connections:
                    connection.interrupt()
                time.sleep(0.005)
        except KeyboardInterrupt as again:
            interruption = again
    for connection in connections:
        connection.close()
    if interruption is not None:
        raise interruption
