"""Parameters of a step: the types of its spec, and the rules in their annotations.

A rule is called with a value and returns what is wrong with it, or nothing. ``Annotated[int,
Range(1, 9)]`` says that a whole number from 1 to 9 is allowed.
"""

import inspect
import math
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path
from typing import Any

from warehouse.errors import known_names

Rule = Callable[[Any], str | None]

WORDS = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    Path: "a path",
    "list": "a list such as ['a', 'b']",
    "table": "a table",
}


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
    """One of some names; ``noun`` says what they name, a function finds them when asked."""

    names: Iterable[Any] | Callable[[], Iterable[Any]]
    noun: str = ""

    def __call__(self, value: Any) -> str:
        """Return what is wrong with a name, or with one of a list."""
        known = [str(name) for name in (self.names() if callable(self.names) else self.names)]
        for each in value if isinstance(value, list) else [value]:
            if str(each) not in known:
                noun = f"{self.noun} " if self.noun else ""
                return f"there is no {noun}{each!r}{known_names(str(each), known)}"
        return ""


COUNT = Range(1, 1_000_000_000, whole=True)
SAMPLES = Range(1, 100_000, whole=True)
SEED = Range(-(2**31), 2**31 - 1, whole=True)  # what its column holds
WORKERS = Range(1, 1024, whole=True)
MEMORY_MB = Range(64, 1024**2, whole=True)
CPU_SECONDS = Range(0, 36_000, low_open=True)
TEMPERATURE = Range(0, 100)
TOP_P = Range(0, 1, low_open=True)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a step: its type, its rules and its default."""

    kind: Any
    rules: tuple[Rule, ...]
    default: Any

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is inspect.Parameter.empty

    def takes(self, kind: Any) -> bool:
        """Return whether values of a type are allowed."""
        return kind in _allowed(self.kind)

    def refusal(self, value: Any) -> str:
        """Return what is wrong with a value, or nothing."""
        if reason := _misfit(value, self.kind):
            return reason
        found = (rule(value) for rule in self.rules)
        return next((reason for reason in found if reason), "")


def spec_of(step: Callable[..., Any]) -> Callable[..., Any]:
    """Return the spec class that a step takes, or the step itself where it takes none."""
    found = typing.get_type_hints(step).get("spec")
    return found if is_dataclass(found) and isinstance(found, type) else step


def parameters_of(spec: Callable[..., Any]) -> dict[str, Parameter]:
    """Return the parameters of a spec by name."""
    hints = typing.get_type_hints(spec, include_extras=True)
    found = {}
    for name, parameter in inspect.signature(spec).parameters.items():
        kind, rules = hints[name], ()
        if typing.get_origin(kind) is typing.Annotated:
            kind, rules = kind.__origin__, kind.__metadata__
        found[name] = Parameter(kind, rules, parameter.default)
    return found


def settings_of(spec: Any, *left_out: str) -> dict[str, Any]:
    """Return what a run stores of its spec."""
    return {name: value for name, value in asdict(spec).items() if name not in left_out}


def _misfit(value: Any, kind: Any) -> str:
    """Return what is wrong with the type of a value, or nothing."""
    allowed = _allowed(kind)
    if isinstance(value, bool):
        fits = bool in allowed
    elif isinstance(value, list):
        fits = "list" in allowed and all(not _misfit(each, _element(kind)) for each in value)
    elif isinstance(value, Mapping):
        fits = "table" in allowed
    elif isinstance(value, int):
        fits = int in allowed or float in allowed
    else:
        fits = type(value) in allowed or isinstance(value, Path)
    if fits:
        return ""
    wanted = " or ".join(word for known, word in WORDS.items() if known in allowed)
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
    if isinstance(value, list):
        return f"the list {value!r}"
    if isinstance(value, Mapping):
        return "a table"
    return f"the text {value!r}" if isinstance(value, str) else str(value)
