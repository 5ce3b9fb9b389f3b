"""What dbt has parsed of the project, kept between test runs; a cold parse costs twelve seconds."""

import hashlib
import os
import shutil
import sys
from importlib import metadata
from pathlib import Path

from warehouse.views.build import project_dir, project_files

FILE = Path("target") / "partial_parse.msgpack"


class ParsedProject:
    """A folder with one file: the project as dbt parsed it, named by a hash of its files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept = folder / f"{project_state()}.msgpack"

    def give(self, place: Path) -> None:
        """Put the file where dbt looks for it, unless something is there or none is kept."""
        if self.kept.exists() and not (place / FILE).exists():
            (place / FILE).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.kept, place / FILE)

    def take(self, place: Path) -> None:
        """Keep what dbt has parsed in this place, in the stead of another state of the project."""
        if self.kept.exists() or not (place / FILE).exists():
            return
        for other in self.folder.glob("*.msgpack"):
            other.unlink(missing_ok=True)
        partial = self.folder / f"{os.getpid()}.partial"
        shutil.copy(place / FILE, partial)
        partial.replace(self.kept)


def project_state() -> str:
    """Hash the project's files and the versions of what reads them."""
    project = project_dir()
    digest = hashlib.sha256(f"{project} {sys.version}".encode())
    for file in sorted(project_files(project)):
        digest.update(str(file.relative_to(project)).encode() + b"\0" + file.read_bytes())
    for library in ("dbt-core", "dbt-duckdb"):
        digest.update(f"{library}={metadata.version(library)};".encode())
    return digest.hexdigest()
