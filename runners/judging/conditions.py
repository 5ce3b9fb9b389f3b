"""A pool at work for one recorded run."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from models.base import Row
from runners.judging.languages.pool import PoolOfLanguages
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Job, Result
from runners.progress import track
from warehouse.store.runs import RunHandle, recorded


@dataclass(frozen=True)
class PoolAtWork:
    """A pool, and whether a bar shows how far it is."""

    pool: Pool
    progress: bool

    def results(self, jobs: Iterable[Job], n_jobs: int, label: str) -> Iterator[Result]:
        """Yield the results of some jobs, in no order."""
        return track(self.pool.run(jobs), n_jobs, label, enabled=self.progress)


@dataclass(frozen=True)
class Judging(PoolAtWork):
    """And the run that its results belong to."""

    run: RunHandle


def result_columns(table: type[Row], result: Result) -> dict[str, Any]:
    """Return what a table stores of a result under the same name."""
    return {name: value for name, value in vars(result).items() if name in table.model_fields}


@dataclass(frozen=True)
class Conditions:
    """How a command runs programs; its runs store ``settings`` and the isolation there was."""

    workers: int = 2
    isolation: str = "auto"
    settings: Mapping[str, Any] = field(default_factory=dict)
    progress: bool = True

    @contextmanager
    def judging(self, kind: str, **facts: Any) -> Iterator[Judging]:
        """Start the pool and a run of a kind, which stores ``facts`` too."""
        with PoolOfLanguages(workers=self.workers, isolation=self.isolation) as pool:
            settings = {**self.settings, "isolation_used": pool.isolation, **facts}
            with recorded(kind, settings=settings) as run:
                yield Judging(pool, self.progress, run)
