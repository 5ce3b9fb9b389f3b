"""Projects that do not fit, written by the tests: what each holds, and what a user reads of it."""

import io
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

GOOD = "def test_good():\n    pass\n"
NETWORK = """
import socket

def test_good():
    pass

def test_asks_a_server():
    socket.create_connection(("127.0.0.1", 9), timeout=1)

def test_looks_up_a_name():
    socket.getaddrinfo("example.org", 80)
"""
WRITES = """
from pathlib import Path
import small

def test_writes_into_the_source_tree():
    place = Path(small.__file__).parent / "written.py"
    assert not place.exists()
    place.write_text("left = 1")
    Path(small.__file__).write_text("ONE = 2")
    (Path.cwd() / "link").symlink_to("/")
"""
KILLS = """
import os, signal

def test_good():
    pass

def test_kills_its_parent():
    os.kill(os.getppid(), signal.SIGKILL)
"""


@dataclass(frozen=True)
class Bad:
    """A checkout's files by place, the verdicts of its two attempts, and what its line says."""

    files: dict[str, str]
    verdict: str
    says: str
    usable: int = 0
    package: str = "small"


CHECKOUTS = {
    "no-tests": Bad({}, "no_tests", "there are no tests in it"),
    "no-test-in-its-files": Bad({"tests/test_a.py": "ONE = 1\n"}, "no_tests", "collects no test"),
    "failing": Bad(
        {"tests/test_a.py": GOOD + "def test_bad():\n    assert False\n"},
        "failed",
        "1 of 2 tests: tests/test_a.py::test_bad",
        usable=1,
    ),
    "extension-in-c": Bad(
        {
            "small/_fast.c": "#include <Python.h>\n",
            "small/__init__.py": "from small import _fast\n",
            "tests/test_a.py": "import small\n" + GOOD,
        },
        "import_failed",
        "small/_fast.c is not built, as no extension module is",
    ),
    "network": Bad({"tests/test_a.py": NETWORK}, "failed", "2 of 3 tests", usable=1),
    "ten-minutes": Bad(
        {"tests/test_a.py": GOOD + "def test_long():\n    while True:\n        pass\n"},
        "timeout",
        "seconds, in the test tests/test_a.py::test_long",
        usable=1,
    ),
    "name-of-an-installed-package": Bad(
        {"tests/test_a.py": "import duckdb\ndef test_mine():\n    assert duckdb.ONE == 1\n"},
        "passed",
        "usable 1",
        usable=1,
        package="duckdb",
    ),
    "name-of-our-room": Bad(
        {"tests/test_a.py": "import runners\ndef test_mine():\n    assert runners.ONE == 1\n"},
        "passed",
        "usable 1",
        usable=1,
        package="runners",
    ),
    "name-that-pytest-needs": Bad(
        {"tests/test_a.py": GOOD},
        "collection_ended",
        "at its start: ImportError: ",
        package="iniconfig",
    ),
    "writes-into-its-tree": Bad({"tests/test_a.py": WRITES}, "passed", "usable 1", usable=1),
    "ends-pytest-at-collection": Bad(
        {"tests/test_a.py": "import unittest\n" + GOOD + "unittest.main()\n"},
        "collection_ended",
        "SystemExit",
    ),
    "kills-its-parent": Bad({"tests/test_a.py": KILLS}, "failed", "1 of 2 tests", usable=1),
}


def write_checkouts(folder: Path) -> dict[str, Path]:
    """Write every checkout below a folder; return their places by name."""
    found = {}
    for name, bad in CHECKOUTS.items():
        place = found[name] = folder / name
        for file, text in {f"{bad.package}/__init__.py": "ONE = 1\n", **bad.files}.items():
            path = place / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return found


ARCHIVES = {
    "outside-1.0.tar.gz": "the member '../../escaped.py' would be outside the folder",
    "absolute-1.0.tar.gz": "the member '/tmp/escaped.py' would be outside the folder",
    "link-outside-1.0.tar.gz": "is a link to '/etc': outside, or through another link",
    "through-a-link-1.0.tar.gz": "is below 'p/link', which is a link",
    "outside-1.0.zip": "the member '../../escaped.py' would be outside the folder",
    "links-1.0.tar.gz": "outside, or through another link",
    "names-1.0.tar.gz": "is too large: the archive may unpack to 50,000,000 bytes",
    "zeros-1.0.tar.gz": "is too large: the archive may unpack to 50,000,000 bytes",
    "cut-1.0.tar.gz": "the gzip stream is cut short or damaged",
}
"""What the line of each archive says: two that leave their folder by name, two by a link, one as a
zip; one of links that lead through each other, one that gives one file many names; a bomb of zeros;
and one that is cut short.
"""


def write_archives(folder: Path) -> dict[str, Path]:
    """Write every archive to a folder; return their places by name."""
    found = {name: folder / name for name in ARCHIVES}
    good = _member("p/__init__.py", b"ONE = 1\n")
    here = _member("p/link", kind=tarfile.SYMTYPE, target=".")
    names = [
        _member(f"p/n{number}.py", kind=tarfile.LNKTYPE, target="p/large.py")
        for number in range(100)
    ]
    steps = [
        _member(f"p/l{number}", kind=tarfile.SYMTYPE, target=f"l{number - 1}/../l{number - 1}")
        for number in range(1, 40)
    ]
    members = {
        "outside-1.0.tar.gz": [good, _member("../../escaped.py")],
        "absolute-1.0.tar.gz": [good, _member("/tmp/escaped.py")],
        "link-outside-1.0.tar.gz": [
            good,
            _member("p/etc", kind=tarfile.SYMTYPE, target="/etc"),
        ],
        "through-a-link-1.0.tar.gz": [good, here, _member("p/link/escaped.py")],
        "links-1.0.tar.gz": [good, _member("p/l0/x.py"), *steps],
        "names-1.0.tar.gz": [good, _member("p/large.py", b"#" * 1_000_000), *names],
        "zeros-1.0.tar.gz": [good, _member("p/zeros.py", bytes(60_000_000))],
        "cut-1.0.tar.gz": [good],
    }
    for name, each in members.items():
        with tarfile.open(found[name], "w:gz") as archive:
            for info, content in each:
                archive.addfile(info, io.BytesIO(content))
    with zipfile.ZipFile(found["outside-1.0.zip"], "w") as packed:
        packed.writestr("../../escaped.py", "")
    cut = found["cut-1.0.tar.gz"]
    cut.write_bytes(cut.read_bytes()[:-30])
    return found


def _member(
    name: str, content: bytes = b"", kind: bytes = tarfile.REGTYPE, target: str = ""
) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, len(content)
    return info, content
