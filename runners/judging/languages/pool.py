"""The sandbox's pool for every language and every set of packages, and why one is not judged."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ingest.catalogue import kind_of
from models.words import PYTHON, WITH_NAMESPACES
from runners.judging.languages import OTHER_LANGUAGES
from runners.judging.languages.programs import Programs
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Job, Result
from runners.judging.sandbox.walls import probe


class PoolOfLanguages(Pool):
    """The pool of Python's programs; those with packages and of other languages run after them.

    Each folder of packages has a pool, which starts with its first program.
    """

    def __init__(self, *, workers: int = 2, isolation: str = "auto"):
        self._n_programs = workers
        self._with_packages: dict[str, Pool] = {}
        super().__init__(workers=workers, isolation=isolation)

    def close(self) -> None:
        """End every process of all pools."""
        super().close()
        for pool in self._with_packages.values():
            pool.close()

    def run(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """Yield one result per job, in no order."""
        others: list[Job] = []
        packed: dict[str, list[Job]] = defaultdict(list)
        yield from super().run(_plain_jobs(jobs, packed, others))
        for packages, some in packed.items():
            yield from self._pool_with(packages).run(some)
        yield from Programs(self._n_programs, self.isolation).run(others)

    def _pool_with(self, packages: str) -> Pool:
        if packages not in self._with_packages:
            self._with_packages[packages] = Pool(
                workers=self._n_programs, isolation=self.isolation, packages=packages
            )
        return self._with_packages[packages]


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


def _plain_jobs(
    jobs: Iterable[Job], packed: dict[str, list[Job]], others: list[Job]
) -> Iterator[Job]:
    for job in jobs:
        if job.suite.language != PYTHON:
            others.append(job)
        elif job.suite.packages:
            packed[job.suite.packages].append(job)
        else:
            yield job
