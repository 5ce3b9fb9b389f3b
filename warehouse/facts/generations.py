"""Generations that are stored, and the language models and endpoints that gave them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from warehouse.facts.query import column_of, mapping_of, rows_of


@dataclass(frozen=True)
class StoredAnswer:
    """A whole answer as a backend gave it; tokens are None where none were kept."""

    generation_id: str
    text: str
    finish_reason: str | None
    n_prompt_tokens: int | None
    n_completion_tokens: int | None
    latency_s: float | None
    tokens: list[str] | None
    logprobs: list[float] | None
    top_tokens: list[list[str] | None] | None
    top_logprobs: list[list[float] | None] | None
    cumulative_logprob: float | None


@dataclass(frozen=True)
class CodeDescription:
    """What a language model says of the code of a problem, or of the hole of a variant."""

    generation_id: str
    problem_id: str
    variant_id: str
    sample_index: int
    kept_text: str


@dataclass(frozen=True)
class ChainAnswer:
    """An answer that later requests about the same sample show, and the answer it speaks of."""

    generation_id: str
    problem_id: str
    sample_index: int
    parent_generation_id: str | None
    kept_text: str


@dataclass(frozen=True)
class Conflict:
    """A sample that is known with another text or another rule; ``n`` is its place."""

    n: int
    sample_index: int
    has_other_text: bool
    kept_rule: str


@dataclass(frozen=True)
class SampleBlock:
    """The newest block of samples, counted from 0, and whether the run that drew it ended well."""

    block: int
    is_complete: bool


def language_models(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of all language models."""
    return column_of(con, "generations/language_models")


def is_simulated(con: duckdb.DuckDBPyConnection, lm_id: str) -> bool | None:
    """Return whether a language model is simulated; None where it is not known."""
    return next(iter(column_of(con, "generations/simulated", lm_id=lm_id)), None)


def generation_ids(con: duckdb.DuckDBPyConnection, lm_id: str, setting_id: str) -> list[str]:
    """Return the generations of a language model under a setting."""
    return column_of(con, "generations/of_setting", lm_id=lm_id, setting_id=setting_id)


def descriptions(
    con: duckdb.DuckDBPyConnection, dataset: str, lm: str, task: str
) -> list[CodeDescription]:
    """Return what a language model said, when given a task, of the newest release of a dataset."""
    return rows_of(
        con, "generations/descriptions", CodeDescription, dataset=dataset, lm=lm, task=task
    )


def chain_answers(
    con: duckdb.DuckDBPyConnection, *, dataset: str, lm_id: str, setting_id: str, n: int
) -> list[ChainAnswer]:
    """Return what was answered under a setting about the first n samples of each problem.

    Problems are those of the dataset's newest release.
    """
    asked = {"dataset": dataset, "lm_id": lm_id, "setting_id": setting_id, "n": n}
    return rows_of(con, "generations/chain_answers", ChainAnswer, **asked)


def stored_answers(
    con: duckdb.DuckDBPyConnection, generation_ids: Sequence[str]
) -> list[StoredAnswer]:
    """Return the named generations as their backend gave them."""
    return rows_of(
        con, "generations/stored_answers", StoredAnswer, generation_ids=list(generation_ids)
    )


def first_conflict(
    con: duckdb.DuckDBPyConnection, kept_rule: str, incoming: Any
) -> Conflict | None:
    """Return the first sample of an Arrow table that is known with another text or rule.

    The table holds ``generation_id``, ``text_key`` and ``n``, the place of the sample.
    """
    con.register("incoming", incoming)
    found = rows_of(con, "generations/conflicts", Conflict, kept_rule=kept_rule)
    return found[0] if found else None


def newest_block(
    con: duckdb.DuckDBPyConnection, *, dataset: str, lm_id: str, setting_id: str, n: int
) -> SampleBlock | None:
    """Return the newest block of n samples per problem of a dataset; None without a sample."""
    asked = {"dataset": dataset, "lm_id": lm_id, "setting_id": setting_id, "n": n}
    return next(iter(rows_of(con, "generations/newest_block", SampleBlock, **asked)), None)


def has_generations(con: duckdb.DuckDBPyConnection, lm_id: str) -> bool:
    """Return whether a language model has any generation."""
    return bool(column_of(con, "generations/any", lm_id=lm_id))


def endpoint_capabilities(
    con: duckdb.DuckDBPyConnection, endpoint_id: str
) -> dict[str, bool | None]:
    """Return what the last probe of an endpoint found, by capability."""
    return mapping_of(con, "generations/endpoint_capabilities", endpoint_id=endpoint_id)
