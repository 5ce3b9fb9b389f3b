"""CodeT files: one line per problem, ``prompt`` and its list of ``samples``.

The prompts have lost their docstring examples, so a line names no task: the file that pairs
``task_id`` with ``prompt`` (CodeT's ``HumanEval_for_code_generation.jsonl``) joins them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.fields import Fields, json_objects
from ingest.imports.layout import JSON_LINES, Field, FileLayout, ImportFormat
from ingest.samples import Sample

LAYOUT = FileLayout(
    file=JSON_LINES + " One line per prompt. `--prompts FILE` names JSON Lines of `task_id` and "
    "`prompt`, both required, that say which task a prompt belongs to.",
    fields=(
        Field("prompt", "text", "The prompt, which names the task.", required=True),
        Field("samples", "list of texts", "Completions of the prompt.", required=True),
        Field(
            "finish_reason",
            "list of texts",
            "Why each sample ended, as many as there are samples; an entry may be null.",
        ),
    ),
    example=[
        {
            "prompt": "def ski_runs(heights):\n",
            "samples": ["    return 0\n", "    return 1\n"],
            "finish_reason": ["stop", None],
        }
    ],
    pairs=({"task_id": "starter/ski_runs", "prompt": "def ski_runs(heights):\n"},),
)


def read(path: Path) -> Iterator[Sample]:
    """Yield the samples of each line in order, each a completion of the line's prompt."""
    for line in json_objects(path):
        prompt = line.text("prompt")
        samples = line.required("samples")
        if not isinstance(samples, list):
            raise line.bad("the field 'samples' is not a list")
        reasons = line.values.get("finish_reason")
        if reasons is not None and (not isinstance(reasons, list) or len(reasons) != len(samples)):
            raise line.bad("the field 'finish_reason' is not a list as long as 'samples'")
        for index, text in enumerate(samples):
            yield Sample(
                row=line.row,
                prompt=prompt,
                sample_index=index,
                text=line.check_sample_text(text, f"samples[{index}]"),
                finish_reason=_reason(line, reasons, index),
            )


def _reason(line: Fields, reasons: list[Any] | None, index: int) -> str | None:
    if not reasons or reasons[index] is None:
        return None
    return line.check_text(reasons[index], f"finish_reason[{index}]")


FORMAT = ImportFormat(__doc__, LAYOUT, read)
