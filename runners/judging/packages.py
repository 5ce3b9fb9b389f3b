"""The packages that problems need: locked for each release, and unpacked before they are judged.

A release has one environment, with all packages that its problems need, which a row pins. It is
locked again for another version of Python, and to try again what could not be fetched. The
admission of a problem has the id of the environment. Only admissions under the newest environment
count, so verdicts of two environments are never confused. A package that cannot be fetched costs
the problems that need it, and no others.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from models.base import Row
from models.keys import content_key
from models.tables import DatasetEnvironment, ProjectEnvironment
from runners.judging.conditions import Conditions
from runners.judging.environments.folders import folder_of
from runners.judging.environments.locks import (
    IndexOutOfReach,
    Lock,
    PartialLock,
    interpreter_tag,
    partial_lock_of,
)
from warehouse import settings
from warehouse.errors import AssayError
from warehouse.facts.judging import StoredEnvironment, newest_environments, package_needs
from warehouse.store.connection import reading
from warehouse.store.runs import recorded

Needs = Mapping[str, set[str]]
"""Packages by problem_id."""


@dataclass
class Environments:
    """Where the packages of problems are, all by problem_id; most problems need none.

    ``ids`` name the environments, ``folders`` lie on this machine. ``missing`` says why a package
    cannot be fetched, ``waiting`` why the whole environment is not here now. ``not_judged`` has a
    line for each dataset whose problems wait. ``again``: what could not be fetched is tried again.
    """

    how: Conditions = field(default_factory=Conditions)
    again: bool = False
    ids: dict[str, str] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)
    not_judged: list[str] = field(default_factory=list)
    _settled: set[str] = field(default_factory=set)

    def settle(self, problem_ids: Sequence[str]) -> None:
        """Find the environments of stored problems; lock those of releases that have none yet."""
        if not problem_ids:
            return
        releases: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        with reading() as con:
            for need in package_needs(con, problem_ids):
                if need.release_id not in self._settled:
                    releases[need.release_id, need.dataset][need.problem_id].add(need.package)
            known = newest_environments(con, [release_id for release_id, _ in releases])
        for (release_id, dataset), needs in releases.items():
            self._settled.add(release_id)
            try:
                self.add(needs, self._pinned(release_id, needs, known.get(release_id)))
            except AssayError as error:
                said = self.wait(needs, error)
                line = f"{dataset}: packages that {len(needs)} problems need are not here: {said}"
                self.not_judged.append(line)

    def add(self, needs: Needs, found: PartialLock) -> None:
        """Add the problems of one dataset, and unpack what they need.

        Raises AssayError where a wheel cannot be fetched or unpacked.
        """
        folder = str(folder_of(found.lock)) if found.lock.packages else ""
        for problem_id, packages in needs.items():
            self.ids[problem_id] = environment_id(found.lock)
            lacking = sorted(packages & found.missing.keys())
            if lacking:
                reason = f"{lacking[0]}, which cannot be fetched ({found.missing[lacking[0]]})"
                self.missing[problem_id] = f"it needs {reason}"
            else:
                self.folders[problem_id] = folder

    def wait(self, needs: Needs, error: AssayError) -> str:
        """Note that the packages of some problems are not here; return the reason."""
        said = str(error).replace(str(settings.home()), "(home)")
        self.waiting |= dict.fromkeys(needs, f"its packages are not here: {said}")
        return said

    def _pinned(
        self, release_id: str, needs: Needs, known: StoredEnvironment | None
    ) -> PartialLock:
        """Return the lock that is stored of a release, or lock its packages now and store that."""
        stored = None
        if known is not None and known.python == interpreter_tag():
            stored = PartialLock(Lock(known.lock), json.loads(known.missing))
            if not (self.again and stored.missing):
                return stored
        try:
            found = partial_lock_of(packages_of(needs))
        except IndexOutOfReach:
            if stored is None:
                raise
            return stored
        if found != stored:
            with recorded("lock", settings=self.how.settings) as run:
                run.append(_rows(release_id, found, run.run_id))
        return found


def environment_id(lock: Lock) -> str:
    """Return the key of a lock in raw.project_environment."""
    return content_key(lock.sha256)


def packages_of(needs: Needs) -> list[str]:
    """Return all packages of some problems, sorted."""
    return sorted(set().union(*needs.values()))


def _rows(release_id: str, found: PartialLock, run_id: str) -> Iterator[Row]:
    yield ProjectEnvironment(
        environment_id=environment_id(found.lock),
        python=interpreter_tag(),
        n_packages=len(found.lock.packages),
        lock=found.lock.text,
        run_id=run_id,
    )
    yield DatasetEnvironment(
        dataset_environment_id=content_key(release_id, run_id),
        release_id=release_id,
        environment_id=environment_id(found.lock),
        missing=json.dumps(found.missing, sort_keys=True),
        run_id=run_id,
    )
