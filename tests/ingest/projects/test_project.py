"""A made-up project, fetched from a server on this machine that answers as a package index."""

import hashlib
import json
import os
import shutil
from dataclasses import replace

import pytest

from ingest.projects import index, project
from ingest.projects.curated import CuratedProject
from ingest.projects.functions import functions_in, sources_of
from ingest.projects.index import archive_of, index_url
from ingest.projects.project import Project, keep_archive, project_again, project_of
from tests.support.servers.index import FILE, PAGE, listed, package_index, sdist
from warehouse import settings
from warehouse.errors import AssayError, BadInput
from warehouse.facts.projects import StoredRelease


@pytest.fixture
def served(home, monkeypatch):
    with package_index() as found:
        monkeypatch.setenv("PIP_INDEX_URL", found.url)
        yield found


def pinned(monkeypatch, **more):
    entry = CuratedProject(
        name="small-things",
        version="1.0",
        sha256=hashlib.sha256(sdist()).hexdigest(),
        license="MIT",
        sources=["src/small_things"],
        tests=["tests"],
    )
    entry = replace(entry, **more)
    monkeypatch.setattr(project, "curated_projects", lambda: {entry.name: entry})
    return entry


def test_a_project_is_fetched_unpacked_and_described_and_nothing_of_it_runs(served):
    found = project_of("Small.Things==1.0")
    assert served.accepted[0] == (PAGE, "application/vnd.pypi.simple.v1+json")
    assert (found.name, found.version, found.license) == ("small-things", "1.0", "MIT")
    assert (found.sources, found.tests) == (("src/small_things",), ("tests",))
    assert found.sha256 == hashlib.sha256(found.archive.read_bytes()).hexdigest()
    assert (found.folder / "src/small_things/core.py").exists()
    sources = sources_of(found)
    functions = [each for path, text in sources.texts.items() for each in functions_in(path, text)]
    assert [(each.path, each.qualname) for each in functions] == [
        ("src/small_things/core.py", "one")
    ]
    assert list(sources.unread) == ["src/small_things/old.py"]
    assert "no Python: " in sources.unread["src/small_things/old.py"]
    assert project_of("small_things==1.0") == found


def test_a_curated_project_needs_the_index_once(served, monkeypatch):
    entry = pinned(monkeypatch)
    found = project_of("small-things")
    assert (found.curated, found.tests) == (entry, ("tests",))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:1/simple")
    shutil.rmtree(found.folder)
    found.folder.parent.rmdir()
    assert project_of("small-things==1.0") == found


def test_a_curated_project_whose_archive_was_replaced_is_not_fetched(served, monkeypatch):
    entry = pinned(monkeypatch, sha256="0" * 64)
    with pytest.raises(BadInput, match=f"not the pinned {entry.sha256}: the archive was replaced"):
        project_of("small-things")
    assert [path for path, _ in served.accepted] == [PAGE]
    pinned(monkeypatch, tests=["test"])
    with pytest.raises(BadInput, match=r"the project small-things has no test$"):
        project_of("small-things")


def test_what_comes_must_be_what_the_index_says(served):
    served.files["/files/small_things-1.0.tar.gz"] += b"more"
    with pytest.raises(BadInput, match=r"is not the release small-things 1\.0: its") as error:
        project_of("small-things==1.0")
    assert "secret" not in str(error.value)
    del served.files["/files/small_things-1.0.tar.gz"]
    with pytest.raises(AssayError, match="could not be downloaded: the server answered 404"):
        project_of("small-things==1.0")


NO_JSON = "does not answer in JSON (PEP 691): set PIP_INDEX_URL to one that does"
FILE_URL = json.dumps(
    {"files": [listed("small_things-1.zip", url="file:///etc/passwd")]}  # of this machine
).encode()
FAULTS = [
    ("none-such", "1.0", None, "/simple/none-such/ has no project none-such"),
    ("small-things", "1.0.1", None, "has no version 1.0.1: the nearest are 0.9, 1.0, 1.1"),
    ("small-things", "1.1", None, "small-things 1.1 has no source distribution, only built ones"),
    ("../../etc", "1.0", None, "../../etc==1.0 is not the name and version of a project"),
    ("small-things", "1.0/..", None, "is not the name and version of a project"),
    ("small-things", "1.0", b"<html>", NO_JSON),
    ("small-things", "1.0", b"[1]", "answers with no JSON object"),
    ("small-things", "1.0", b'{"files": [{"filename": "a"}]}', "as PEP 691 says (KeyError"),
    ("small-things", "1.0", b'{"files": 1}', "as PEP 691 says (TypeError"),
    ("small-things", "1.0", b'{"files": [], "versions": [1]}', "as PEP 691 says (TypeError"),
    ("small-things", "1", FILE_URL, "'file:///etc/passwd' is not on the web"),
    ("small-things", "1.0", b'{"files": []}', "has no version 1.0, nor any other"),
]


@pytest.mark.parametrize(("name", "version", "page", "reason"), FAULTS)
def test_what_the_index_does_not_have_is_one_sentence(served, name, version, page, reason):
    if page is not None:
        served.files[PAGE] = page
    with pytest.raises(BadInput) as error:
        archive_of(name, version)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)
    assert "secret" not in str(error.value)


def test_an_archive_without_a_sha256_or_under_another_name_is_none(served):
    bad = {"filename": "small_things-1.0.tar.gz", "url": "x", "hashes": {"md5": "0"}}
    served.page(bad, listed("small_things-2/../1.0.tar.gz"), versions=["1.0"])
    with pytest.raises(BadInput, match=r"1\.0 has no source distribution"):
        archive_of("small-things", "1.0")


def test_an_index_out_of_reach_is_one_sentence(home, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://user:secret@127.0.0.1:1/simple")
    with pytest.raises(AssayError) as error:
        project_of("small-things==1.0")
    assert str(error.value) == (
        "the package index http://127.0.0.1:1/simple/small-things/ cannot be asked: the server "
        "refused the connection; name an archive or a checkout of the project by its path"
    )


def test_the_index_is_the_one_that_pip_uses(tmp_path, monkeypatch):
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    config = tmp_path / "pip.conf"
    config.write_text("[global]\nindex-url = https://me:pw@index.example/simple\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(config))
    assert index_url() == "https://me:pw@index.example/simple"
    config.write_text("[global]\nindex-url = file:///srv/simple\n")
    with pytest.raises(BadInput, match="file:///srv/simple is not on the web: set PIP_INDEX_URL"):
        index_url()
    (tmp_path / "pip.py").write_text("print('of the working folder')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    assert index_url().startswith("https://")  # pip's default, which is written nowhere here
    monkeypatch.setattr(index, "_pip", lambda *asked: "pip 26" if "--version" in asked else "")
    with pytest.raises(AssayError, match="no package index is known, for pip names none: set PIP_"):
        index_url()
    monkeypatch.setattr(index, "_pip", lambda *_: "")
    with pytest.raises(AssayError, match=r"for .*python.* has no pip that runs: set PIP_INDEX_URL"):
        index_url()


def test_an_archive_or_a_checkout_is_named_by_its_path(home, tmp_path):
    archive = tmp_path / "small.tar.gz"
    archive.write_bytes(sdist({"mod.py": "x = 1\n", "conftest.py": "", "test_mod.py": ""}, "./"))
    found = project_of(str(archive))
    assert (found.name, found.version, found.license) == ("small", "unknown", "unknown")
    assert (found.sources, found.tests) == (("mod.py",), ("test_mod.py",))
    checkout = tmp_path / "flat"
    for name in ("pack/__init__.py", "pack/tests/test_a.py", "pack/a.py", ".git/HEAD"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text("")
    (checkout / "pack" / "linked.py").symlink_to(tmp_path / "small.tar.gz")
    first = project_of(str(checkout))
    assert (first.sources, first.tests, first.archive) == (("pack",), ("pack/tests",), None)
    assert first.source_files() == ["pack/__init__.py", "pack/a.py"]
    (checkout / ".git" / "HEAD").write_text("other")
    assert project_of(str(checkout)) == first
    (checkout / "pack" / "a.py").write_text("other")
    assert project_of(str(checkout)).sha256 != first.sha256


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ("toolzz", r"'toolzz': did you mean toolz\?; another project is named as NAME==VERSION"),
        ("toolz==", r"'toolz==': did you mean toolz\?; another project is named as NAME==VERSION"),
        ("unlisted==", r"no curated project, archive or checkout 'unlisted=='; available: "),
        ("", "no curated project, archive or checkout ''; available: "),
        ("toolz==1 0", "toolz==1 0 is not the name and version of a project"),
        ("two words==1", "two words==1 is not the name and version of a project"),
        ("./none.zip", "none.zip: no such file"),
        ("./empty", "there is no Python package or module in it"),
        ("./notes.txt", "is no archive of source code"),
    ],
)
def test_what_names_no_project(home, tmp_path, monkeypatch, wanted, reason):
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=reason):
        project_of(wanted)


def stored(found: Project) -> StoredRelease:
    """Return the row of a project's release."""
    source = found.archive.name.removeprefix(f"{found.sha256}-") if found.archive else "checkout"
    return StoredRelease(found.release_id, found.name, found.version, found.sha256, source)


def forget(name):
    shutil.rmtree(settings.cache_dir() / "projects" / name, ignore_errors=True)


def held(folder):
    return {
        path.relative_to(folder).as_posix(): path.readlink().as_posix()
        if path.is_symlink()
        else (path.read_bytes(), bool(path.stat().st_mode & 0o100))
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def test_a_project_of_the_index_is_fetched_again(served):
    found = project_of("Small.Things==1.0")
    keep_archive(found)
    assert not (settings.cache_dir() / "projects" / "kept").exists()
    again = project_again(stored(found))
    assert (again, again.wanted) == (found, "small-things==1.0")
    shutil.rmtree(settings.cache_dir() / "projects")
    served.accepted.clear()
    assert project_again(stored(found)) == found
    assert [path for path, _ in served.accepted] == [PAGE, FILE]
    shutil.rmtree(settings.cache_dir() / "projects")
    served.offer(sdist({"other.py": ""}))
    with pytest.raises(BadInput) as error:
        project_again(stored(found))
    told = str(error.value)
    start = "small-things 1.0 is not here any more: ingest small_things-1.0.tar.gz again with"
    assert told.startswith(f"{start} `assay ingest project` (")
    assert f"not the pinned {found.sha256}: the archive was replaced" in told


def test_a_curated_project_is_fetched_again(served, monkeypatch):
    pinned(monkeypatch)
    found = project_of("small-things")
    shutil.rmtree(settings.cache_dir() / "projects")
    again = project_again(stored(found))
    assert (again, again.wanted) == (found, "small-things")


def test_an_archive_named_by_its_path_is_kept(home, tmp_path):
    archive = tmp_path / "small.tar.gz"
    archive.write_bytes(sdist({"mod.py": "x = 1\n", ".hidden": "y"}))
    found = project_of(str(archive))
    keep_archive(found)
    keep_archive(found)
    archive.unlink()
    forget("unpacked")
    again = project_again(stored(found))
    assert (again.release_id, again.sources) == (found.release_id, ("mod.py",))
    assert (again.folder / ".hidden").read_text() == "y"
    assert project_of(again.wanted).release_id == found.release_id
    again.archive.write_bytes(sdist({"mod.py": "x = 2\n"}))
    with pytest.raises(BadInput, match=r"again with `assay ingest project` \(.*: it is damaged\)"):
        project_again(stored(found))
    again.archive.unlink()
    assert project_again(stored(found)).sources == ("mod.py",), "what was unpacked is enough"


def test_a_checkout_is_kept_by_what_it_holds(home, tmp_path):
    checkout = tmp_path / "flat"
    for name in ("pack/__init__.py", "pack/tests/test_a.py", "run", ".git/HEAD", ".env"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(name)
    (checkout / "run").chmod(0o700)
    (checkout / "link").symlink_to("pack/__init__.py")
    pipes = [checkout / name for name in ("pipe", "pipe.py", "test_pipe.py", "pack/pipe.py")]
    for pipe in pipes:
        os.mkfifo(pipe)
    found = project_of(str(checkout))
    assert (found.sources, found.tests) == (("pack",), ("pack/tests",))
    assert found.source_files() == ["pack/__init__.py"], "nobody reads a pipe: it has no end"
    keep_archive(found)
    (kept,) = (settings.cache_dir() / "projects" / "kept").iterdir()
    assert kept.name == f"{found.sha256}-checkout.tar.gz"
    for pipe in pipes:
        pipe.unlink()
    shutil.rmtree(checkout / ".git")
    (checkout / ".env").unlink()
    there = held(checkout)
    shutil.rmtree(checkout)
    again = project_again(stored(found))
    assert (again.release_id, again.tests) == (found.release_id, ("pack/tests",))
    assert held(again.folder) == there
    assert project_of(again.wanted).release_id == found.release_id
    (again.folder / "run").write_text("other")
    with pytest.raises(BadInput, match="it is damaged"):
        project_again(stored(found))


def test_a_link_to_a_checkout_is_the_checkout(home, tmp_path):
    (tmp_path / "flat").mkdir()
    (tmp_path / "flat" / "mod.py").write_text("x = 1\n")
    (tmp_path / "link").symlink_to("flat")
    found = project_of(str(tmp_path / "link"))
    assert found.release_id == project_of(str(tmp_path / "flat")).release_id
    (tmp_path / "flat" / "mod.py").write_text("x = 2\n")
    assert project_of(str(tmp_path / "link")).sha256 != found.sha256


@pytest.mark.parametrize("name", [b"\xff.txt", b"a/" * 101 + b"b"])
def test_a_checkout_that_no_archive_can_hold_is_one_sentence(home, tmp_path, name):
    path = tmp_path / "flat" / os.fsdecode(name)
    path.parent.mkdir(parents=True)
    path.touch()
    (tmp_path / "flat" / "mod.py").write_text("")
    with pytest.raises(BadInput, match="flat: has a file name that is no UTF-8, or is in over 100"):
        project_of(str(tmp_path / "flat"))


STRANGE = b"Name: ev\x1b[31mil\n  two\nVersion: ../../1\nLicense: \xff\x1b[2Jfree\n\n"


def test_metadata_of_a_stranger_is_one_line_of_letters(home, tmp_path):
    folder = tmp_path / "my\n\u202eflat"
    folder.mkdir()
    (folder / "mod.py").write_text("")
    (folder / "PKG-INFO").write_bytes(STRANGE)
    found = project_of(str(folder))
    assert (found.name, found.version) == ("my??flat", "unknown")
    assert found.license.isprintable()
    assert found.license.endswith("?[2Jfree")
    (folder / "PKG-INFO").write_text(f"Name: {'n' * 5000}\nVersion: 1.0\n\n")
    found = project_of(str(folder))
    assert (found.name, found.version) == ("my??flat", "1.0")


STATED = {
    'version = "1.5"\nlicense = "MIT"': ("1.5", "MIT"),
    'version = "1.5"\nlicense = {text = "Free\\nfor all"}': ("1.5", "Free"),
    'dynamic = ["version"]\nlicense = {file = "LICENSE"}': ("unknown", "unknown"),
    'version = 1.5\nlicense = ["MIT"]': ("unknown", "unknown"),
    'version = "../1"\nlicense =': ("unknown", "unknown"),
    f"version = {'[' * 5000}": ("unknown", "unknown"),
}


@pytest.mark.parametrize("text", STATED)
def test_version_and_licence_of_a_checkout_are_those_of_its_pyproject(home, tmp_path, text):
    folder = tmp_path / "flat"
    folder.mkdir()
    (folder / "mod.py").write_text("")
    (folder / "pyproject.toml").write_text(f"[project]\n{text}\n")
    found = project_of(str(folder))
    assert (found.name, found.version, found.license) == ("flat", *STATED[text])
    (folder / "PKG-INFO").write_text("Version: 2.0\nLicense: BSD\n\n")
    found = project_of(str(folder))
    assert (found.version, found.license) == ("2.0", "BSD")


def test_a_folder_that_is_no_project_is_not_read(home, tmp_path, monkeypatch):
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "a.txt").write_text("x" * 1000)
    monkeypatch.setattr(project, "LIMITS", replace(project.LIMITS, n_bytes=900))
    with pytest.raises(BadInput, match="there is no Python package or module in it"):
        project_of(str(tmp_path / "small"))
    (tmp_path / "small" / "mod.py").write_text("")
    with pytest.raises(BadInput, match="has more than 50,000 files or 900 bytes: name the folder"):
        project_of(str(tmp_path / "small"))


def test_a_checkout_that_cannot_be_kept_says_so(home, tmp_path):
    checkout = tmp_path / "flat"
    checkout.mkdir()
    (checkout / "mod.py").write_text("x = 1\n")
    first = project_of(str(checkout))
    (checkout / "mod.py").write_text("x = 2\n")
    with pytest.raises(BadInput, match="flat: changed while it was read"):
        keep_archive(first)
    (checkout / "outside").symlink_to("/etc")
    found = project_of(str(checkout))
    with pytest.raises(BadInput, match="is a link to '/etc': outside"):
        keep_archive(found)
    assert list((settings.cache_dir() / "projects" / "kept").iterdir()) == []
    again = "flat unknown is not here any more: ingest its checkout again"
    with pytest.raises(BadInput, match=f"{again} .* where no link leads outside"):
        project_again(stored(found))
