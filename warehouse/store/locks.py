"""Locks for work that two processes must not do at once: who holds one, and since when.

A lock is the operating system's, on a file that is open while the work lasts. It ends with its
process, however that ends.
"""

import fcntl
import functools
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from warehouse import settings
from warehouse.errors import Locked
from warehouse.store.connection import require_warehouse

P = ParamSpec("P")
R = TypeVar("R")


@contextmanager
def alone(name: str, what: str) -> Iterator[None]:
    """Hold the lock of this name while the block runs; ``what`` is done in it, for people.

    Raises Locked, naming the holder, since when it works and what to do, when another has it.
    """
    path = lock_dir() / f"{name}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Locked(_held(what, path)) from error
        file.truncate(0)
        file.write(json.dumps(_holder(what)))
        file.flush()
        yield


def is_held(name: str) -> bool:
    """Return whether a process holds the lock of this name."""
    path = lock_dir() / f"{name}.lock"
    if not path.exists():
        return False
    with path.open("r", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def one_at_a_time(name: str, what: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let one process at a time run the decorated function, which needs a warehouse."""

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def locked(*args: P.args, **kwargs: P.kwargs) -> R:
            if not settings.home().exists():  # and none is made for a lock
                require_warehouse()
            with alone(name, what):
                return function(*args, **kwargs)

        return locked

    return decorated


def lock_dir() -> Path:
    """Return the folder of the locks."""
    return settings.home() / "locks"


def _holder(what: str) -> dict[str, Any]:
    return {
        "what": what,
        "pid": os.getpid(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": " ".join(["assay", *sys.argv[1:]])[:200],
    }


def _held(what: str, path: Path) -> str:
    """Say who holds a lock and what for; ``what`` is wanted, in case that is not known yet."""
    try:
        holder = json.loads(path.read_text(encoding="utf-8"))
        what = holder["what"]
        who = f"process {holder['pid']} since {holder['since'][11:19]} UTC ({holder['command']})"
    except (OSError, ValueError, KeyError):
        who = "another process"  # one that is just beginning
    return (
        f"{what} is under way already: {who}: wait until it is done (`assay status` shows how "
        "far it is) or stop it with Ctrl-C there; what it did is kept"
    )
