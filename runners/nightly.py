"""The whole journey, unattended: from files and models to a published snapshot.

Every step does only what is missing, so that a night with nothing new costs seconds and a night
cut off goes on where it stopped. Nothing is published when a step failed.
"""

import fcntl
import inspect
import json
import os
import re
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from warehouse import settings
from warehouse.errors import AssayError, BadInput, Locked


@dataclass
class Step:
    """One step of a night: what it was, how long it took, what it did or why it failed."""

    name: str
    seconds: float
    result: dict[str, Any] = field(default_factory=dict)
    error: str | None = None


@dataclass
class NightlyReport:
    """All steps of a night."""

    config: str
    steps: list[Step] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def failures(self) -> list[Step]:
        """The steps that failed."""
        return [step for step in self.steps if step.error]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


Announce = Callable[[Step], None]


def nightly(
    config: Path, *, progress: bool = True, announce: Announce = lambda step: None
) -> NightlyReport:
    """Run every step of a configuration file; ``announce`` hears of each as it ends.

    Raises BadInput for a configuration that does not fit, before anything is done, and Locked when
    another nightly runs. Steps that fail are in the report; the caller turns them into an exit.
    """
    steps = list(read_config(config))
    report = NightlyReport(config=str(config))
    began = time.monotonic()
    with _only_one():
        for name, function, arguments in steps:
            if name == "publish" and report.failures:
                step = Step(name, 0.0, error="left undone: an earlier step failed")
            else:
                step = _run(name, function, arguments, progress)
            report.steps.append(step)
            announce(step)
        report.seconds = time.monotonic() - began
        _log(report)
    return report


def read_config(config: Path) -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Yield the steps of a configuration as (name, function, arguments), checked."""
    try:
        table = tomllib.loads(config.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(str(error), path=config) from error
    unknown = sorted(set(table) - {name for name, _ in STEPS})
    if unknown:
        known = ", ".join(name for name, _ in STEPS)
        raise BadInput(f"unknown section [{unknown[0]}]: sections are {known}", path=config)
    for name, find in STEPS:
        entries = table.get(name, [] if name in OPTIONAL else {})
        for entry in entries if isinstance(entries, list) else [entries]:
            function = find()
            arguments = {key: _value(value, config) for key, value in entry.items()}
            _check_arguments(name, function, arguments, config)
            yield _label(name, arguments), function, arguments


def _run(
    name: str, function: Callable[..., Any], arguments: dict[str, Any], progress: bool
) -> Step:
    if "progress" in inspect.signature(function).parameters:
        arguments = {**arguments, "progress": progress}
    began = time.monotonic()
    try:
        result = asdict(function(**arguments))
    except AssayError as error:
        return Step(name, time.monotonic() - began, error=str(error))
    except OSError as error:
        reason = f"{error.strerror or error}: {error.filename}" if error.filename else str(error)
        return Step(name, time.monotonic() - began, error=reason)
    step = Step(name, time.monotonic() - began, result)
    if result.get("failing_canaries"):
        step.error = "reference solutions failed here: " + "; ".join(result["failing_canaries"][:5])
    return step


def _ingest() -> Callable[..., Any]:
    from ingest.loader import ingest_dataset

    return ingest_dataset


def _mutate() -> Callable[..., Any]:
    from runners.mutate import mutate

    return mutate


def _import() -> Callable[..., Any]:
    from ingest.importer import import_generations

    return import_generations


def _generate() -> Callable[..., Any]:
    from runners.generate import generate

    return generate


def _reflect() -> Callable[..., Any]:
    from runners.reflect import reflect

    return reflect


def _execute() -> Callable[..., Any]:
    from runners.execute import execute

    return execute


def _similarity() -> Callable[..., Any]:
    from runners.similarity import similarity_pairs

    return similarity_pairs


def _calibrate() -> Callable[..., Any]:
    from runners.calibrate import calibrate

    return calibrate


def _build() -> Callable[..., Any]:
    from warehouse.build import build

    return build


def _publish() -> Callable[..., Any]:
    from warehouse.publish import publish

    return publish


def _export() -> Callable[..., Any]:
    from warehouse.export import export

    return export


STEPS: tuple[tuple[str, Callable[[], Callable[..., Any]]], ...] = (
    ("ingest", _ingest),
    ("mutate", _mutate),
    ("import", _import),
    ("generate", _generate),
    ("reflect", _reflect),
    ("execute", _execute),
    ("similarity", _similarity),
    ("calibrate", _calibrate),
    ("build", _build),
    ("publish", _publish),
    ("export", _export),
)
OPTIONAL = {"ingest", "mutate", "import", "generate", "reflect", "export"}


def _value(value: Any, config: Path) -> Any:
    """Expand ${NAME} from the environment; raises BadInput when it is not set."""
    if not isinstance(value, str):
        return value

    def expand(found: re.Match[str]) -> str:
        if found[1] not in os.environ:
            raise BadInput(f"environment variable {found[1]} is not set", path=config)
        return os.environ[found[1]]

    return re.sub(r"\$\{(\w+)\}", expand, value)


def _check_arguments(
    name: str, function: Callable[..., Any], arguments: dict[str, Any], config: Path
) -> None:
    parameters = inspect.signature(function).parameters
    for key, value in arguments.items():
        if key not in parameters:
            known = ", ".join(sorted(set(parameters) - {"progress"}))
            raise BadInput(f"[{name}] has no setting {key!r}: it takes {known}", path=config)
        if "Path" in str(parameters[key].annotation) and isinstance(value, str):
            arguments[key] = config.parent / value  # an absolute path stays as it is
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError as error:
        raise BadInput(f"[{name}] {error}", path=config) from error


def _label(name: str, arguments: Mapping[str, Any]) -> str:
    shown = [
        str(arguments[key])
        for key in ("lm", "name", "dataset", "rescore", "view")
        if key in arguments
    ]
    return " ".join([name, *shown])


@contextmanager
def _only_one() -> Iterator[None]:
    path = settings.home() / "nightly.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            raise Locked(
                f"{path}: a nightly runs already, process {file.read().strip()}"
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _log(report: NightlyReport) -> None:
    line = {"finished_at": datetime.now(UTC).isoformat(), **report.as_dict()}
    with (settings.home() / "nightly.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, default=str) + "\n")
