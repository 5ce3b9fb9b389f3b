"""Parameters of a verb: the fields of its spec, and the rules in their annotations.

A rule is called with a value and returns what is wrong with it, or nothing. ``Annotated[int,
Range(1, 9)]`` says that a whole number from 1 to 9 is allowed. A spec checks itself when it is
made.
"""

import math
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from warehouse.errors import BadInput, known_names

Rule = Callable[[Any], str | None]

TYPE_NAMES = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    Path: "a path",
    "list": "a list such as {example}",
    "table": "a table",
}


class BadValue(BadInput):
    """A value that a spec does not allow; ``name`` is the parameter, ``fault`` what is wrong."""

    def __init__(self, name: str, fault: str):
        super().__init__(f"{name}: {fault}" if name else fault)
        self.name = name
        self.fault = fault


@dataclass(frozen=True)
class Range:
    """Numbers from ``low`` to ``high``; nan is in no range."""

    low: float
    high: float | None = None
    low_open: bool = False
    whole: bool = False

    def __call__(self, value: Any) -> str:
        """Return what is wrong with a number."""
        number: float = int(value) if self.whole else float(str(value))
        below = number <= self.low if self.low_open else number < self.low
        if below or (self.high is not None and number > self.high):
            return f"{number} is not in the range {self}"
        return "" if math.isfinite(number) else f"{value} is not a finite number"

    def __str__(self) -> str:
        if self.high is None:
            return f"x{'>' if self.low_open else '>='}{self.low}"
        return f"{self.low}{'<' if self.low_open else '<='}x<={self.high}"


@dataclass(frozen=True)
class Choice:
    """One of some names, or of those that a function finds; messages call each ``noun``."""

    names: Iterable[Any] | Callable[[], Iterable[Any]]
    noun: str = ""

    @property
    def listed(self) -> Iterable[Any]:
        """The names."""
        return self.names() if callable(self.names) else self.names

    def __call__(self, value: Any) -> str:
        """Return what is wrong with a name, or with one of a list."""
        known = [str(name) for name in self.listed]
        for each in value if isinstance(value, list | tuple) else [value]:
            if str(each) not in known:
                noun = f"{self.noun} " if self.noun else ""
                return f"there is no {noun}{each!r}{known_names(str(each), known)}"
        return ""


def printable(value: Any) -> str:
    """Return what is wrong with the name of a language model."""
    fits = value.strip() and value.isprintable()
    return "" if fits else f"{value!r} is not a name for a language model"


def on_one_line(value: Any) -> str:
    """Return what is wrong with a text that may be empty."""
    return "" if value.isprintable() else f"{value!r} is not printable text on one line"


def counts(value: Any) -> str:
    """Return what is wrong with a list of numbers of samples, as they are written."""
    wrong = [each for each in value if not re.fullmatch("[1-9][0-9]{0,5}", each)]
    return f"{wrong[0]!r} is no whole number from 1 to 999999" if wrong else ""


COUNT = Range(1, 1_000_000_000, whole=True)
RESAMPLES = Range(40, 1_000_000_000, whole=True)  # of fewer none lies beyond 2.5 %
SAMPLES = Range(1, 100_000, whole=True)
SEED = Range(-(2**31), 2**31 - 1, whole=True)  # what its column holds
WORKERS = Range(1, 1024, whole=True)
KEPT = Range(1, whole=True)  # the newest snapshot is always kept
MEMORY_MB = Range(64, 1024**2, whole=True)
CPU_SECONDS = Range(0.001, 36_000)
TEMPERATURE = Range(0, 100)
TOP_P = Range(0, 1, low_open=True)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a verb: its type, its rules and its default."""

    kind: Any
    rules: tuple[Rule, ...]
    default: Any

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is MISSING

    def takes(self, kind: Any) -> bool:
        """Return whether values of a type are allowed."""
        return kind in _allowed(self.kind)

    def refusal(self, value: Any) -> str:
        """Return what is wrong with a value, or nothing."""
        if reason := _misfit(value, self.kind):
            return reason
        found = (rule(value) for rule in self.rules if value is not None)
        return next((reason for reason in found if reason), "")


class Spec:
    """The parameters of one verb: its subclasses are frozen dataclasses.

    Raises BadValue for a value that its field does not allow, and for one that does not go with
    the others. ``unstored`` names the fields that a run does not store.
    """

    unstored: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for name, parameter in parameters_of(type(self)).items():
            value = getattr(self, name)
            if isinstance(value, list):
                value = tuple(value)
                object.__setattr__(self, name, value)
            if value is not parameter.default and (reason := parameter.refusal(value)):
                raise BadValue(name, reason)
        for name, reason in self.conflicts():
            raise BadValue(name, reason)

    def conflicts(self) -> Iterator[tuple[str, str]]:
        """Yield each parameter that does not go with the others, and why."""
        yield from ()

    def settings(self) -> dict[str, Any]:
        """Return what a run stores."""
        given = asdict(self)  # type: ignore[call-overload]
        return {name: value for name, value in given.items() if name not in self.unstored}


def spec_of(step: Callable[..., Any]) -> type[Spec]:
    """Return the spec class that a step takes."""
    spec: type[Spec] = typing.get_type_hints(step)["spec"]
    return spec


def parameters_of(spec: type[Spec]) -> dict[str, Parameter]:
    """Return the parameters of a spec by name."""
    hints = typing.get_type_hints(spec, include_extras=True)
    found = {}
    for each in fields(spec):  # type: ignore[arg-type]
        kind, rules = hints[each.name], ()
        if typing.get_origin(kind) is typing.Annotated:
            kind, rules = kind.__origin__, kind.__metadata__
        made = each.default_factory
        default = each.default if made is MISSING else made()
        found[each.name] = Parameter(kind, rules, default)
    return found


def _misfit(value: Any, kind: Any) -> str:
    """Return what is wrong with the type of a value, or nothing."""
    allowed = _allowed(kind)
    if isinstance(value, bool):
        fits = bool in allowed
    elif isinstance(value, list | tuple):
        fits = "list" in allowed and all(not _misfit(each, _element(kind)) for each in value)
    elif isinstance(value, Mapping):
        fits = "table" in allowed
    elif isinstance(value, int):
        fits = int in allowed or float in allowed
    else:
        fits = any(isinstance(value, each) for each in allowed if isinstance(each, type))
    if fits:
        return ""
    example = "[1, 2]" if _element(kind) is int else "['a', 'b']"
    wanted = " or ".join(word for known, word in TYPE_NAMES.items() if known in allowed)
    wanted = wanted.format(example=example)
    return f"must be {wanted}, not {shown(value)}"


def _allowed(kind: Any) -> set[Any]:
    """Return the types that an annotation allows, lists and tables by name."""
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        return set().union(*(_allowed(each) for each in typing.get_args(kind)))
    origin = typing.get_origin(kind)
    if origin is not None:
        return {"table"} if issubclass(origin, Mapping) else {"list"}
    return {kind}


def _element(kind: Any) -> Any:
    """Return the type of what a list of this annotation holds."""
    for each in (kind, *typing.get_args(kind)):
        origin = typing.get_origin(each)
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return typing.get_args(each)[0]
    return str


def shown(value: Any) -> str:
    """Return a value as messages print it."""
    if isinstance(value, Path):
        return f"the text {str(value)!r}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"the list {list(value)!r}"
    if isinstance(value, Mapping):
        return "a table"
    return f"the text {value!r}" if isinstance(value, str) else str(value)
