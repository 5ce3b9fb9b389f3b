"""How a conversation with a child ends before its time, and what each end decides."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from models.words import ERROR, HARNESS_FAULT, TAMPERED, TIMEOUT


@dataclass(frozen=True)
class Cause:
    """Why a program ended, the status of the interrupted test, and a message."""

    why: str
    status: str
    message: str


OUT_OF_TIME = Cause("cpu", TIMEOUT, "processor time limit")
WAITED_TOO_LONG = Cause("wall", TIMEOUT, "wall time limit")
NOT_STARTED = Cause("sandbox", HARNESS_FAULT, "the sandbox could not start the program")
HUNG_UP = Cause("exit", ERROR, "the program hung up")
ENDED_EARLY = Cause("exit", ERROR, "the program ended before its tests")


@dataclass(frozen=True)
class Ending:
    """What the early end of a conversation decides."""

    hung_up: bool = False  # the child ended it, and has a moment to end in its own way
    asked_again: bool = False  # the program gets another conversation
    cause: Cause | None = None  # instead of the one for which the child ended
    outranks: bool = False  # the cause is the verdict, whatever happened to child and tests


class BrokenOff(BaseException):
    """The conversation cannot continue; ``unswallowed`` raises it again if a test caught it."""

    first: "ClassVar[BrokenOff | None]" = None  # of the conversation that is held

    def __init__(self, *arguments: object):
        super().__init__(*arguments)
        BrokenOff.first = BrokenOff.first or self

    @property
    def ending(self) -> Ending:
        """Return what this decides."""
        raise NotImplementedError


@contextmanager
def unswallowed() -> Iterator[None]:
    """Hold one conversation; raises what broke it off, though a test had a bare except for it."""
    BrokenOff.first = None
    try:
        yield
        if BrokenOff.first is not None:
            raise BrokenOff.first
    finally:
        BrokenOff.first = None


class Ended(BrokenOff):
    """The child is gone: no more answers will come."""

    ending = Ending(hung_up=True)


class TooSlow(BrokenOff):
    """The judge has waited for the child as long as the wall limit allows."""

    ending = Ending(cause=WAITED_TOO_LONG)


class Diverged(BrokenOff):
    """This program led the tests to other calls than foretold."""

    ending = Ending(asked_again=True)


class Tampered(BrokenOff):
    """The child sent what an honest one never sends."""

    @property
    def ending(self) -> Ending:
        """Return that the program is at fault."""
        return Ending(cause=Cause("protocol", TAMPERED, str(self)), outranks=True)


class JudgeLimit(BrokenOff):
    """Judging took more time, memory or depth than is granted; what the program sent led there."""

    @property
    def ending(self) -> Ending:
        """Return that the program is at fault."""
        return beyond_judging(self)


def beyond_judging(error: BaseException) -> Ending:
    """Return the end of a conversation in which the judge reached one of its limits.

    It is the program's doing: its reference is judged within half of these limits.
    """
    message = f"more than can be judged: {str(error) or type(error).__name__}"
    return Ending(cause=Cause("judge", ERROR, message), outranks=True)


class Refused(Exception):
    """The program did not load."""

    def __init__(self, name: str, message: str):
        super().__init__(f"{name}: {message}")
        self.name = name


class CandidateError(Exception):
    """The candidate raised something that is not a builtin exception."""


class CandidateExit(BaseException):
    """The candidate raised something that is no Exception."""
