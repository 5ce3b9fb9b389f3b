"""Results that others claim, as they are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import duckdb

from warehouse.facts.query import column_of, rows_of


@dataclass(frozen=True)
class JudgedSample:
    """A sample with our verdict: its program, the prompt it answers, and what is right."""

    task_id: str
    sample_index: int
    prompt: str
    reference: str
    kept_text: str
    program: str
    verdict: str
    n_prompt_tokens: int | None
    n_completion_tokens: int | None


@dataclass(frozen=True)
class JudgedEntry:
    """A way of asking a language model with judged samples, and its pass@1."""

    revision: str
    setting_id: str
    setting: str
    release_id: str
    dataset_version: str
    judged_at: datetime
    pass_at_1: float | None
    pass_at_1_lo: float | None
    pass_at_1_hi: float | None
    n_problems: int


@dataclass(frozen=True)
class JudgedSamples(JudgedEntry):
    """Such a way with its samples, and what they are of."""

    lm: str
    dataset: str
    samples: Sequence[JudgedSample]


@dataclass(frozen=True)
class ClaimFileRow:
    """A file of claims that is stored, with one of its records; neither where it has none."""

    sha256: str
    name: str
    about: str
    place: str | None
    record: str | None


@dataclass(frozen=True)
class Contradiction:
    """A claim that is known with another result; ``n`` is its place among the new ones."""

    n: int
    place: str
    name: str


def first_contradiction(con: duckdb.DuckDBPyConnection, incoming: Any) -> Contradiction | None:
    """Return the first claim of an Arrow table, with its number ``n``, that contradicts a row."""
    con.register("incoming", incoming)
    found = rows_of(con, "claims/contradictions", Contradiction)
    return found[0] if found else None


def has_verdicts(con: duckdb.DuckDBPyConnection) -> bool:
    """Say whether the views are built that ``judged_entries`` reads."""
    return len(column_of(con, "claims/views_built")) == 2


def judged_entries(
    con: duckdb.DuckDBPyConnection, lm: str, revision: str | None, dataset: str
) -> list[JudgedEntry]:
    """Return the ways of asking a language model with verdicts on the newest release."""
    return rows_of(
        con, "claims/judged_entries", JudgedEntry, lm=lm, revision=revision, dataset=dataset
    )


def judged_samples(
    con: duckdb.DuckDBPyConnection, lm: str, entry: JudgedEntry
) -> list[JudgedSample]:
    """Return the judged samples of an entry, in the order of the release."""
    return rows_of(
        con,
        "claims/judged_samples",
        JudgedSample,
        lm=lm,
        revision=entry.revision,
        setting_id=entry.setting_id,
        release_id=entry.release_id,
    )


def stored_claims(
    con: duckdb.DuckDBPyConnection, name: str, lm: str, revision: str | None, dataset: str | None
) -> list[ClaimFileRow]:
    """Return the files of a format about a language model, record by record.

    ``dataset``: their records that are about this one.
    """
    asked = {"format": name, "lm": lm, "revision": revision, "dataset": dataset}
    return rows_of(con, "claims/records", ClaimFileRow, **asked)


def claimed_language_models(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of all language models of which somebody claims results."""
    return column_of(con, "claims/language_models")


def claimed_datasets(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of all datasets of which somebody claims results."""
    return column_of(con, "claims/datasets")
