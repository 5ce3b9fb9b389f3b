"""The sandbox's pool for every language, and the reason why one cannot be judged here."""

from collections.abc import Iterable, Iterator
from typing import Any

from ingest.catalogue import kind_of
from models.words import PYTHON
from runners.judging.languages import OTHER_LANGUAGES
from runners.judging.languages.programs import WITH_NAMESPACES, Programs
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Job, Result
from runners.judging.sandbox.walls import probe


class PoolOfLanguages(Pool):
    """The pool of Python's programs; those of other languages run after them."""

    def __init__(self, *, workers: int = 2, **options: Any):
        self._n_programs = workers
        super().__init__(workers=workers, **options)

    def run(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """Yield one result per job, in no order."""
        others: list[Job] = []
        yield from super().run(_python_jobs(jobs, others))
        yield from Programs(self._n_programs, self.isolation).run(others)


def not_here(dataset: str, isolation: str) -> str | None:
    """Return why the programs of a dataset cannot be judged on this machine, None where they can.

    ``isolation`` is a level, or "auto" for the best one.
    """
    language = kind_of(dataset).language
    if language == PYTHON:
        return None
    absent = OTHER_LANGUAGES.load(language).absent()
    if absent is not None:
        return f"{language}: {absent}"
    level = probe.best_safe_level() if isolation == "auto" else isolation
    if level not in WITH_NAMESPACES:
        needed = " or ".join(WITH_NAMESPACES)
        return f"{language}: its programs need isolation {needed}, here it is {level}"
    return None


def _python_jobs(jobs: Iterable[Job], others: list[Job]) -> Iterator[Job]:
    for job in jobs:
        if job.suite.language == PYTHON:
            yield job
        else:
            others.append(job)
