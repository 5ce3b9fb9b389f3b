"""A dataset's file: from the folder of data if it is there, else downloaded once and kept."""

import os
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path

from ingest.files import sha256_of
from ingest.problems.drafts import Source
from warehouse import settings
from warehouse.errors import AssayError, BadInput

HOW_ELSE = "name the file with --path, or the folder that holds it with ASSAY_DATA"


def dataset_file(source: Source, url: str) -> Path:
    """Return the path of the release's file.

    In ``ASSAY_DATA`` it is known by its checksum, whatever it is called. Raises BadInput where
    that is no folder or what was downloaded is not the release, AssayError where nothing was.
    """
    folder = settings.data_dir()
    if folder is not None:
        if not folder.is_dir():
            raise BadInput("no such folder (named by ASSAY_DATA)", path=folder)
        for path in _alike(folder, url.rsplit("/", 1)[-1]):
            if sha256_of(path) == source.sha256:
                return path
    return _downloaded(source, url)


def dataset_folder(source: Source, parts: Sequence[tuple[str, str]]) -> Path:
    """Return a folder that holds the files of a release: addresses, each with its SHA-256.

    In ``ASSAY_DATA`` it is one folder that has them all under their names.
    """
    names = [url.rsplit("/", 1)[-1] for url, _ in parts]
    folder = settings.data_dir()
    for first in _alike(folder, names[0]) if folder is not None else ():
        here = first.parent
        if all((here / name).is_file() for name in names) and all(
            sha256_of(here / name) == wanted for name, (_, wanted) in zip(names, parts, strict=True)
        ):
            return here
    kept = settings.cache_dir() / "datasets" / f"{source.dataset}-{source.version}"
    release = f"{source.dataset} {source.version}"
    for name, (url, wanted) in zip(names, parts, strict=True):
        pinned_file(url, wanted, kept / name, release=release, how_else=HOW_ELSE)
    return kept


def _alike(folder: Path, name: str) -> Iterator[Path]:
    """Yield the files of that name below a folder, then those of that kind."""
    kind = name[name.index(".") :] if "." in name else ""
    found = [
        Path(root) / file
        for root, _, files in os.walk(folder)
        for file in sorted(files)
        if file.endswith(kind)
    ]
    found.sort(key=lambda path: path.name != name)
    yield from (path for path in found if path.is_file())


def _downloaded(source: Source, url: str) -> Path:
    name = f"{source.dataset}-{source.version}-{url.rsplit('/', 1)[-1]}"
    return pinned_file(
        url,
        str(source.sha256),
        settings.cache_dir() / "datasets" / name,
        release=f"{source.dataset} {source.version}",
        how_else=HOW_ELSE,
    )


def pinned_file(
    url: str, sha256: str, path: Path, *, release: str, how_else: str, shown: str | None = None
) -> Path:
    """Return the path of a file that is downloaded to there unless it is there.

    Messages name the ``release``, the address as ``shown``, and ``how_else`` one gets the file.
    """
    import pooch

    shown = shown or url
    pooch.get_logger().setLevel("WARNING")
    try:
        return Path(
            pooch.retrieve(url, known_hash=f"sha256:{sha256}", path=path.parent, fname=path.name)
        )
    except ValueError as error:  # pooch's word for a wrong checksum
        raise BadInput(
            f"{shown}: what was downloaded is not the release {release}: its "
            f"checksum is another; {how_else}"
        ) from error
    except OSError as error:  # also what requests raises
        reason = f"could not be downloaded: {reason_of(error)}"
        raise AssayError(f"{shown}: {reason}; {how_else}") from error


def reason_of(error: BaseException) -> str:
    """Return in a few words why nothing was downloaded."""
    causes = list(_causes(error))
    for cause in causes:
        name = type(cause).__name__
        response = getattr(cause, "response", None)
        if response is not None:
            return f"the server answered {response.status_code} {response.reason}"
        if isinstance(cause, socket.gaierror) or "NameResolution" in name:
            return "the name of the server cannot be looked up (is there a network?)"
        if "SSL" in name or "Certificate" in name:
            return "the server's certificate cannot be verified"
        if "Proxy" in name:
            return "the proxy does not answer"
        if isinstance(cause, TimeoutError) or "Timeout" in name:
            return "the server did not answer in time"
        if isinstance(cause, ConnectionRefusedError):
            return "the server refused the connection"
    for cause in causes:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror.lower()
    return "the connection failed"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what it came from, innermost first."""
    seen: list[BaseException] = []
    left = [error]
    while left:
        each = left.pop()
        if each in seen:
            continue
        seen.append(each)
        inner = (each.__cause__, each.__context__, getattr(each, "reason", None), *each.args)
        left += [one for one in inner if isinstance(one, BaseException)]
    return reversed(seen)
