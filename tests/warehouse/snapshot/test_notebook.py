"""A snapshot in Python: what it gives, what it refuses, and the example notebook."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from tests.notebook import NOTEBOOK, notebook
from tests.support.steps import publish
from tests.support.worlds.views import make_views
from warehouse.errors import AssayError, BadInput
from warehouse.settings import snapshot_dir
from warehouse.snapshot.notebook import AssaySnapshot, assay_snapshot
from warehouse.snapshot.query import query


@pytest.fixture
def snapshot(home: Path) -> Iterator[AssaySnapshot]:
    make_views()
    publish()
    with assay_snapshot() as snapshot:
        yield snapshot


def test_views_are_relations_with_the_rows_of_the_snapshot(snapshot: AssaySnapshot) -> None:
    name = next(name for name in snapshot.views if snapshot.sql(f"from {name}").fetchall())
    assert name in dir(snapshot)
    assert getattr(snapshot, name).fetchall() == query(f"from {name}").rows
    assert list(getattr(snapshot, name).df().columns) == query(f"from {name} limit 0").columns
    assert [row[0] for row in snapshot.describe(name).fetchall()] == getattr(snapshot, name).columns
    (folder,) = [path for path in snapshot_dir().iterdir() if not path.is_symlink()]
    assert repr(snapshot) == f"<snapshot {folder.name}: {len(snapshot.views)} views>"
    with assay_snapshot(folder) as same:
        assert same.snapshot_id == snapshot.snapshot_id == folder.name


WRITING: dict[str, Callable[[AssaySnapshot, Path], object]] = {
    "copy": lambda snapshot, file: snapshot.sql(f"copy (select 1) to '{file}'"),
    "csv": lambda snapshot, file: snapshot.sql("select 1").to_csv(str(file)),
    "parquet": lambda snapshot, file: snapshot.sql("select 1").write_parquet(str(file)),
    "table": lambda snapshot, file: snapshot.sql("select 1 as a").create("mine"),
    "query": lambda snapshot, file: snapshot.sql("select 1").query("v", f"copy v to '{file}'"),
    "read": lambda snapshot, file: snapshot.sql("from read_text('/etc/passwd')").fetchall(),
    "setting": lambda snapshot, file: snapshot.sql("set threads = 7"),
    "two": lambda snapshot, file: snapshot.sql("select 1; select 2"),
}


@pytest.mark.parametrize("how", WRITING)
def test_nothing_is_written_and_no_file_is_read(
    snapshot: AssaySnapshot, tmp_path: Path, how: str
) -> None:
    file = tmp_path / "out"
    with pytest.raises((BadInput, duckdb.Error)):
        WRITING[how](snapshot, file)
    assert not file.exists()


def test_what_is_not_there_is_said(home: Path, tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="no snapshot in "):
        assay_snapshot()
    with pytest.raises(AssayError, match="not a readable manifest"):
        assay_snapshot(tmp_path)
    make_views()
    publish()
    with assay_snapshot() as snapshot:
        name = snapshot.views[0]
        with pytest.raises(
            AttributeError, match=f"there is no view '{name}x': did you mean {name}"
        ):
            getattr(snapshot, f"{name}x")
        with pytest.raises(BadInput, match="there is no view 'nothing'"):
            snapshot.describe("nothing")
        assert not hasattr(snapshot, "_repr_html_")


@pytest.mark.long(seconds=40)
def test_the_example_notebook_shows_what_its_cells_give() -> None:
    assert notebook() == json.loads(NOTEBOOK.read_text(encoding="utf-8"))
