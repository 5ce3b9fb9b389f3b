"""The projects whose programs are to be judged: each is looked up once, or has a reason why not.

A project that cannot be judged does not stop the others.
"""

import shlex
from collections.abc import Callable, Collection

from ingest.problems.project_kinds import made_of
from ingest.projects.project import project_again
from runners.projects.passed_suite import PassedSuite, stored_suite
from warehouse.errors import AssayError, BadInput, CheckFailed, Locked
from warehouse.facts.projects import StoredRelease, stored_releases
from warehouse.store.connection import reading


class PassedSuites:
    """Some releases of projects; ``not_judged`` has a line for each that cannot judge."""

    def __init__(self, release_ids: Collection[str]):
        self.not_judged: dict[str, str] = {}
        self._found: dict[str, PassedSuite] = {}
        self._releases: dict[str, StoredRelease] = {}
        if release_ids:
            with reading() as con:
                self._releases = stored_releases(con, release_ids)

    def name(self, release_id: str) -> str:
        """Return the name and version of a release."""
        release = self._releases[release_id]
        return f"{release.project} {release.version}"

    def tried(self, release_id: str, work: Callable[[PassedSuite], None]) -> None:
        """Call ``work`` with a release's suite, or note why that is impossible.

        Errors of the warehouse are raised.
        """
        if release_id in self.not_judged:
            return
        try:
            if release_id not in self._found:
                self._found[release_id] = _suite(self._releases[release_id])
            work(self._found[release_id])
        except (Locked, CheckFailed):
            raise
        except AssayError as error:
            named, reason = self.name(release_id), str(error)
            self.not_judged[release_id] = (
                reason if reason.startswith(named) else f"{named}: {reason}"
            )


def _suite(release: StoredRelease) -> PassedSuite:
    project = project_again(release)
    if project.release_id != release.project_release_id:
        named = f"{release.project} {release.version}"
        raise BadInput(f"{named}: its archive now states another name or version: ingest it again")
    return stored_suite(project)


def require_same_tests(suite: PassedSuite, dataset: str, tests_key: str) -> None:
    """Raise BadInput where problems were made with other usable tests than there are now."""
    if suite.tests_key != tests_key:
        project, holds = made_of(dataset)
        wanted = shlex.quote(suite.project.wanted or project)
        raise BadInput(
            f"the problems of {dataset} were made when other tests were usable: run "
            f"`assay ingest {holds} {wanted}`, then `assay generate` again"
        )
