"""CodeT files: one line per problem, ``prompt`` and its list of ``samples``.

The prompts have lost their docstring examples, so a line names no task: the file that pairs
``task_id`` with ``prompt`` (CodeT's ``HumanEval_for_code_generation.jsonl``) joins them.
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.fields import Fields
from ingest.files import json_lines
from ingest.samples import Sample


def read(path: Path) -> Iterator[Sample]:
    """Yield the samples of each line in order, each a completion of the line's prompt."""
    for row, values in json_lines(path):
        line = Fields(values, path, row)
        prompt = line.text("prompt")
        samples = line.required("samples")
        if not isinstance(samples, list):
            raise line.bad("the field 'samples' is not a list")
        reasons = values.get("finish_reason")
        if reasons is not None and (not isinstance(reasons, list) or len(reasons) != len(samples)):
            raise line.bad("the field 'finish_reason' is not a list as long as 'samples'")
        for index, text in enumerate(samples):
            yield Sample(
                row=row,
                prompt=prompt,
                sample_index=index,
                text=line.check_text(text, f"samples[{index}]"),
                finish_reason=reasons[index] if reasons else None,
            )
