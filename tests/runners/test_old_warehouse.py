"""A warehouse that an older Assay wrote: each command that writes brings it up to date first."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.loader import ingest_dataset
from runners.steps.similarity import similarity_pairs
from tests.support.steps import execute, generate, import_generations, reflect
from warehouse.errors import AssayError
from warehouse.store import migrations
from warehouse.store.connection import reading, writing

DRAWN: dict[str, Any] = {"backend": "planted", "lm": "toy", "dataset": "starter", "n": 1}
SAMPLE = '{"task_id": "starter/0", "completion": "    pass\\n"}\n'


def made_older() -> None:
    """Take the newest migration back."""
    with writing() as con:
        con.execute("drop view facts.generation_target")
        con.execute("drop view facts.generation_reflectable")
        con.execute("delete from meta.schema_version where version = ?", [migrations.latest()])


def imported(folder: Path) -> None:
    with reading() as con:
        found = con.execute("select min(task_id) from raw.problem").fetchone()
    assert found is not None
    path = folder / "samples.jsonl"
    path.write_text(SAMPLE.replace("starter/0", found[0]))
    made_older()
    import_generations(path, format="humaneval", dataset="starter", lm="other")


def after(step: Callable[..., Any], **options: Any) -> Callable[[Path], None]:
    def run(folder: Path) -> None:
        made_older()
        step(progress=False, **options)

    return run


@pytest.mark.parametrize(
    "writes",
    [
        after(generate, **DRAWN, temperature=0.5),
        after(execute),
        after(similarity_pairs),
        after(reflect, backend="planted", lm="toy", template="verbalized_v2"),
        imported,
    ],
    ids=["generate", "execute", "similarity", "reflect", "import"],
)
def test_a_step_that_writes_migrates(
    home: Path, tmp_path: Path, writes: Callable[[Path], None]
) -> None:
    ingest_dataset("starter")
    generate(**DRAWN, progress=False)
    writes(tmp_path)
    with reading() as con:
        assert migrations.version(con) == migrations.latest()


def test_a_step_that_reads_does_not(home: Path) -> None:
    ingest_dataset("starter")
    made_older()
    with pytest.raises(AssayError, match="any writing command migrates it"), reading():
        pass
