"""JSON documents of a zip archive, read within bounds; nothing of it is unpacked onto the disk."""

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ingest.files import UNPACKED_FREELY_BYTES, UNPACKED_RATIO, opened
from warehouse.errors import BadInput

MAX_MEMBERS = 1_000_000


def json_members(path: Path) -> Mapping[str, Any]:
    """Return the JSON value of each member of an archive, in the order of the archive.

    Raises BadInput for a name that leaves the archive, and for two members of one name. Also for an
    archive that unpacks to more than a file of its size may.
    """
    with _archive(path) as archive:
        members = archive.infolist()
        if len(members) > MAX_MEMBERS:
            raise BadInput(f"has more than {MAX_MEMBERS:,} members", path=path)
        left = max(UNPACKED_FREELY_BYTES, UNPACKED_RATIO * path.stat().st_size)
        found: dict[str, Any] = {}
        for member in members:
            name = member.filename
            _check_name(name, path)
            if name in found:
                raise BadInput("the archive has two members of this name", path=path, row=name)
            left -= member.file_size  # no more is read: zipfile stops there, and compares a sum
            if left < 0:
                raise BadInput("unpacks to too many bytes for its size", path=path, row=name)
            found[name] = _value(archive.read(member), path, name)
    return found


def archive_of(members: Mapping[str, Any]) -> bytes:
    """Return an archive with a JSON document for each member; equal members give equal bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            text = json.dumps(value, ensure_ascii=False)
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


@contextmanager
def _archive(path: Path) -> Iterator[zipfile.ZipFile]:
    with opened(path, unpack=False) as file:
        try:
            with zipfile.ZipFile(file) as archive:
                yield archive
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise BadInput(f"the archive is cut short or damaged ({error})", path=path) from error
        except (NotImplementedError, RuntimeError) as error:
            raise BadInput(f"the archive cannot be unpacked ({error})", path=path) from error


def _check_name(name: str, path: Path) -> None:
    parts = name.split("/")
    if not name.isprintable() or "\\" in name or ":" in name or {"", ".", ".."} & set(parts):
        raise BadInput("the name of a member leaves the archive", path=path, row=repr(name))


def _value(data: bytes, path: Path, name: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not JSON: {error}", path=path, row=name) from error
