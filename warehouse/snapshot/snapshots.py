"""The published snapshots: readers open the folder that ``current`` points at."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warehouse import settings
from warehouse.checksums import file_sha256
from warehouse.errors import AssayError, CheckFailed

CURRENT = "current"
DATABASE = "assay.duckdb"
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Snapshot:
    """One published snapshot: a folder that never changes."""

    folder: Path
    manifest: dict[str, Any]

    @property
    def snapshot_id(self) -> str:
        """The snapshot's name, which begins with the UTC time of its making."""
        return str(self.manifest["snapshot_id"])

    @property
    def database(self) -> Path:
        """The DuckDB file."""
        return self.folder / DATABASE

    @property
    def versions(self) -> dict[str, str]:
        """Return the versioned view behind each plain view name."""
        return dict(self.manifest["versions"])


def current() -> Snapshot:
    """Return the newest published snapshot; raises AssayError when there is none yet."""
    link = settings.snapshot_dir() / CURRENT
    if not link.exists():
        missing = f"no snapshot in {settings.snapshot_dir()}"
        if not settings.warehouse_path().exists():
            raise AssayError(
                f"{missing}, and no warehouse: run `assay ingest starter` to begin one"
            )
        raise AssayError(f"{missing} yet: run `assay publish`")
    # resolved once: a reader keeps to one snapshot while another is swapped in
    return in_folder(link.resolve())


def in_folder(folder: Path) -> Snapshot:
    """Return the snapshot in a folder; raises AssayError where there is none."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AssayError(f"{folder / MANIFEST}: not a readable manifest ({error})") from error
    return Snapshot(folder, manifest)


def verify_current() -> int:
    """Compare every file of the current snapshot with its manifest; return how many there are.

    Returns 0 when nothing is published yet; raises CheckFailed naming the first file that differs.
    """
    if not (settings.snapshot_dir() / CURRENT).exists():
        return 0
    snapshot = current()
    files = snapshot.manifest["files"]
    for name, facts in files.items():
        path = snapshot.folder / name
        if not path.is_file() or file_sha256(path) != facts["sha256"]:
            raise CheckFailed(f"{path}: not the file that was published")
    return len(files)
