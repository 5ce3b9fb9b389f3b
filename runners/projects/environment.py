"""What a project's tests need beside it: the requirements of their environment."""

import re
from email import message_from_bytes
from pathlib import Path

from ingest.manifests.requirements import REQUIREMENT
from ingest.projects.project import Project
from warehouse.errors import BadInput

RUNNER = ("pytest",)
EXTRA = re.compile(r";.*\bextra\b")


def requirements_of(project: Project) -> list[str]:
    """Return what a project's tests need, sorted: pytest, what it requires, what is curated.

    Raises BadInput for a requirement that is no name with versions, such as an address.
    """
    headers = project.folder / "PKG-INFO"
    metadata = message_from_bytes(headers.read_bytes() if headers.is_file() else b"")
    needed = [each for each in metadata.get_all("Requires-Dist", []) if not EXTRA.search(each)]
    needed = needed or _listed_beside(project.folder)
    curated = project.curated.requires if project.curated else ()
    found = sorted({" ".join(str(each).split()) for each in (*RUNNER, *needed, *curated)})
    for each in found:
        if not REQUIREMENT.fullmatch(each):
            reason = f"requires {each[:100]!r}: only names with versions are fetched"
            raise BadInput(f"{project.name} {project.version} {reason}")
    return found


def _listed_beside(folder: Path) -> list[str]:
    """Return what older sdists list in ``requires.txt``; a section ``[extra:marker]`` follows."""
    found, marker = [], ""
    for file in sorted(folder.glob("*.egg-info/requires.txt"))[:1]:
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("["):
                extra, _, marker = line.strip("[] ").partition(":")
                if extra or not marker:
                    break
            elif line.strip():
                found.append(f"{line.strip()} ; {marker}" if marker else line.strip())
    return found
