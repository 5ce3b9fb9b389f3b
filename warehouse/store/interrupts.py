"""Ctrl-C ends a query, also where DuckDB does not hear it.

In the main thread DuckDB looks for signals between its tasks, and a task may take minutes. So
Python writes the number of each signal to a socket. A thread that waits there interrupts what is
running. Socket and thread are made once and stay: a descriptor that is closed may come to mean
another file, and Python would write signals there.
"""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import duckdb

ENDS: frozenset[int] = frozenset({signal.SIGINT, signal.SIGTERM})
_running: list[duckdb.DuckDBPyConnection] = []
_sockets: list[socket.socket] = []


@contextmanager
def interruptible(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """While this is open, SIGINT and SIGTERM interrupt the query of a connection.

    What DuckDB raises for an interrupted query is then a KeyboardInterrupt, as it is in Python. In
    other threads than the main one no signals are heard: Python gives them none. Nor are they where
    an event loop waits for signals itself.
    """
    hears = threading.current_thread() is threading.main_thread()
    if hears:
        _listen()
        _running.append(con)
    try:
        yield
    except duckdb.InterruptException as error:
        raise KeyboardInterrupt from error
    except RuntimeError as error:
        if "Query interrupted" not in str(error):
            raise
        con.interrupt()  # or its threads continue, and closing waits for them
        raise KeyboardInterrupt from error
    finally:
        if hears:
            _running.remove(con)


def _listen() -> None:
    """Have signals written to the socket, unless somebody else waits for them."""
    if not _sockets:
        seen, told = socket.socketpair()
        told.setblocking(False)
        _sockets.extend((seen, told))
        threading.Thread(target=_watch, args=(seen,), daemon=True).start()
    ours = _sockets[1].fileno()
    before = signal.set_wakeup_fd(ours, warn_on_full_buffer=False)
    if before not in (-1, ours):
        signal.set_wakeup_fd(before, warn_on_full_buffer=False)


def _watch(seen: socket.socket) -> None:
    while signals := seen.recv(64):
        if not ENDS.isdisjoint(signals):
            for con in tuple(_running):
                with suppress(duckdb.Error):  # closed meanwhile
                    con.interrupt()


def _forget() -> None:
    """Let a forked process, which has no such thread, keep its signals for itself."""
    if _sockets:
        with suppress(ValueError):  # forked by another thread
            signal.set_wakeup_fd(-1)
        _sockets.clear()
        _running.clear()


os.register_at_fork(after_in_child=_forget)
