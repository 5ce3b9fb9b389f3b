"""Take a zygote into its level of isolation, and fork children at that level."""

import contextlib
import os
import signal
import socket
from typing import Any


def enter(level: str, settings: dict[str, Any], control: socket.socket) -> "PlainForker":
    """Confine this process once; returns what forks, kills and cleans up its children."""
    return PlainForker()


class PlainForker:
    """A bare fork: limits, no isolation."""

    def fork(self) -> int:
        """Fork; raises OSError when the machine cannot."""
        return os.fork()

    def drop(self) -> None:
        """In the child: nothing to give up at this level."""

    def kill(self, pid: int) -> None:
        """Kill the child and its session."""
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)

    def clean(self, pid: int) -> None:
        """After the child: kill what it left in its session."""
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
