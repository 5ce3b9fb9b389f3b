"""What an import format hands to the importer: one sample of one language model."""

from dataclasses import dataclass

from ingest.tokens import Alternatives
from models.words import Style


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One generated text and what its file says of it; None is unknown.

    ``text`` may be one that no row can hold: ``ingest.imports.sample_rows`` sees to it. The task is
    named by ``task_id``, by ``prompt`` or by ``position`` in the dataset. Without a
    ``sample_index`` the samples of a task count up in the order of the file. ``canonical_imports``
    are those of the file's own solution, for the rule that puts them before the text.
    """

    row: int | str
    text: str
    style: Style = Style.COMPLETION
    task_id: str | None = None
    prompt: str | None = None
    position: int | None = None
    sample_index: int | None = None
    finish_reason: str | None = None
    n_prompt_tokens: int | None = None
    n_completion_tokens: int | None = None
    latency_s: float | None = None
    cost_usd: float | None = None
    claimed_pass: bool | None = None
    tokens: tuple[str, ...] | None = None
    logprobs: tuple[float, ...] | None = None
    top_logprobs: Alternatives | None = None
    cumulative_logprob: float | None = None
    canonical_imports: str | None = None
