"""Environments are locked, fetched by SHA-256 and unpacked; nothing of a wheel is run here."""

import compileall
import io
import random
import re
import select
import socket
import stat
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ingest.projects.unpack import Members
from runners.judging.environments import folders
from runners.judging.environments.folders import folder_of
from runners.judging.environments.locks import (
    IndexOutOfReach,
    Lock,
    environments_dir,
    lock_of,
    partial_lock_of,
)
from runners.judging.sandbox import launch
from tests.runners.projects.conftest import no_index, only_these
from tests.runners.projects.wheels import wheel
from warehouse.errors import AssayError, BadInput, IsolationRefused

RAISES = "raise SystemExit('a wheel was run')\n"


@pytest.fixture
def index(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that pip sees alone: ``top`` needs ``under`` from version 2 on."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    only_these(monkeypatch, folder)
    wheel(folder, "under", "1.0", {"under.py": RAISES})
    wheel(folder, "under", "2.0", {"under.py": RAISES, "tests/__init__.py": "# under\n"})
    top = {
        "top/__init__.py": RAISES,
        "tests/__init__.py": "# top\n",
        "top-1.0.data/purelib/top/more.py": "MORE = 1\n",
        "top-1.0.data/scripts/top": "#!python\n",
        "top-1.0.dist-info/entry_points.txt": "[pytest11]\ntop = top\n",
        "evil.pth": "import os; os._exit(1)\n",
    }
    wheel(folder, "top", "1.0", top, Requires_Dist="under>=2")  # type: ignore[arg-type]
    return folder


def test_a_lock_names_each_wheel_by_its_sha256(index: Path) -> None:
    lock = lock_of(["top"])
    assert lock.packages == {"top": "1.0", "under": "2.0"}
    folder = folder_of(lock)
    assert folder.name == lock.sha256
    assert folder_of(lock) == folder
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    assert {"top/__init__.py", "top/more.py", "under.py", "top-1.0.dist-info/entry_points.txt"} <= {
        *found
    }
    assert not any("scripts" in path or ".data" in path for path in found)
    assert (folder / "tests" / "__init__.py").read_text() == "# top\n", "the first file stays"
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    assert modes <= {0o755, 0o644}
    assert not {"top", "under"} & {*sys.modules}


def test_a_lock_is_kept_when_the_index_moves_on(index: Path) -> None:
    lock = lock_of(["under"])
    wheel(index, "under", "3.0", {"under.py": RAISES})
    assert lock_of(["under"]) == lock
    assert lock_of(["under>=1"]).packages == {"under": "3.0"}


def test_a_wheel_that_was_replaced_is_not_installed(index: Path) -> None:
    lock = lock_of(["under"])
    wheel(index, "under", "2.0", {"under.py": "OTHER = 1\n"})
    with pytest.raises(AssayError, match="pip finds no wheels"):
        folder_of(lock)
    assert not (environments_dir() / lock.sha256).exists()


def test_what_has_no_wheel_is_an_error(index: Path) -> None:
    (index / "built-1.0.tar.gz").write_bytes(b"not even an archive")
    for wanted in ("built", "nowhere", "under>=9"):
        with pytest.raises(AssayError, match="pip finds no wheels"):
            lock_of([wanted])


def member(name: str, kind: int) -> Any:
    """Return a member of a zip file of this kind, such as a link."""
    found = zipfile.ZipInfo(name)
    found.create_system, found.external_attr = 3, (kind | 0o644) << 16
    return found


def nothing_is_left() -> bool:
    """Say whether there is no environment and no part of one."""
    return [path.name for path in environments_dir().iterdir()] == ["locks"]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"../../escaped.py": ""}, "'../../escaped.py' would be outside the folder"),
        ({"/tmp/escaped.py": ""}, "'/tmp/escaped.py' would be outside the folder"),
        ({member("escaped.py", stat.S_IFLNK): "/etc/passwd"}, "is a link to '/etc/passwd'"),
        ({member("escaped.py", stat.S_IFLNK): "../../x"}, "is a link to '../../x': outside"),
        ({member("escaped.py", stat.S_IFIFO): ""}, "is a device or a pipe"),
        ({member("escaped.py", stat.S_IFBLK): ""}, "is a device or a pipe"),
        ({"zeros.py": bytes(60_000_000)}, "the archive may unpack to 50,000,000 bytes"),
        ({f"{n}/x.py": "" for n in range(30_000)}, "the archive has too many members"),
    ],
)
def test_a_hostile_wheel_leaves_nothing(
    files: dict[str, str | bytes], reason: str, index: Path, tmp_path: Path
) -> None:
    wheel(index, "hostile", "1.0", {"hostile.py": "", **files})
    lock = lock_of(["hostile"])
    with pytest.raises(BadInput, match=re.escape(reason)) as found:
        folder_of(lock)
    assert str(found.value).startswith("hostile-1.0-py3-none-any.whl: ")
    assert not list(tmp_path.rglob("escaped.py"))
    assert nothing_is_left()


def test_wheels_are_opened_and_compiled_behind_the_walls_alone(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        pytest.fail("done outside")

    lock = lock_of(["top"])
    monkeypatch.setattr(zipfile, "ZipFile", never)
    monkeypatch.setattr(compileall, "compile_dir", never)
    folder = folder_of(lock)
    (compiled,) = folder.glob("__pycache__/under.*.pyc")
    # bytecode that no time of a file outdates: suites see the folder read-only
    assert compiled.read_bytes()[4:8] == (1).to_bytes(4, "little")


def test_a_process_killed_in_the_middle_leaves_nothing(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel(index, "large", "1.0", {"a.py": "", "z.bin": random.Random(0).randbytes(8_000_000)})
    lock = lock_of(["large"])
    started, pairs = [], []
    start, pair, take = launch.start, socket.socketpair, Members.file

    def noted(*given: Any, **named: Any) -> Any:
        started.append(start(*given, **named))
        return started[-1]

    def noted_pair() -> Any:
        pairs.append(pair())
        return pairs[-1]

    def killing(self: Members, *given: Any, **named: Any) -> None:
        take(self, *given, **named)
        started[-1].kill()
        started[-1].wait()
        # what it had started ends a little later, and may send more until then
        closed = select.poll()
        closed.register(pairs[-1][0], 0)
        assert closed.poll(60_000)

    with monkeypatch.context() as patch:
        patch.setattr(launch, "start", noted)
        patch.setattr(socket, "socketpair", noted_pair)
        patch.setattr(Members, "file", killing)
        with pytest.raises(AssayError, match="the process that unpacks wheels was lost"):
            folder_of(lock)
    assert nothing_is_left()
    monkeypatch.setattr(folders, "MAKE_S", 0.0)
    with pytest.raises(AssayError, match="the process that unpacks wheels was lost"):
        folder_of(lock)
    assert nothing_is_left()
    monkeypatch.setattr(folders, "MAKE_S", 60.0)
    assert (folder_of(lock) / "z.bin").stat().st_size == 8_000_000


@pytest.mark.long
def test_a_wheel_may_hold_a_large_file(index: Path) -> None:
    wheel(index, "large", "1.0", {"z.bin": random.Random(0).randbytes(70_000_000)})
    assert (folder_of(lock_of(["large"])) / "z.bin").stat().st_size == 70_000_000


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (b'{"file": "../x", "size": 0}\n{"end": true}\n', BadInput),
        (b'{"file": "/x", "size": 0}\n{"end": true}\n', BadInput),
        (b'{"file": "x", "size": 0}\n{"file": "x", "size": 0}\n{"end": true}\n', BadInput),
        (b'{"file": "x", "size": 0}\n{"file": "x/y", "size": 0}\n{"end": true}\n', BadInput),
        (b'{"file": "x", "size": 999999999999}\n', BadInput),
        (b'{"file": "x", "size": -1}\n{"end": true}\n', BadInput),
        (b'{"bad": "\\u001b[31m", "wheel": 3}\n', BadInput),
        (b'{"refused": "no namespaces"}\n', IsolationRefused),
        (b'{"file": "x", "size": 4}\nabc', EOFError),
        (b'{"file": "x", "size": 0}\n', EOFError),
        (b"", EOFError),
        (b'{"file": "x"}\n', KeyError),
        (b'{"file": "x", "size": null}\n', TypeError),
        (b"[1]\n", ValueError),
        (b"\xff\n", ValueError),
        (b"9" * 100_000, ValueError),
        (b'{"file": "x", "size": 1e999}\n', OverflowError),
        (b'{"file": ' + b"[" * 30_000 + b"\n", RecursionError),
    ],
)
def test_what_the_process_sends_is_not_believed(
    sent: bytes, error: type[Exception], tmp_path: Path
) -> None:
    assert issubclass(error, (BadInput, IsolationRefused, *folders.LOST))
    with pytest.raises(error):
        folders._take(io.BytesIO(sent), tmp_path / "made", tmp_path, "ns+seccomp")
    assert {path.name for path in tmp_path.rglob("*")} <= {"made", "x"}


def test_a_lock_reads_its_packages() -> None:
    text = "# CPython 3.11\na==1 --hash=sha256:00\nb-c==2.0 --hash=sha256:11\n"
    assert Lock(text).packages == {"a": "1", "b-c": "2.0"}


@pytest.mark.long
def test_what_does_not_fit_costs_nothing_else(index: Path) -> None:
    found = partial_lock_of(["nowhere", "top", "under<2"])
    assert found.lock.packages == {"top": "1.0", "under": "2.0"}
    assert [*found.missing] == ["nowhere", "under<2"]
    assert all(reason.startswith("pip finds no wheels") for reason in found.missing.values())
    assert partial_lock_of(["nowhere"]).lock.packages == {}


def test_an_index_out_of_reach_is_no_missing_package(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_index(monkeypatch)
    with pytest.raises(IndexOutOfReach, match="PIP_FIND_LINKS"):
        partial_lock_of(["nowhere", "top"])
    assert not [*(environments_dir() / "locks").iterdir()]
