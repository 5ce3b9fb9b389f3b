"""Keys of the rows that several rooms make, so that equal things meet under one key."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

from models.keys import content_key
from models.tables import Setting


def variant_id(problem_id: str, kind: str, prompt: str) -> str:
    """Return the key of one form of a problem."""
    return content_key(problem_id, kind, prompt)


def lm_id(lm: str, revision: str) -> str:
    """Return the key of a language model."""
    return content_key(lm, revision)


@dataclass(frozen=True)
class SettingValues:
    """One way of asking a language model; temperature 1 and 1.0 are one setting."""

    task: str
    style: str
    prompt_kind: str = "original"
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    stop: Sequence[str] = ()
    seed: int | None = None
    resampled: bool = False
    label: str = ""

    @cached_property
    def setting_id(self) -> str:
        """The key of this way of asking."""
        return content_key(
            self.task,
            self.style,
            self.prompt_kind,
            None if self.temperature is None else float(self.temperature),
            None if self.top_p is None else float(self.top_p),
            self.max_tokens,
            json.dumps(list(self.stop)),
            self.seed,
            self.resampled,
            self.label,
        )

    def row(self, run_id: str = "") -> Setting:
        """Return the row of this way of asking."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["stop"] = json.dumps(list(self.stop))
        return Setting(setting_id=self.setting_id, run_id=run_id, **values)


def generation_id(
    lm: str, variant: str, setting: str, sample_index: int, parent: str | None = None
) -> str:
    """Return the key of one generation from the keys of what produced it."""
    return content_key(lm, variant, setting, sample_index, parent)


def rating_id(scorer_id: str, first: str, second: str, vote: int, rater: str | None) -> str:
    """Return the key of the rating of two candidates in an order."""
    return content_key(scorer_id, first, second, vote, rater)
