"""A warehouse that an older Assay wrote: each command that writes brings it up to date first."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.steps import (
    execute,
    generate,
    import_generations,
    ingest_dataset,
    reflect,
    similarity_pairs,
)
from warehouse.errors import AssayError
from warehouse.settings import warehouse_path
from warehouse.store import migrations
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=20)

DRAWN: dict[str, Any] = {"backend": "planted", "lm": "toy", "dataset": "starter", "n": 1}


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], None]:
    """Return what makes this code newer by one migration than the warehouse."""
    scripts = migrations.scripts()
    scripts[max(scripts) + 1] = "create view facts.of_tomorrow as select 1 as one"
    folder = tmp_path / "migrations"
    folder.mkdir()
    for number, script in scripts.items():
        (folder / f"{number:04}_step.sql").write_text(script)
    return lambda: monkeypatch.setattr(migrations, "FOLDER", folder)


def imports(folder: Path) -> None:
    import_generations(folder / "samples.jsonl", format="humaneval", dataset="starter", lm="other")


def after(step: Callable[..., Any], **options: Any) -> Callable[[Path], None]:
    return lambda folder: step(progress=False, **options)


@pytest.mark.parametrize(
    "writes",
    [
        after(generate, **DRAWN, temperature=0.5),
        after(execute),
        after(similarity_pairs),
        after(reflect, backend="planted", lm="toy", template="verbalized_v2"),
        imports,
    ],
    ids=["generate", "execute", "similarity", "reflect", "import"],
)
def test_a_step_that_writes_migrates(
    home: Path, tmp_path: Path, writes: Callable[[Path], None], newer: Callable[[], None]
) -> None:
    ingest_dataset("starter")
    generate(**DRAWN, progress=False)
    with reading() as con:
        before = migrations.version(con)
        [(task,)] = con.execute("select min(task_id) from raw.problem").fetchall()
    (tmp_path / "samples.jsonl").write_text(json.dumps({"task_id": task, "completion": "    pass"}))
    newer()
    writes(tmp_path)
    with reading() as con:
        assert migrations.version(con) == migrations.latest() == before + 1


def test_an_older_warehouse_put_in_the_place_of_one_is_migrated_too(
    home: Path, tmp_path: Path, newer: Callable[[], None]
) -> None:
    ingest_dataset("starter")
    generate(**DRAWN, progress=False)
    older = shutil.copy(warehouse_path(), tmp_path / "older.duckdb")
    newer()
    generate(**DRAWN, progress=False)
    shutil.copy(older, warehouse_path())  # the file keeps its inode
    generate(**DRAWN, progress=False)
    with reading() as con:
        assert migrations.version(con) == migrations.latest()


def test_a_step_that_reads_does_not(home: Path, newer: Callable[[], None]) -> None:
    ingest_dataset("starter")
    newer()
    with pytest.raises(AssayError, match="any writing command migrates it"), reading():
        pass
