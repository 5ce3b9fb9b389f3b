"""A package index on this machine that lists one made-up project, and its archive."""

import gzip
import hashlib
import http.server
import io
import json
import tarfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

FILES = {
    "PKG-INFO": "Metadata-Version: 2.1\nName: small-things\nVersion: 1.0\nLicense: MIT\n more\n",
    "setup.py": "raise SystemExit('the build backend was run')\n",
    "src/small_things/__init__.py": "raise SystemExit('the project was run')\n",
    "src/small_things/core.py": "def one():\n    return 1\n",
    "src/small_things/old.py": "print 'Python 2'\n",
    "tests/test_core.py": "def test_one():\n    pass\n",
}
PAGE = "/simple/small-things/"
FILE = "/files/small_things-1.0.tar.gz"


def sdist(files: Mapping[str, str] = FILES, top: str = "small_things-1.0/") -> bytes:
    """Return a .tar.gz of these files; equal files make equal bytes."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(top + name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return gzip.compress(data.getvalue(), mtime=0)


def listed(file: str, data: bytes = b"", **more: object) -> dict[str, Any]:
    """Return what the index says of a file."""
    hashes = {"sha256": hashlib.sha256(data).hexdigest()}
    return {"filename": file, "url": f"../../files/{file}", "hashes": hashes} | more


class Index:
    """What the index serves, by path, and what it was asked."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.accepted: list[tuple[str, str | None]] = []
        self.url = ""

    def page(self, *files: Mapping[str, Any], **more: object) -> None:
        """List these files as those of the project."""
        self.files[PAGE] = json.dumps({"files": files, **more}).encode()

    def offer(self, archive: bytes) -> None:
        """List and serve an archive as the source distribution of version 1.0."""
        self.page(
            listed("small_things-0.9.zip"),
            listed("Small.Things-1.0.zip"),
            listed("small_things-1.0.tar.gz", archive),
            listed("small_things-1.0-py3-none-any.whl"),
            listed("small_things-1.1-py3-none-any.whl"),
            listed("small_things_more-3.0.tar.gz"),
        )
        self.files[FILE] = archive


@contextmanager
def package_index() -> Iterator[Index]:
    """Serve an index that lists the made-up project; its address has a name and a password."""
    found = Index()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.accepted.append((self.path, self.headers["Accept"]))
            self.send_response(200 if self.path in found.files else 404)
            self.end_headers()
            self.wfile.write(found.files.get(self.path, b""))

        def log_message(self, *_: object) -> None:
            pass

    found.offer(sdist())
    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        found.url = f"http://user:secret@127.0.0.1:{server.server_port}/simple"
        yield found
        server.shutdown()
