"""ARCADE: cells of data science notebooks (Yin et al. 2023, arXiv 2212.09248).

A file is a list of episodes, one for each notebook. An episode has ``notebook_name`` and ``turns``;
a turn has ``input``, the cells before with the question at their end, and ``turn`` with
``intent.value`` (the question), ``code.value`` (the reference) and ``code_context`` (the code of
the cells before, a text or a list of texts). Public programs that read the released files take
these fields; the released files themselves were not at hand. Nothing is executed here, for the
tables that the notebooks read are data of others.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.fields import Fields
from ingest.files import json_document, kind_of
from ingest.problems.cells import BEFORE, CELLS
from ingest.problems.dataset import Dataset
from ingest.problems.drafts import ProblemDraft, Release, Source
from models.words import TEXT
from warehouse.errors import BadInput

SOURCE = Source(
    dataset="arcade",
    version="notebooks",
    license="unknown",
    url="https://www.kaggle.com/datasets/googleai/arcade-nl2code-dataset",
    sha256=None,
    local="a derived dataset (.json) of google-research/arcade-nl2code, whose README says how to "
    "download and build it",
)


def read(path: Path) -> Release:
    """Return the turns of a file; raises BadInput for one that is no list of episodes."""
    left_out: Counter[str] = Counter()
    episodes = json_document(path)
    if not isinstance(episodes, list):
        raise BadInput(f"expected a list of episodes, found {kind_of(episodes)}", path=path)
    return Release(list(_drafts(episodes, path, left_out)), left_out)


def _drafts(episodes: list[Any], path: Path, left_out: Counter[str]) -> Iterator[ProblemDraft]:
    for number, values in enumerate(episodes, 1):
        episode = _fields(values, path, f"episode {number}")
        name = episode.text("notebook_name")
        turns = episode.required("turns")
        if not isinstance(turns, list):
            raise episode.bad(f"the field 'turns' is {kind_of(turns)}, expected a list")
        for index, each in enumerate(turns):
            row = f"episode {number}, turn {index + 1}"
            draft = _draft(_fields(each, path, row), f"arcade/{number - 1}/{index}", name)
            if draft.reference.strip():
                yield draft
            else:
                left_out["no_code"] += 1


def _draft(entry: Fields, task_id: str, notebook: str) -> ProblemDraft:
    turn = _fields(entry.required("turn"), entry.path, entry.row)
    before = turn.values.get("code_context") or ""
    before = "\n".join(map(str, before)) if isinstance(before, list) else before
    shown = turn.check_text(before, "code_context").rstrip("\n")
    return ProblemDraft(
        task_id=task_id,
        entry_point=notebook,
        prompt=entry.text("input"),
        reference=_value(turn, "code").strip("\n") + "\n",
        tests=(),
        row=entry.row,
        compare=TEXT,
        variants=((BEFORE, f"{shown}\n\n" if shown else "\n"), ("intent", _value(turn, "intent"))),
    )


def _value(turn: Fields, name: str) -> str:
    return _fields(turn.required(name), turn.path, turn.row).text("value")


def _fields(values: Any, path: Path, row: int | str) -> Fields:
    if not isinstance(values, dict):
        raise BadInput(f"expected an object, found {kind_of(values)}", path=path, row=row)
    return Fields(values, path, row)


DATASET = Dataset(SOURCE, CELLS, read)
