"""EvalPlus samples: JSON Lines of ``task_id`` with ``solution`` or ``completion``, or a folder.

In a folder each task has its own (``HumanEval_0``), holding whole programs ``0.py``, ``1.py``, ...
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.fields import Fields, json_objects
from ingest.files import files_under, utf8_text
from ingest.imports.layout import JSON_LINES, TASK, Field, FileLayout, ImportFormat
from ingest.samples import Sample
from models.words import Style
from warehouse.errors import BadInput

LAYOUT = FileLayout(
    file=JSON_LINES + " Or a folder with a folder per task (`HumanEval_0`) that holds whole "
    "programs `0.py`, `1.py`, ...: regular files only, no link is followed.",
    fields=(
        TASK,
        Field("solution", "text", "A whole program. It or `completion` is required."),
        Field("completion", "text", "What continues the prompt, where there is no `solution`."),
    ),
    example=[
        {"task_id": "starter/ski_runs", "solution": "def ski_runs(heights):\n    return 0\n"},
        {"task_id": "starter/tide_marks", "completion": "    return []\n"},
    ],
)


TEXT_FIELDS = {"solution": Style.SOLUTION, "completion": Style.COMPLETION}


def read(path: Path) -> Iterator[Sample]:
    """Yield the samples of a file in its order, or of a folder in the order of their numbers."""
    return _folder(path) if path.is_dir() else _file(path)


def _file(path: Path) -> Iterator[Sample]:
    for line in json_objects(path):
        name = next((name for name in TEXT_FIELDS if name in line.values), None)
        if name is None:
            raise line.bad("needs the field 'solution' or 'completion'")
        yield Sample(
            row=line.row,
            task_id=line.text("task_id"),
            text=line.sample_text(name),
            style=TEXT_FIELDS[name],
        )


def _folder(path: Path) -> Iterator[Sample]:
    found = [file for file in files_under(path) if file.suffix == ".py" and file.parent != path]
    for file in sorted(found, key=lambda file: (file.parent, len(file.stem), file.stem)):
        task = file.relative_to(path).parts[:-1]
        if len(task) > 1:
            continue
        place = Fields({}, path, f"{task[0]}/{file.name}")
        if not file.stem.isdecimal():
            raise BadInput("the name of a sample is not a number", path=file)
        yield Sample(
            row=place.row,
            task_id=task[0],
            sample_index=int(file.stem),
            text=utf8_text(file, below=path),
            style=Style.SOLUTION,
        )


FORMAT = ImportFormat(__doc__, LAYOUT, read)
