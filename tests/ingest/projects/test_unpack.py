"""Archives as strangers write them: good ones as they are, hostile ones not at all."""

import gzip
import io
import os
import stat
import tarfile
import zipfile

import pytest

from ingest.projects.unpack import UnpackLimits, unpack
from warehouse.errors import BadInput

SMALL = UnpackLimits(members=50, n_bytes=4_000_000, free_bytes=100_000, ratio=10)
LINK, HARD, FOLDER, PIPE, DEVICE = (
    tarfile.SYMTYPE,
    tarfile.LNKTYPE,
    tarfile.DIRTYPE,
    tarfile.FIFOTYPE,
    tarfile.CHRTYPE,
)
HEADER = 512


def member(name, content=b"x", kind=tarfile.REGTYPE, **more):
    """A member of a tar archive; of a link, the content is its target."""
    found = tarfile.TarInfo(name)
    found.type = kind
    if kind in (LINK, HARD):
        found.linkname, content = content, b""
    found.size = len(content) if kind not in (FOLDER, PIPE, DEVICE) else 0
    for key, value in more.items():
        setattr(found, key, value)
    return found, content


def tar(*members, packed="w:gz", format=tarfile.PAX_FORMAT):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=packed, format=format) as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    return data.getvalue()


def zipped(*members, method=zipfile.ZIP_DEFLATED):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content, mode in members:
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, mode << 16
            info.compress_type = method
            archive.writestr(info, content)
    return data.getvalue()


def raw(*members):
    """A tar archive whose headers are written as they are, sizes and types with them."""
    blocks = b""
    for info, content in members:
        blocks += info.tobuf(tarfile.GNU_FORMAT) + content + b"\0" * (-len(content) % HEADER)
    return blocks + b"\0" * 2 * HEADER


def sparse(**words):
    headers = {f"GNU.sparse.{key}": value for key, value in words.items()}
    return tar(member("s", b"1000000000\n0\n" + b"1\n" * 2_000, pax_headers=headers))


def extended(n_bytes, n=1):
    records = b"%d comment=%s\n" % (n_bytes, b"x" * (n_bytes - len(b"%d comment=\n" % n_bytes)))
    return raw(*[member("x", records, tarfile.XHDTYPE)] * n, member("a"))


def damaged(data, place, value=b"\xff"):
    place %= len(data)
    return data[:place] + value + data[place + len(value) :]


def announced(data, size):
    return damaged(data, data.index(b"PK\1\2") + 24, size.to_bytes(4, "little"))


def with_flag(data, bit):
    """Set a flag of a zip's entries, here and in the directory."""
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        place = data.index(mark) + offset
        data = damaged(data, place, bytes([data[place] | bit]))
    return data


A, B = member("p/a"), member("p/b", b"other")
REG, SYM = stat.S_IFREG | 0o644, stat.S_IFLNK | 0o777
HOSTILE = {
    "absolute": (tar(member("/tmp/evil")), "outside"),
    "above": (tar(member("../evil")), "outside"),
    "above, later": (tar(A, member("p/q/../../../evil")), "outside"),
    "folder above": (tar(member("../evil", kind=FOLDER)), "outside"),
    "link to root": (tar(A, member("p/l", "/etc/passwd", LINK)), "link to '/etc/passwd': outside"),
    "link above": (tar(A, member("p/l", "../../evil", LINK)), "outside"),
    "links in steps": (
        tar(A, member("p/here", ".", LINK), member("p/l", "here/../../evil", LINK)),
        "through another link",
    ),
    "link named later": (
        tar(A, member("l", "p/here/..", LINK), member("p/here", "..", LINK)),
        "through another link",
    ),
    "hard link above": (tar(A, member("p/h", "../evil", HARD)), "outside"),
    "hard link to root": (tar(A, member("p/h", "/etc/passwd", HARD)), "outside"),
    "hard link to a link": (
        tar(A, member("p/l", "a", LINK), member("p/h", "p/l", HARD)),
        "hard link to 'p/l', which is no file before it",
    ),
    "hard link to nothing": (tar(A, member("p/h", "p/later", HARD)), "no file before it"),
    "pipe": (tar(A, member("p/f", kind=PIPE)), "device, a pipe"),
    "device": (tar(A, member("p/d", kind=DEVICE, devmajor=1, devminor=3)), "device, a pipe"),
    "through a link": (
        tar(A, member("p/l", ".", LINK), member("p/l/c")),
        "is below 'p/l', which is a link",
    ),
    "a link in a folder's place": (
        tar(member("p/d", kind=FOLDER), member("p/d", "/tmp", LINK)),
        "name of another",
    ),
    "a file over a link": (tar(A, member("p/l", "a", LINK), member("p/l")), "name of another"),
    "twice": (tar(A, A), "name of another"),
    "twice, spelled otherwise": (tar(A, member("./p//a")), "name of another"),
    "below a file": (tar(A, member("p/a/c")), "is below 'p/a', which is a file"),
    "no name": (tar(member(".")), "name of another"),
    "backslash": (tar(member("p\\..\\evil")), "backslash"),
    "control character": (tar(member("p/\x1b[2J")), "control"),
    "no UTF-8": (tar(member("p/\udcff"), format=tarfile.GNU_FORMAT), "UTF-8"),
    "long name": (tar(member("p/" + "n" * 256)), "too long a name"),
    "long path": (tar(member("p/" * 1_200 + "a")), "too long a path"),
    "link to a long path": (tar(A, member("p/l", "q" * 5_000, LINK)), "too long a path"),
    "deep": (tar(member("p/" * 101 + "a")), "is in more than 100 folders"),
    "many folders": (tar(member("p/" * 60 + "a")), "too many members"),
    "many members": (tar(*[member(f"p/{n}") for n in range(51)]), "too many members"),
    "large": (tar(member("p/a", b"\0" * 101_000)), "may unpack to 100,000 bytes"),
    "large together": (tar(*[member(f"p/{n}", b"\0" * 30_000) for n in range(4)]), "too large"),
    "large by many names": (
        tar(member("p/a", b"\0" * 30_000), *[member(f"p/{n}", "p/a", HARD) for n in range(3)]),
        "too large",
    ),
    "large after the end": (tar(A) + tar(member("z", b"\0" * 5_000_000)), "unpacks to more than"),
    "large by its header": (raw(member("p/a", b"", size=2**33 - 1)), "too large"),
    "negative": (raw(member("p/a", b"", size=-512)), "too large"),
    "sparse": (raw(member("s", kind=tarfile.GNUTYPE_SPARSE)), "sparse"),
    "sparse, version 0.1": (sparse(map="0,1", size="1000000000000"), "too large|sparse"),
    "sparse, version 1.0": (sparse(major="1", minor="0", realsize="9"), "holds a sparse"),
    "long header": (extended(70_000), "extends another"),
    "a chain of headers": (extended(40, 600), "RecursionError"),
    "bad header between": (damaged(raw(A, B), 2 * HEADER), "bad checksum"),
    "bad sum at the end": (
        damaged(gzip.compress(raw(A) + b"\0" * 3_000_000), -8, b"12345678"),
        "damaged",
    ),
    "cut": (tar(A, B)[:-40], "cut short"),
    "cut, unpacked": (raw(A, member("p/b", b"b" * 900))[:-1_200], "unexpected end of data"),
    "no archive": (b"hello", "damaged"),
    "empty": (tar(), "no file"),
    "folders only": (tar(member("p", kind=FOLDER)), "no file"),
}
HOSTILE_ZIPS = {
    "absolute": (zipped(("/tmp/evil", "x", REG)), "outside"),
    "above": (zipped(("p/../../evil", "x", REG)), "outside"),
    "link above": (zipped(("p/l", "../../evil", SYM)), "outside"),
    "link to root": (zipped(("p/l", "/etc", SYM)), "outside"),
    "through a link": (zipped(("p/l", ".", SYM), ("p/l/c", "x", REG)), "which is a link"),
    "long link": (zipped(("p/l", "a" * 3_000, SYM)), "too long"),
    "pipe": (zipped(("p/f", "", stat.S_IFIFO)), "a pipe"),
    "spelled otherwise": (zipped(("p/a", "x", REG), ("p/./a", "y", REG)), "name of another"),
    "large": (zipped(("p/a", b"\0" * 101_000, REG)), "too large"),
    "many members": (zipped(*[(f"p/{n}", "", REG) for n in range(51)]), "too many members"),
    "encrypted": (with_flag(zipped(("p/a", "x", REG)), 1), "encrypted"),
    "packed by bzip2": (zipped(("p/a", "x", REG), method=zipfile.ZIP_BZIP2), "packed in a way"),
    "less than announced": (announced(zipped(("p/a", "x", REG)), 9_000), "where 9,000 are"),
    "bad sum": (damaged(zipped(("p/a", "x" * 9, REG), method=0), 34), "damaged|CRC"),
    "cut": (zipped(("p/a", "x", REG))[:-10], "damaged"),
    "no archive": (b"hello", "damaged"),
    "empty": (zipped(), "no file"),
}
CASES = [(f"{name}.tar.gz", *case) for name, case in HOSTILE.items()]
CASES += [(f"{name}.zip", *case) for name, case in HOSTILE_ZIPS.items()]


@pytest.mark.parametrize(("name", "data", "reason"), CASES, ids=[case[0] for case in CASES])
def test_a_hostile_archive_is_one_clear_error_and_leaves_nothing(tmp_path, name, data, reason):
    archive = tmp_path / name
    archive.write_bytes(data)
    with pytest.raises(BadInput, match=reason) as error:
        unpack(archive, tmp_path / "in" / "here", SMALL)
    assert str(error.value).startswith(f"{archive}: ")
    assert "\n" not in str(error.value)
    assert set(tmp_path.rglob("*")) == {archive, tmp_path / "in"}


@pytest.mark.parametrize("name", ["absolute", "twice", "through a link", "backslash"])
def test_the_data_filter_of_tarfile_alone_would_unpack(tmp_path, name):
    with tarfile.open(fileobj=io.BytesIO(HOSTILE[name][0])) as archive:
        archive.extractall(tmp_path, filter="data")
    assert list(tmp_path.iterdir())


GOOD = (
    member("p", kind=FOLDER),
    member("p/deep/a.py", b"a = 1\n", mode=0o644),
    member("p/run", b"#!/bin/sh\n", mode=0o4777),
    member("p/dir_link", "deep", LINK),
    member("p/deep/up", "../run", LINK),
    member("p/link_to_link", "deep/up", LINK),
    member("p/to_nothing", "missing", LINK),
    member("p/same", "p/deep/a.py", HARD),
    member("p/é" * 60, b"long name"),
)


@pytest.mark.parametrize("format", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_what_is_good_is_unpacked_with_the_links_that_stay_inside(tmp_path, format):
    archive = tmp_path / "p.tar.gz"
    archive.write_bytes(tar(*GOOD, format=format))
    unpack(archive, tmp_path / "ours")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path / "theirs", filter="data")
    seen = [
        {
            path.relative_to(tmp_path / side).as_posix(): (
                str(path.readlink()) if path.is_symlink() else path.is_dir() or path.read_bytes()
            )
            for path in (tmp_path / side).rglob("*")
        }
        for side in ("ours", "theirs")
    ]
    assert seen[0] == seen[1]
    assert len(seen[0]) >= 10
    assert (tmp_path / "ours/p/run").stat().st_mode & 0o7777 == 0o755 & ~_umask()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["ours", "p.tar.gz", "theirs"]
    with pytest.raises(BadInput, match="exists already"):
        unpack(archive, tmp_path / "ours")


def test_a_zip_is_unpacked_the_same_way(tmp_path):
    archive = tmp_path / "p.zip"
    data = zipped(("p/", "", 0), ("p/a", "x", REG), ("p/run", "", REG | 0o111), ("p/l", "a", SYM))
    archive.write_bytes(data)
    unpack(archive, tmp_path / "ours")
    assert (tmp_path / "ours/p/l").read_text() == "x"
    assert os.access(tmp_path / "ours/p/run", os.X_OK)


@pytest.mark.parametrize("name", ["a.whl", "a.tar.bz2"])
def test_other_files_are_refused_by_name(tmp_path, name):
    (tmp_path / name).write_bytes(tar(A))
    with pytest.raises(BadInput, match="is no archive of source code"):
        unpack(tmp_path / name, tmp_path / "ours")
    with pytest.raises(BadInput, match="no such file"):
        unpack(tmp_path / "none.zip", tmp_path / "ours")
    (tmp_path / "a.zip").write_bytes(b"x" * 11)
    with pytest.raises(BadInput, match="has more than 10 bytes"):
        unpack(tmp_path / "a.zip", tmp_path / "ours", UnpackLimits(archive_bytes=10))


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
