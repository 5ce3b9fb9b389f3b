"""The untrusted side of a whole program: run it once per test, between separate files.

Standard input and output are two memory files that the worker sends. Their contents cross no pipe,
so a program may seek them, ask for their size, or read all at once. What the program printed is
read by the worker from the file, never reported by this process.
"""

import _socket
import atexit
import builtins
import gc
import os
import struct
import sys
from contextlib import suppress
from types import CodeType, ModuleType
from typing import Any

FDS = struct.Struct("2i")
RECURSION = 1000  # the interpreter's own limit


class Stage:
    """Plays a program again and again, each time as near to a fresh interpreter as one may get.

    Modules stay imported and daemon threads alive; builtins, streams, the seed of ``random`` and
    the recursion limit are put back.
    """

    def __init__(self, fd: int):
        self.stdin, self.stdout = _received(fd)
        self.pid = os.getpid()
        atexit._clear()
        for name in ("exit", "quit"):  # what site would add
            setattr(builtins, name, sys.exit)
        self.builtins = vars(builtins).copy()
        self.seed = sys.modules["random"].seed  # the zygote's, which a fork does not reseed

    def run(self, code: CodeType) -> None:
        """Run the program to its end; raises what it raises, but an exit with status 0."""
        try:
            self._play(code)
        finally:
            if os.getpid() != self.pid:  # a process the program forked has no say here
                os._exit(0)

    def _play(self, code: CodeType) -> None:
        self._set()
        out = sys.stdout
        module = sys.modules["__main__"] = ModuleType("__main__")
        try:
            exec(code, module.__dict__)
        except SystemExit as end:
            if end.code not in (None, 0):
                raise
        finally:
            _join_threads()
            atexit._run_exitfuncs()
            _flush(getattr(sys, "stdout", None))
            module.__dict__.clear()
            gc.collect()  # files the program left open write what they hold
            _flush(out)

    def _set(self) -> None:
        present = vars(builtins)
        for name in present.keys() - self.builtins.keys():
            del present[name]
        present.update(self.builtins)
        sys.setrecursionlimit(RECURSION)
        self.seed(0)
        for fd, kept in enumerate((self.stdin, self.stdout)):
            os.lseek(kept, 0, os.SEEK_SET)
            os.dup2(kept, fd)
        text: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogateescape", "closefd": False}
        sys.stdin = sys.__stdin__ = open(0, **text)  # type: ignore[misc]  # noqa: SIM115
        sys.stdout = sys.__stdout__ = open(1, "w", **text)  # type: ignore[misc]  # noqa: SIM115


def _received(fd: int) -> tuple[int, int]:
    """Take the two files from the worker."""
    channel = _socket.socket(fileno=fd)
    try:
        _, ancillary, _, _ = channel.recvmsg(1, _socket.CMSG_SPACE(FDS.size))
    finally:
        channel.detach()
    stdin, stdout = FDS.unpack(ancillary[0][2])
    return stdin, stdout


def _join_threads() -> None:
    """Wait for the threads that an interpreter waits for at its end."""
    threading = sys.modules.get("threading")
    if threading is None:
        return
    ours = threading.current_thread()
    while left := [one for one in threading.enumerate() if one is not ours and not one.daemon]:
        left[0].join()


def _flush(stream: Any) -> None:
    if stream is not None:
        with suppress(ValueError):  # closed, or detached
            stream.flush()
