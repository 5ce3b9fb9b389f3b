"""The generic format: JSON Lines (packed with gzip or not), one object per generation.

``LAYOUT`` has its fields. Any other field is refused, so that a misspelt name is not lost.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.fields import Fields, json_objects, unkept_reason
from ingest.imports.layout import JSON_LINES, TASK, Field, FileLayout, ImportFormat
from ingest.samples import Sample
from ingest.tokens import Alternatives, log_probabilities, log_probability
from models.words import Style

LAYOUT = FileLayout(
    file=JSON_LINES + " One line per generation. In an optional field, null means unknown, as if "
    "the field were missing.",
    fields=(
        TASK,
        Field(
            "text",
            "text",
            "What the language model returned.",
            required=True,
        ),
        Field(
            "style",
            "text",
            "`completion` continues the prompt (the default), `solution` is a whole program.",
        ),
        Field("prompt", "text", "The prompt it answers, where it is not the dataset's own."),
        Field(
            "sample_index",
            "whole number",
            "From 0; without it the samples of a task count up in the order of the file.",
        ),
        Field("finish_reason", "text", "`stop`, `length`, ..."),
        Field("n_prompt_tokens", "whole number", "Tokens of the prompt."),
        Field("n_completion_tokens", "whole number", "Tokens of the answer."),
        Field("latency_s", "number", "Seconds, from 0."),
        Field("cost_usd", "number", "US dollars, from 0."),
        Field(
            "claimed_pass",
            "true or false",
            "The maker's verdict: kept as a claim, never counted as an outcome.",
        ),
        Field(
            "tokens",
            "list of texts",
            "The tokens; they spell `text`, perhaps followed by a stop string and an end-of-text "
            "token. They come with `logprobs`.",
        ),
        Field("logprobs", "list of numbers", "Natural logarithms, at most 0, as many as `tokens`."),
        Field(
            "top_logprobs",
            "list of lists",
            "As long as `tokens`: each entry a list of `[token, logprob]`, or null.",
        ),
        Field("cumulative_logprob", "number", "The sum as the server gave it."),
    ),
    example=[
        {"task_id": "starter/ski_runs", "text": "    return 0\n"},
        {
            "task_id": "starter/tide_marks",
            "text": "    return []\n",
            "style": "completion",
            "prompt": "def tide_marks(levels):\n",
            "sample_index": 0,
            "finish_reason": "stop",
            "n_prompt_tokens": 90,
            "n_completion_tokens": 2,
            "latency_s": 0.25,
            "cost_usd": 0.0001,
            "claimed_pass": False,
            "tokens": ["    return", " []\n"],
            "logprobs": [-0.25, -0.5],
            "top_logprobs": [[["    return", -0.25], [" ", -2.5]], None],
            "cumulative_logprob": -0.75,
        },
    ],
    others="Any other field is refused, so that a misspelt name is not lost.",
)

KNOWN = {field.name for field in LAYOUT.fields}


def read(path: Path) -> Iterator[Sample]:
    """Yield one sample per line."""
    for line in json_objects(path):
        if not line.values.keys() <= KNOWN:
            raise line.bad(f"unknown field {sorted(line.values.keys() - KNOWN)[0]!r}")
        text = line.sample_text("text")
        tokens, logprobs, alternatives = (
            _tokens(line) if unkept_reason(text) is None else (None, None, None)
        )
        yield Sample(
            row=line.row,
            task_id=line.text("task_id"),
            text=text,
            style=_style(line),
            prompt=line.optional_text("prompt"),
            sample_index=line.optional_count("sample_index"),
            finish_reason=line.optional_text("finish_reason"),
            n_prompt_tokens=line.optional_count("n_prompt_tokens"),
            n_completion_tokens=line.optional_count("n_completion_tokens"),
            latency_s=line.optional_amount("latency_s"),
            cost_usd=line.optional_amount("cost_usd"),
            claimed_pass=line.optional_flag("claimed_pass"),
            tokens=tokens,
            logprobs=logprobs,
            top_logprobs=alternatives,
            cumulative_logprob=line.optional_number("cumulative_logprob"),
        )


def _style(line: Fields) -> Style:
    style = line.optional_text("style") or Style.COMPLETION
    try:
        return Style(style)
    except ValueError:
        names = " nor ".join(Style)
        raise line.bad(f"the style {style!r} is neither {names}") from None


def _tokens(
    line: Fields,
) -> tuple[tuple[str, ...] | None, tuple[float, ...] | None, Alternatives | None]:
    given = [line.values.get(name) is not None for name in ("tokens", "logprobs")]
    if not any(given):
        return None, None, _alternatives(line, None)
    if not all(given):
        raise line.bad("give both 'tokens' and 'logprobs', or neither")
    tokens = line.texts("tokens")
    logprobs = log_probabilities(line, line.values["logprobs"], "logprobs")
    if len(tokens) != len(logprobs):
        raise line.bad(f"there are {len(tokens)} tokens and {len(logprobs)} log-probabilities")
    alternatives = _alternatives(line, tokens)
    return (tuple(tokens), logprobs, alternatives) if tokens else (None, None, alternatives)


def _alternatives(line: Fields, tokens: list[str] | None) -> Alternatives | None:
    values = line.values.get("top_logprobs")
    if values is None:
        return None
    if not isinstance(values, list) or len(values) != len(tokens or ()):
        raise line.bad("the field 'top_logprobs' is not a list as long as 'tokens'")
    return [
        None if value is None else _best_first(line, value, n) for n, value in enumerate(values)
    ]


def _best_first(line: Fields, value: Any, n: int) -> list[tuple[str, float]]:
    if not isinstance(value, list):
        raise line.bad(f"top_logprobs[{n}] is not a list")
    return sorted((_alternative(line, entry, n) for entry in value), key=lambda entry: -entry[1])


def _alternative(line: Fields, entry: Any, n: int) -> tuple[str, float]:
    name = f"top_logprobs[{n}]"
    if not isinstance(entry, list) or len(entry) != 2:
        raise line.bad(f"{name} has an entry that is not [token, logprob]")
    return line.check_text(entry[0], name), log_probability(line, entry[1], name)


FORMAT = ImportFormat(__doc__, LAYOUT, read)
