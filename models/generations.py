"""Tables of generations, and of results that others claim.

Texts, tokens and records of files are in tables beside the narrow fact tables.
"""

from sqlalchemy import ARRAY, Boolean, Column, Double, String
from sqlmodel import Field

from models.base import Row


class Generation(Row, table=True):
    """One row per generation: language model, variant, setting and sample index."""

    generation_id: str = Field(
        primary_key=True, description="Hash of lm_id, variant_id, setting_id, sample_index, parent."
    )
    lm_id: str = Field(description="The language model.")
    problem_id: str = Field(description="The problem.")
    variant_id: str = Field(description="The prompt it answers.")
    setting_id: str = Field(description="How it was sampled.")
    sample_index: int = Field(description="From 0.")
    parent_generation_id: str | None = Field(description="The generation it speaks of.")
    source: str = Field(description="The backend or import format that brought it.")
    text_key: str = Field(description="Hash of the raw text: two texts under one key conflict.")
    finish_reason: str | None = Field(description="stop, length, ...; NULL when unknown.")
    n_prompt_tokens: int | None = Field(description="NULL when unknown.")
    n_completion_tokens: int | None = Field(description="NULL when unknown.")
    latency_s: float | None = Field(description="Seconds; NULL when unknown.")
    cost_usd: float | None = Field(description="NULL when unknown.")
    claimed_pass: bool | None = Field(description="The verdict an import file claims, if any.")
    run_id: str = Field(description="The run that brought it.")


class GenerationText(Row, table=True):
    """One row per generation: its text, raw and as kept after truncation."""

    generation_id: str = Field(primary_key=True, description="The generation.")
    raw_text: str = Field(description="What the language model returned.")
    kept_text: str = Field(description="What was kept of it.")
    kept_rule: str = Field(description="The rule that kept it, such as whole or function_end_v2.")
    run_id: str = Field(description="The run that brought it.")


class TokenLogprob(Row, table=True):
    """One row per generation with log-probabilities: parallel lists, one entry per token."""

    generation_id: str = Field(primary_key=True, description="The generation.")
    tokens: list[str] = Field(
        sa_column=Column(ARRAY(String), nullable=False), description="Token texts, in order."
    )
    logprobs: list[float] = Field(
        sa_column=Column(ARRAY(Double), nullable=False), description="Natural logarithms."
    )
    kept: list[bool] = Field(
        sa_column=Column(ARRAY(Boolean), nullable=False),
        description="Whether the token has a character inside the kept text.",
    )
    top_logprobs: list[list[float] | None] | None = Field(
        sa_column=Column(ARRAY(Double, dimensions=2), nullable=True),
        description="Per token, the log-probabilities of top_tokens, in the same order.",
    )
    cumulative_logprob: float | None = Field(description="The sum as the server gave it.")
    run_id: str = Field(description="The run that brought it.")
    top_tokens: list[list[str] | None] | None = Field(
        sa_column=Column(ARRAY(String, dimensions=2), nullable=True),
        description=(
            "Per token, the likeliest tokens in its place, best first; NULL where none were "
            "reported, for a position or for all."
        ),
    )


class ClaimSource(Row, table=True):
    """One row per claimant, language model, dataset and label: who claims results about what."""

    claim_source_id: str = Field(
        primary_key=True,
        description="Hash of format, claimant, its version, language model, dataset and label.",
    )
    format: str = Field(description="The format of the files it came in, such as evalplus.")
    claimant: str = Field(description="Who claims: a harness, or a name that was given.")
    claimant_version: str = Field(description="Its version; empty when unknown.")
    lm_id: str = Field(description="The language model; it need not have generations here.")
    lm: str = Field(description="Its name.")
    revision: str = Field(description="Its revision or date; empty when unknown.")
    dataset: str = Field(description="The dataset; it need not be ingested.")
    label: str = Field(description="Free text that tells two sources apart.")
    run_id: str = Field(description="The run that brought it.")


class ClaimFile(Row, table=True):
    """One row per source and file: the file, and what it says beside its results."""

    claim_file_id: str = Field(primary_key=True, description="Hash of source and checksum.")
    claim_source_id: str = Field(description="The source.")
    name: str = Field(description="Name of the file or folder.")
    sha256: str = Field(description="Its checksum.")
    about: str = Field(description="JSON: what the file says beside its results, such as settings.")
    run_id: str = Field(description="The run that brought it.")


class Claim(Row, table=True):
    """One row per source, task, sample and metric: a result that others claim. No verdict."""

    claim_id: str = Field(
        primary_key=True, description="Hash of source, task, sample index and metric."
    )
    claim_source_id: str = Field(description="The source.")
    claim_file_id: str = Field(description="The file that brought it first.")
    position: int = Field(description="Order within the file, from 0.")
    place: str = Field(description="Where in the file: a line, or the name of an entry.")
    task_id: str | None = Field(description="The task; NULL for a number over a whole dataset.")
    sample_index: int | None = Field(description="From 0; NULL for a number over a whole dataset.")
    metric: str = Field(description="The name of what was measured, such as passed or plus.")
    passed: bool | None = Field(description="The claimed verdict; NULL when there is none.")
    confidence: float | None = Field(description="How sure the model was, in [0, 1], if claimed.")
    score: float | None = Field(description="The claimed number, if any.")
    status: str | None = Field(description="The claimant's own word for the result, if any.")
    text_key: str | None = Field(description="Hash of the sample's text; NULL without the text.")
    run_id: str = Field(description="The run that brought it.")


class ClaimRecord(Row, table=True):
    """One row per claim that its file has a record of: the record as it was."""

    claim_id: str = Field(primary_key=True, description="The claim.")
    record: str = Field(description="JSON: the record of the file, for exports in its format.")
    run_id: str = Field(description="The run that brought it.")
