"""``assay gc``: lists first, removes on request, never what is published or open."""

import json
from pathlib import Path

import pytest

from models.keys import text_key
from models.tables import ProjectRelease
from runners.cli.main import run
from tests.support.steps import publish
from warehouse import settings
from warehouse.snapshot import snapshots
from warehouse.store.connection import bring_up_to_date
from warehouse.store.locks import alone, is_held
from warehouse.store.runs import recorded


@pytest.fixture
def three(published: Path) -> list[str]:
    """Three snapshots, oldest first, and caches."""
    made = [snapshots.current().snapshot_id]
    made += [publish(force=True).snapshot_id for _ in range(2)]
    downloads = settings.cache_dir() / "datasets"
    downloads.mkdir(parents=True)
    (downloads / "x.jsonl").write_text("x" * 1000)
    (settings.cache_dir() / "sql_engine" / "1.0").mkdir(parents=True)
    (settings.cache_dir() / "dbt" / "target").mkdir(parents=True, exist_ok=True)
    (settings.snapshot_dir() / ".making-999999999-abcd").mkdir()
    return made


def there() -> set[str]:
    return {path.name for path in settings.snapshot_dir().glob("[0-9]*T*Z-*")}


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    capsys.readouterr()
    assert run(["gc", "--json", *arguments]) == 0
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)["found"]
    return found


def test_a_dry_run_lists_and_yes_removes_all_but_the_newest(
    three: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = there()
    assert not {"snapshot"} & {one["kind"] for one in listed(capsys)}, "seven are kept"
    assert run(["gc", "--keep", "1"]) == 0
    shown = capsys.readouterr().out
    assert there() == before == set(three)
    for name in three[:2]:
        assert name in shown
    assert "nothing is removed without --yes" in shown
    assert "next: assay gc --keep 1 --yes" in shown
    kinds = [one["kind"] for one in listed(capsys, "--keep", "1")]
    assert kinds == ["snapshot", "snapshot", "unfinished", "download", "download", "cache"]
    assert [one["kind"] for one in listed(capsys, "--keep", "2")].count("snapshot") == 1
    assert run(["gc", "--keep", "1", "--yes"]) == 0
    assert there() == {snapshots.current().snapshot_id} == {three[-1]}
    assert not (settings.cache_dir() / "datasets" / "x.jsonl").exists()
    assert snapshots.verify_current() > 0
    assert run(["sql", "select 1"]) == 0
    assert settings.warehouse_path().exists()
    capsys.readouterr()
    assert run(["gc", "--yes"]) == 0
    assert capsys.readouterr().out == "0 bytes removed\n"


def test_what_a_reader_has_open_stays(three: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    oldest = three[0]
    with (settings.snapshot_dir() / oldest / snapshots.DATABASE).open("rb"):
        (used,) = [one for one in listed(capsys, "--keep", "1") if one["in_use"]]
        assert oldest in str(used["path"])
        assert run(["gc", "--keep", "1", "--yes"]) == 0
        assert "in use, kept" in capsys.readouterr().out
        assert oldest in there()
    assert run(["gc", "--keep", "1", "--yes"]) == 0
    assert oldest not in there()


def test_an_empty_home_has_nothing_to_remove(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["gc"]) == 0
    assert capsys.readouterr().out == "nothing to remove\n"
    assert not home.exists()


SHA256 = {
    name: 2 * text_key(name) for name in ("fetched", "kept", "no rows", "neither", "packages")
}


@pytest.fixture
def caches(home: Path) -> dict[str, Path]:
    """What is cached of projects: fetched ones, kept ones with and without rows, packages."""
    folder = settings.cache_dir()
    projects, unpacked = folder / "projects", folder / "projects" / "unpacked"
    made = {
        "fetched": projects / f"{SHA256['fetched']}-small-1.0.tar.gz",
        "kept": projects / "kept" / f"{SHA256['kept']}-checkout.tar.gz",
        "no rows": projects / "kept" / f"{SHA256['no rows']}-other-1.0.tar.gz",
        "packages": folder / "environments" / SHA256["packages"] / "pytest.py",
        "lock": folder / "environments" / "locks" / "a.txt",
        "cut off": folder / "environments" / ".making-x" / "wheels" / "a.whl",
    }
    for name in ("fetched", "kept", "neither"):
        made[f"{name}, unpacked"] = unpacked / SHA256[name] / "small" / "mod.py"
    for path in made.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    bring_up_to_date()
    with recorded("ingest_projects", settings={}) as run_of_projects:
        release = {"project": "small", "version": "1", "license": "MIT", "source": "checkout"}
        release |= {"is_curated": False, "sources": "[]", "tests": "[]"}
        keys = {"project_release_id": text_key("small"), "run_id": run_of_projects.run_id}
        run_of_projects.append([ProjectRelease(sha256=SHA256["kept"], **release, **keys)])
    return made


def test_projects_and_packages_go_that_come_again(
    caches: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert {one["kind"] for one in listed(capsys)} == {"project", "packages"}
    assert all(path.exists() for path in caches.values())
    with alone("projects", "an ingest of projects"):
        assert all(one["in_use"] for one in listed(capsys))
        assert run(["gc", "--yes"]) == 0
    assert all(path.exists() for path in caches.values())
    assert run(["gc", "--yes"]) == 0
    left = {name for name, path in caches.items() if path.exists()}
    assert left == {"kept", "lock", "neither, unpacked"}
    assert not is_held("projects")
    capsys.readouterr()
    assert run(["gc"]) == 0
    assert capsys.readouterr().out == "nothing to remove\n"


def test_what_is_kept_stays_where_the_rows_cannot_be_read(
    caches: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    settings.warehouse_path().write_bytes(b"no database" * 1000)
    assert run(["gc", "--yes"]) == 0
    assert caches["kept"].exists()
    assert caches["no rows"].exists()
