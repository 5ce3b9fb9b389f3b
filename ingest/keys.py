"""Keys of the rows that several rooms make, so that equal things meet under one key."""

import json
from collections.abc import Sequence

from models.keys import content_key


def variant_id(problem_id: str, kind: str, prompt: str) -> str:
    """Return the key of one form of a problem."""
    return content_key(problem_id, kind, prompt)


def lm_id(lm: str, revision: str) -> str:
    """Return the key of a language model."""
    return content_key(lm, revision)


def setting_id(
    *,
    task: str,
    style: str,
    prompt_kind: str,
    temperature: float | None,
    top_p: float | None,
    max_tokens: int | None,
    stop: Sequence[str],
    seed: int | None,
    resampled: bool,
    label: str,
) -> str:
    """Return the key of a way of asking; temperature 1 and 1.0 are one setting."""
    return content_key(
        task,
        style,
        prompt_kind,
        None if temperature is None else float(temperature),
        None if top_p is None else float(top_p),
        max_tokens,
        json.dumps(list(stop)),
        seed,
        resampled,
        label,
    )


def generation_id(
    lm: str, variant: str, setting: str, sample_index: int, parent: str | None = None
) -> str:
    """Return the key of one generation from the keys of what produced it."""
    return content_key(lm, variant, setting, sample_index, parent)
