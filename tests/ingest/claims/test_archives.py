"""Archives from anywhere: what leaves them, lies about its size or is damaged is refused."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from ingest.claims.packed import archive_of, json_members
from tests.support.sql import n_rows
from tests.support.steps import import_claims
from warehouse.errors import BadInput

HEADER = {"version": 2, "eval": {"model": "m", "task": "starter"}}
SAMPLE = {"id": "starter/apple_grades", "epoch": 1, "scores": {"verify": {"value": "C"}}}


def log(path: Path, *names: str) -> Path:
    """Write a log whose sample is under each of the names."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(HEADER))
        for name in names:
            archive.writestr(name, json.dumps(SAMPLE))
    return path


def test_a_log_comes_in(starter: Path, tmp_path: Path) -> None:
    path = log(tmp_path / "a.eval", "samples/1_epoch_1.json")
    assert import_claims(path, format="inspect").added["claim"] == 1


@pytest.mark.parametrize(
    "name",
    [
        "../evil.json",
        "samples/../../evil.json",
        "/etc/evil.json",
        "samples\\x",
        "C:evil",
        "a//b",
        ".",
    ],
)
def test_a_name_that_leaves_the_archive_is_refused(
    name: str, starter: Path, tmp_path: Path
) -> None:
    path = log(tmp_path / "a.eval", "samples/1_epoch_1.json", name)
    with pytest.raises(BadInput, match=r"a\.eval:'.*': the name of a member leaves the archive"):
        import_claims(path, format="inspect")
    assert n_rows("claim") == n_rows("claim_source") == 0
    assert {each.name for each in tmp_path.iterdir()} <= {"a.eval", "home"}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    path = log(tmp_path / "a.eval", "samples/1.json", "samples/1.json")
    with pytest.raises(BadInput, match="two members of this name"):
        json_members(path)


def test_a_small_archive_that_unpacks_to_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for number in range(5):
            with archive.open(f"samples/{number}.json", "w") as member:
                for _ in range(60):
                    member.write(b" " * 1_000_000)
                member.write(b"1")
    assert path.stat().st_size < 1_000_000
    with pytest.raises(BadInput, match=r"samples/4\.json: unpacks to too many bytes"):
        json_members(path)


def test_damage_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    whole = archive_of({"header.json": HEADER, "samples/1.json": SAMPLE})
    for data in (whole[:-30], whole[:40] + b"\xff" * 20 + whole[60:], b"PK"):
        path.write_bytes(data)
        with pytest.raises(BadInput, match="damaged"):
            json_members(path)
    path.write_bytes(archive_of({"samples/1.json": SAMPLE}))
    with pytest.raises(BadInput, match=r"no header\.json"):
        import_claims(path, format="inspect", dataset="starter", lm="m")


def test_equal_members_give_equal_bytes() -> None:
    members = {"header.json": HEADER, "samples/1.json": SAMPLE}
    packed = archive_of(members)
    assert packed == archive_of(members)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert {name: json.loads(archive.read(name)) for name in members} == members
