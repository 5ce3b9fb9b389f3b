"""What dbt has parsed and sent, kept between test runs; a cold build costs half a minute."""

import hashlib
import os
import shutil
import sys
from pathlib import Path

from warehouse.views.project import project_dir, project_state

FILE = Path("target") / "partial_parse.msgpack"
LOCK = "lock"
"""One dbt at a time, of all that run tests: the others send what it has sent."""


class ParsedProject:
    """A folder with the project as dbt parsed it, and with the statements of builds."""

    def __init__(self, folder: Path) -> None:
        state = hashlib.sha256(f"{project_dir()} {sys.version} {project_state()}".encode())
        self.folder = folder
        self.kept = folder / f"{state.hexdigest()}.msgpack"
        self.statements = folder / "statements"

    def give(self, place: Path) -> None:
        """Put all where builds look for it, unless something is there or none is kept."""
        if self.kept.exists() and not (place / FILE).exists():
            (place / FILE).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.kept, place / FILE)
        self.statements.mkdir(exist_ok=True)
        place.mkdir(parents=True, exist_ok=True)
        for shared in (self.statements, self.folder / LOCK):
            if not os.path.lexists(place / shared.name):
                (place / shared.name).symlink_to(shared)

    def take(self, place: Path) -> None:
        """Keep what dbt has parsed in this place, in the stead of another state of the project."""
        if self.kept.exists() or not (place / FILE).exists():
            return
        for other in self.folder.glob("*.msgpack"):
            other.unlink(missing_ok=True)
        partial = self.folder / f"{os.getpid()}.partial"
        shutil.copy(place / FILE, partial)
        partial.replace(self.kept)
