"""Measurements of candidates in a file, so that hours of work may be spread over days."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from threading import Lock

from tests.bench.projects.mutants import ChangedFile


@dataclass(frozen=True)
class KeptShare:
    """One candidate: processor seconds warm, and cold where it was run so.

    ``cpu_s`` is what the sandbox used for it, ``host_cpu_s`` what this process used beside that. It
    finds the changed function, chooses the tests, and reads the report.
    """

    candidate: ChangedFile
    verdict: str
    cpu_s: float
    host_cpu_s: float = 0.0
    suite_verdict: str | None = None
    suite_cpu_s: float | None = None
    chosen_cpu_s: float | None = None


class KeptMeasurements:
    """The newest measurement of each candidate; a line is added for each new one.

    Without a file they live as long as the object.
    """

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.lock = Lock()
        self.known: dict[str, dict[str, object]] = {}
        if file is not None and file.exists():
            lines = file.read_text(encoding="utf-8").splitlines()
            self.known = {line["key"]: line["values"] for line in map(json.loads, lines)}

    def warm(self, candidate: ChangedFile, check: Callable[[ChangedFile], KeptShare]) -> KeptShare:
        """Return the kept measurement of a candidate, or check it now."""
        if values := self.known.get(_key(candidate)):
            return replace(KeptShare(candidate, "", 0.0), **values)  # type: ignore[arg-type]
        return self._kept(check(candidate))

    def cold(self, measured: KeptShare, run: Callable[[KeptShare], KeptShare]) -> KeptShare:
        """Return a measurement that has a cold verdict, or run the suite now."""
        return measured if measured.suite_verdict is not None else self._kept(run(measured))

    def _kept(self, measured: KeptShare) -> KeptShare:
        names = ("verdict", "cpu_s", "host_cpu_s", "suite_verdict", "suite_cpu_s", "chosen_cpu_s")
        key, values = _key(measured.candidate), {name: getattr(measured, name) for name in names}
        with self.lock:
            self.known[key] = values
            if self.file is not None:
                with self.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": key, "values": values}) + "\n")
        return measured


def _key(candidate: ChangedFile) -> str:
    text = "\0".join([candidate.path, str(candidate.line), candidate.source])
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
