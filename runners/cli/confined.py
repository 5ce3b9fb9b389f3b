"""A child process that answers requests under limits which the kernel keeps.

The child is a fork of a process that has loaded little, so it costs milliseconds. It prints to the
same terminal and replies with one line of JSON. Memory beyond what it held when it was ready is
bounded by RLIMIT_DATA, and time by an alarm that no Python code catches. A request that breaks
either bound ends the child, never the parent, and the next request gets a new child.
"""

import ctypes
import errno
import json
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn

from warehouse.errors import AssayError, BadInput

Request = dict[str, Any]
Reply = dict[str, Any]
PR_SET_PDEATHSIG = 1


class ChildRefusal(AssayError):
    """An error that the child reported, with its exit code."""

    def __init__(self, reason: str, code: int):
        super().__init__(reason)
        self.exit_code = code


class Clock:
    """The time that one request has left; printing results does not count."""

    def __init__(self, seconds: float):
        self._seconds = self._left = seconds

    def wind(self) -> None:
        """Give a new request all its time."""
        self._left = self._seconds

    @contextmanager
    def running(self) -> Iterator[None]:
        """Let time pass; when none is left the kernel ends this process."""
        signal.setitimer(signal.ITIMER_REAL, self._left)  # 0 sets no alarm
        try:
            yield
        finally:
            self._left = signal.setitimer(signal.ITIMER_REAL, 0)[0]


@dataclass(frozen=True)
class Child:
    """A process, and the two pipes to speak with it."""

    pid: int
    requests: IO[bytes]
    replies: IO[bytes]


class Confined:
    """One child at a time; ``prepare`` makes, in the child, the function that answers."""

    def __init__(
        self,
        prepare: Callable[[Clock], Callable[[Request], Reply]],
        *,
        memory_mb: int,
        timeout_s: float,
    ):
        self._prepare = prepare
        self._memory_mb = memory_mb
        self._timeout_s = timeout_s
        self._child: Child | None = None

    def __enter__(self) -> "Confined":
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def ask(self, request: Request) -> Reply:
        """Have a request answered; the child prints what there is to print.

        Raises ChildRefusal for an error that the child reports, and BadInput when a limit ended it.
        Any other interruption, such as Ctrl-C, ends the child too.
        """
        if self._child is None:
            self._child = self._started()
        child = self._child
        try:
            child.requests.write(json.dumps(request).encode() + b"\n")
            child.requests.flush()
            line = child.replies.readline()
        except BrokenPipeError:
            line = b""
        except BaseException:
            self._end()
            raise
        if not line:
            raise BadInput(self._why(self._reap(child)))
        reply: Reply = json.loads(line)
        if reply.get("pipe"):
            raise BrokenPipeError(errno.EPIPE, "the reader has gone")
        if "error" in reply:
            raise ChildRefusal(reply["error"], reply["code"])
        return reply

    def _started(self) -> Child:
        sys.stdout.flush()
        sys.stderr.flush()
        theirs, mine = os.pipe()
        listening, speaking = os.pipe()
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            os.close(mine)
            os.close(listening)
            self._serve(parent, os.fdopen(theirs, "rb"), os.fdopen(speaking, "wb"))
        os.close(theirs)
        os.close(speaking)
        return Child(pid, os.fdopen(mine, "wb"), os.fdopen(listening, "rb"))

    def _serve(self, parent: int, requests: IO[bytes], replies: IO[bytes]) -> NoReturn:
        """Be the child: answer until there are no requests, and never return."""
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the child
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)
            if not os.environ.get("ASSAY_DEBUG"):
                # what a library says while it dies for want of memory; errors go to the parent
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            clock = Clock(self._timeout_s)
            answer: Callable[[Request], Reply] | None = None
            for line in requests:
                try:
                    if answer is None:
                        answer = self._prepare(clock)
                        _limit_memory(self._memory_mb)
                    clock.wind()
                    reply = answer(json.loads(line))
                    sys.stdout.flush()
                except (BrokenPipeError, SystemExit):  # rich ends the program on a closed pipe
                    reply = {"pipe": True}
                except AssayError as error:
                    reply = {"error": str(error), "code": error.exit_code}
                except MemoryError:
                    reply = {"error": self._too_large(), "code": BadInput.exit_code}
                except Exception as error:
                    reply = {"error": f"unexpected {type(error).__name__}: {error}", "code": 1}
                replies.write(json.dumps(reply).encode() + b"\n")
                replies.flush()
        finally:
            os._exit(0)

    def _end(self) -> None:
        """End the child, if there is one; it has nothing to tidy up."""
        if self._child is not None:
            os.kill(self._child.pid, signal.SIGKILL)
            self._reap(self._child)

    def _reap(self, child: Child) -> int:
        """Wait for a child that is dying; return the signal it died of, or 0."""
        self._child = None
        _, status = os.waitpid(child.pid, 0)
        for file in (child.requests, child.replies):
            with suppress(BrokenPipeError):  # a request that nobody read
                file.close()
        return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0

    def _why(self, number: int) -> str:
        if number == signal.SIGALRM:
            return (
                f"the query was stopped after {self._timeout_s:g} s: give it longer with --timeout "
                "SECONDS, or ask for less"
            )
        name = signal.Signals(number).name if number else "no signal"
        return f"{self._too_large()} (its process ended with {name})"

    def _too_large(self) -> str:
        return (
            f"the query was stopped at its limit of {self._memory_mb} MB of memory: give it more "
            "with --memory-mb N, or ask for less"
        )


def _limit_memory(megabytes: int) -> None:
    """Bound what this process writes to, beyond what it holds now."""
    held = re.search(r"^VmData:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    limit = (int(held[1]) * 1024 if held else 0) + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
