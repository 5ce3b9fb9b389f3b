"""Errors a user can act on: one clear line and an exit code, never a traceback."""

from collections.abc import Iterable, Sequence
from pathlib import Path


class AssayError(Exception):
    """Something failed that the user can understand; the message is one line."""

    exit_code = 1

    @property
    def lines(self) -> list[str]:
        """Return the message: one line for each problem, usually one."""
        return [str(self)]


class BadInput(AssayError):
    """A file or setting that does not fit; names the file, the row and the reason."""

    exit_code = 3

    def __init__(
        self, reason: str, *, path: Path | str | None = None, row: int | str | None = None
    ):
        where = str(path) if path is not None else ""
        if row is not None:
            where += f":{row}" if where else f"row {row}"
        super().__init__(f"{where}: {reason}" if where else reason)
        self.reason = reason


class Locked(AssayError):
    """Another process holds the warehouse or the nightly run; names it."""

    exit_code = 4


class IsolationRefused(AssayError):
    """The machine cannot offer the isolation that was asked for."""

    exit_code = 5


class CheckFailed(AssayError):
    """A gate, canary or data test failed."""

    exit_code = 6


class NewAlarms(AssayError):
    """All steps of a night were done, and an alarm is new."""

    exit_code = 7


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in the middle of long work; the message says what is saved and how to continue."""


def known_names(name: str, known: Iterable[str], listed: Sequence[str] = ()) -> str:
    """Return the end of a message about an unknown name: the nearest known one, else a list.

    ``listed`` is the list where not all that is known belongs in it.
    """
    from difflib import get_close_matches  # only where something is wrong

    names = list(known)
    near = get_close_matches(name, names, n=1)
    if near:
        return f": did you mean {near[0]}?"
    return f"; available: {', '.join(listed or names) or 'none'}"
