"""Reflection: a language model is asked how likely its answer is to be correct."""

from collections.abc import Callable
from dataclasses import dataclass

from ingest.answers.truncate import RULES
from models.keys import content_key
from models.tables import ReflectionReading
from models.words import VERBALIZED_CALLS
from runners.drawing.backends.base import Completion
from runners.drawing.draw import Reading
from runners.tasks.readers import READERS

TASK = "reflection"


@dataclass(frozen=True)
class ReflectionForm:
    """How a template is asked: at most ``n_calls`` times, until a reply can be read.

    ``planted`` names the form of a planted model's reply.
    """

    kind: str
    planted: str
    temperature: float
    max_tokens: int
    n_calls: int
    n_top_logprobs: int | None


WAYS: dict[str, ReflectionForm] = {
    # Spiess et al. 2024, appendix: temperature 1, and up to 3 more calls while none can be read
    "verbalized_v1": ReflectionForm("verbalized", "percentage", 1.0, 64, VERBALIZED_CALLS, None),
    "verbalized_v2": ReflectionForm("verbalized", "percentage", 1.0, 256, VERBALIZED_CALLS, None),
    # section 3.1.2: the five likeliest of the first two tokens, and of the model's own choice
    "ask_tf_v1": ReflectionForm("ask_tf", "true_or_false", 0.0, 2, 1, 5),
}
"""Reflections by template."""


def reader(template: str) -> Callable[[Completion], Reading]:
    """Return what keeps a reply whole, and reads the probability that it states."""

    def read(completion: Completion) -> Reading:
        kept = RULES["whole"](completion.text, ())
        if template not in READERS:
            return Reading(kept, "whole")
        row = reading_row(completion.request.generation_id, template, completion.text)
        if row.null_reason is None:
            return Reading(kept, "whole", rows=(row,))
        detail = f"no probability in {completion.text[:200]!r}"
        return Reading(kept, "whole", ((row.null_reason, detail),), (row,))

    return read


def reading_row(generation_id: str, reader: str, reply: str, run_id: str = "") -> ReflectionReading:
    """Return the row of what a reply states, or why nothing can be read."""
    found = READERS[reader](reply)
    return ReflectionReading(
        reading_id=content_key(generation_id, reader),
        generation_id=generation_id,
        reader=reader,
        value=found.value,
        rule=found.rule,
        null_reason=found.null_reason,
        run_id=run_id,
    )
