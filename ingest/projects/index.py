"""Source distributions as a package index lists them (PEP 691), fetched by checksum.

The index is the one that pip uses. pip itself does not fetch the archive, because it would run the
project's build backend to read metadata.
"""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit, urlunsplit

from ingest.download import pinned_file, reason_of
from ingest.files import sha256_of
from warehouse import settings
from warehouse.errors import AssayError, BadInput

ACCEPT = {"Accept": "application/vnd.pypi.simple.v1+json"}

NAME = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?", re.IGNORECASE)
VERSION = re.compile(r"[\w.!+-]+", re.ASCII)
SHA256 = re.compile(r"[0-9a-f]{64}")
HOW_ELSE = "name an archive or a checkout of the project by its path"


@dataclass(frozen=True)
class SourceDistribution:
    """One archive of source code: ``file`` is its name, ``sha256`` is of the whole archive."""

    name: str
    version: str
    file: str
    url: str
    sha256: str


def normalized(name: str) -> str:
    """Return the name of a project as an index spells it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def unfit_release(name: str, version: str) -> str:
    """Return why NAME==VERSION can be no release of a project, or nothing."""
    if NAME.fullmatch(name) and VERSION.fullmatch(version):
        return ""
    return f"{name}=={version} is not the name and version of a project"


def archive_of(name: str, version: str, sha256: str | None = None) -> tuple[Path, str]:
    """Return the path and the SHA-256 of NAME==VERSION's source distribution, fetched once.

    With ``sha256``, an archive that is in the cache already is used without the index. Raises
    BadInput where the index lists no such archive, AssayError where index or archive is out of
    reach.
    """
    folder = settings.cache_dir() / "projects"
    if sha256 is not None:
        for kept in folder.glob(f"{sha256}-*"):
            if sha256_of(kept) == sha256:
                return kept, sha256
    found = source_distribution(index_url(), name, version, sha256)
    kept = pinned_file(
        found.url,
        found.sha256,
        folder / f"{found.sha256}-{found.file}",
        release=f"{name} {version}",
        how_else=HOW_ELSE,
        shown=_shown(found.url),
    )
    return kept, found.sha256


def index_url() -> str:
    """Return the address of pip's index: PIP_INDEX_URL, pip's configuration, or pip's default."""
    found = os.environ.get("PIP_INDEX_URL")
    # ``config get`` reads one file of several; and pip names its default in its help alone
    for pattern, asked in (
        (r"^global\.index-url='(\S+)'$", ("config", "list")),
        (r"--index-url <url>[^(]*\(default (\S+)\)", ("download", "--help")),
    ):
        if not found and (words := re.search(pattern, _pip(*asked), re.MULTILINE)):
            found = words[1]
    if not found:
        why = "pip names none" if _pip("--version") else f"{sys.executable} has no pip that runs"
        raise AssayError(f"no package index is known, for {why}: set PIP_INDEX_URL")
    if not _on_the_web(found):
        raise BadInput(f"the package index {_shown(found)} is not on the web: set PIP_INDEX_URL")
    return found


def source_distribution(
    index: str, name: str, version: str, sha256: str | None = None
) -> SourceDistribution:
    """Return what an index lists as the source distribution of NAME==VERSION.

    Raises BadInput where it lists none, or none with the SHA-256 that is given.
    """
    if reason := unfit_release(name, version):
        raise BadInput(reason)
    page_url = f"{index.rstrip('/')}/{normalized(name)}/"
    page = _page(page_url, name)
    try:
        found = list(_listed(page, page_url, name))
        listed = {*page.get("versions", ()), *_built(page), *(each.version for each in found)}
        versions = {each for each in listed if VERSION.fullmatch(each)}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        reason = f"does not list {name} as PEP 691 says ({type(error).__name__}: {error})"
        raise BadInput(f"the package index {_shown(index)} {reason}") from error
    right = [each for each in found if each.version == version]
    if not right and version in versions:
        raise BadInput(f"{name} {version} has no source distribution, only built ones: {HOW_ELSE}")
    if not right:
        raise BadInput(f"{name} has no version {version}{_nearest(version, versions)}")
    fitting = [each for each in right if sha256 in (None, each.sha256)]
    if not fitting:
        raise BadInput(
            f"{right[0].file}: the sha256 of {name} {version} is {right[0].sha256} in the package "
            f"index, not the pinned {sha256}: the archive was replaced, so it is not fetched"
        )
    return min(fitting, key=lambda each: each.file.endswith(".zip"))


def _pip(*arguments: str) -> str:
    """Return what pip prints, nothing where it fails; no module of the working folder is run."""
    # on long lines, for addresses would be wrapped
    command = [sys.executable, "-P", "-m", "pip", *arguments]
    environment = {**os.environ, "COLUMNS": "10000"}
    return subprocess.run(command, env=environment, capture_output=True, text=True).stdout


def _page(url: str, name: str) -> Mapping[str, Any]:
    """Return what the index says of a project."""
    import pooch

    answer = io.BytesIO()
    try:
        pooch.HTTPDownloader(headers=ACCEPT)(url, answer, None)
        page = json.loads(answer.getvalue())
    except OSError as error:  # also what requests raises
        if getattr(getattr(error, "response", None), "status_code", None) == 404:
            raise BadInput(f"the package index {_shown(url)} has no project {name}") from error
        reason = f"the package index {_shown(url)} cannot be asked: {reason_of(error)}"
        raise AssayError(f"{reason}; {HOW_ELSE}") from error
    except (ValueError, RecursionError) as error:
        reason = "does not answer in JSON (PEP 691): set PIP_INDEX_URL to one that does"
        raise BadInput(f"the package index {_shown(url)} {reason}") from error
    if not isinstance(page, Mapping):
        raise BadInput(f"the package index {_shown(url)} answers with no JSON object")
    return page


def _listed(page: Mapping[str, Any], page_url: str, name: str) -> Iterator[SourceDistribution]:
    """Yield the source distributions of a page that have a SHA-256."""
    spelled = "[-_.]+".join(map(re.escape, normalized(name).split("-")))
    is_source = re.compile(rf"{spelled}-({VERSION.pattern}?)\.(tar\.gz|zip)", re.I | re.ASCII)
    for each in page["files"]:
        parts = is_source.fullmatch(each["filename"])
        sha256 = each["hashes"].get("sha256", "")
        if parts and SHA256.fullmatch(sha256):
            url = urljoin(page_url, each["url"])
            if not _on_the_web(url):
                raise ValueError(f"{url!r} is not on the web")
            yield SourceDistribution(name, parts[1], each["filename"], url, sha256)


def _built(page: Mapping[str, Any]) -> set[str]:
    """Return the versions that have a wheel."""
    names = [each["filename"] for each in page["files"]]
    return {name.split("-")[1] for name in names if name.endswith(".whl") and "-" in name}


def _nearest(version: str, versions: set[str]) -> str:
    """Return the end of a message: at most two versions before a missing one, and two after it."""

    def key(each: str) -> tuple[list[int], str]:
        return [int(number[:18]) for number in re.findall(r"\d+", each)], each

    known = sorted(versions, key=key)
    place = sum(key(each) < key(version) for each in known)
    near = known[max(place - 2, 0) : place + 2]
    return f": the nearest are {', '.join(near)}" if near else ", nor any other"


def _on_the_web(url: str) -> bool:
    return urlsplit(url).scheme in ("http", "https")


def _shown(url: str) -> str:
    """Return an address without a password."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], *parts[2:]))
