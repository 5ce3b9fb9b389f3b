"""Ctrl-C ends a query at once.

In the main thread DuckDB looks for signals between its tasks, and a task may take minutes. So
Python writes the number of each signal to a socket. A thread that waits there interrupts the query.
"""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

ENDS: frozenset[int] = frozenset({signal.SIGINT, signal.SIGTERM})


@contextmanager
def interruptible(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Let a signal that ends a program end what a connection does; an error may follow.

    Python lets only the main thread ask for signals, and only it gets KeyboardInterrupt: in
    another one nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    seen, told = socket.socketpair()
    told.setblocking(False)
    before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch, args=(seen, con, before), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        told.close()
        watcher.join()
        seen.close()


def _watch(seen: socket.socket, con: duckdb.DuckDBPyConnection, before: int) -> None:
    """Interrupt for a signal; whoever waited for signals before gets them too."""
    while signals := seen.recv(64):
        if not ENDS.isdisjoint(signals):
            con.interrupt()
        if before != -1:
            os.write(before, signals)
