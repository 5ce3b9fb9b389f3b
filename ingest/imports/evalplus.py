"""EvalPlus samples: JSON Lines of ``task_id`` with ``solution`` or ``completion``, or a folder.

In a folder each task has its own (``HumanEval_0``), holding whole programs ``0.py``, ``1.py``, ...
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.fields import Fields
from ingest.files import json_lines, utf8_text
from ingest.samples import Sample, Style
from warehouse.errors import BadInput


def read(path: Path) -> Iterator[Sample]:
    """Yield the samples of a file in its order, or of a folder in the order of their numbers."""
    return _folder(path) if path.is_dir() else _file(path)


def _file(path: Path) -> Iterator[Sample]:
    for row, values in json_lines(path):
        line = Fields(values, path, row)
        name: Style = "solution" if "solution" in values else "completion"
        if name not in values:
            raise line.bad("needs the field 'solution' or 'completion'")
        yield Sample(row=row, task_id=line.text("task_id"), text=line.text(name), style=name)


def _folder(path: Path) -> Iterator[Sample]:
    for task in sorted(entry for entry in path.iterdir() if entry.is_dir()):
        for file in sorted(task.glob("*.py"), key=lambda file: (len(file.stem), file.stem)):
            place = Fields({}, path, f"{task.name}/{file.name}")
            if not file.stem.isdecimal():
                raise BadInput("the name of a sample is not a number", path=file)
            yield Sample(
                row=place.row,
                task_id=task.name,
                sample_index=int(file.stem),
                text=place.check_text(utf8_text(file), "text"),
                style="solution",
            )
