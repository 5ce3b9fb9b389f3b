"""Names of datasets: those of the list, and those of files of users, which the warehouse knows.

Only the commands that are given another name load the database.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from ingest.datasets import DATASETS
from warehouse import settings
from warehouse.parameters import Choice

_expected: ContextVar[frozenset[str]] = ContextVar("expected", default=frozenset())


@dataclass(frozen=True)
class ListedOrOwn(Choice):
    """A dataset of the list, or of a user's file: ingested, or expected.

    ``claimed``: one of which there are claims alone fits too.
    """

    claimed: bool = False

    def __call__(self, value: Any) -> str:
        """Return what is wrong with a name."""
        name = str(value)
        if name in DATASETS or name in _expected.get():
            return ""
        known = dict.fromkeys([*self.listed, *_stored_names(self.claimed)])
        return Choice(known, self.noun)(value)


@contextmanager
def expecting(datasets: Iterable[str]) -> Iterator[None]:
    """Let specs name datasets that are not ingested yet: a night or a journey will do so first."""
    token = _expected.set(frozenset(datasets))
    try:
        yield
    finally:
        _expected.reset(token)


def _stored_names(claimed: bool) -> list[str]:
    if not settings.warehouse_path().exists():
        return []
    from warehouse.facts.claims import claimed_datasets
    from warehouse.facts.problems import ingested_datasets
    from warehouse.store.connection import bring_up_to_date, reading

    bring_up_to_date()
    with reading() as con:
        return ingested_datasets(con) + (claimed_datasets(con) if claimed else [])
