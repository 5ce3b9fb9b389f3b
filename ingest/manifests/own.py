"""A dataset that is described by a file: a user's own, or one that comes with a manifest here.

A file of rows is a dataset by itself. A folder holds a ``dataset.toml`` and the files that it
names, or all files of rows beside it. The version is the hash of the content, behind the version
that the manifest states.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ingest.fields import Fields
from ingest.files import files_under, sha256_of
from ingest.manifests.columns import as_problem_row
from ingest.manifests.manifest import FILE_NAME, Manifest, RowFile, read_manifest
from ingest.manifests.problems import KEYS, problem_of
from ingest.manifests.rows import ENDINGS, table_rows
from ingest.problems.dataset import Dataset
from ingest.problems.drafts import ProblemDraft, Source
from ingest.problems.programs import PROGRAMS
from warehouse.errors import BadInput

NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
"""Names of datasets of users: those of projects have a hyphen."""

N_DIGITS = 12
"""How many digits of the hash name a version."""


ALONE = RowFile("")
"""The file of a dataset that is one file."""


def manifest_of(path: Path) -> Manifest:
    """Return the manifest of a folder, or that of a file alone, which says nothing."""
    if not path.is_dir():
        return Manifest(files=(ALONE,))
    if not (path / FILE_NAME).is_file():
        raise BadInput(f"the folder has no {FILE_NAME}: name a file of rows, or add one", path=path)
    manifest = read_manifest(path / FILE_NAME, below=path)
    for file in manifest.files:
        if file.sha256 and file.sha256.lower() != (found := sha256_of(_inside(path, file))):
            what = f"its SHA-256 is {found}, and {FILE_NAME} says {file.sha256}"
            raise BadInput(
                f"{what}: take the right file, or leave sha256 out", path=path / file.name
            )
    return manifest if manifest.files else _with_all_files(manifest, path)


def own_dataset(
    path: Path, name: str, *, stated_license: str | None = None, trusted: bool = False
) -> Dataset:
    """Return the dataset in a file or folder of the user's, under a name.

    ``trusted`` says that the code of its tests may run outside the sandbox.
    """
    manifest = manifest_of(path)
    sha256 = sha256_of(path)
    version = " ".join(filter(None, (manifest.version, sha256[:N_DIGITS])))
    source = Source(
        dataset=name,
        version=f"{version}, tests trusted" if trusted else version,
        license=stated_license or manifest.license,
        url=manifest.source or path.name,
        sha256=sha256,
        may_be_folder=True,
        requirements=manifest.requirements,
        trusted=trusted,
        **manifest.limits,  # type: ignore[arg-type]
    )
    return Dataset(source, PROGRAMS, lambda place: _problems(place, manifest))


def listed_dataset(path: Path) -> Dataset:
    """Return the dataset of a manifest that comes with Assay; its files lie elsewhere."""
    manifest = read_manifest(path)
    files = manifest.files
    parts = tuple((str(file.url), str(file.sha256)) for file in files)
    several = len(files) > 1
    source = Source(
        dataset=str(manifest.name),
        version=str(manifest.version),
        license=manifest.license,
        url=manifest.source if several else parts[0][0],
        sha256=_sum_of([(file.name, str(file.sha256)) for file in files]),
        may_be_folder=several,
        requirements=manifest.requirements,
        **manifest.limits,  # type: ignore[arg-type]
    )
    return Dataset(
        source,
        PROGRAMS,
        lambda place: _problems(place, manifest),
        checksum=lambda place: _sum_of(
            [(file.name, sha256_of(_inside(place, file))) for file in files]
        ),
        inputs=lambda place: [_inside(place, file) for file in files],
        parts=parts if several else (),
    )


def _sum_of(files: list[tuple[str, str]]) -> str:
    """Return the SHA-256 of a file; of several, that over their names and sums."""
    if len(files) == 1:
        return files[0][1]
    lines = "".join(f"{name} {sha256}\n" for name, sha256 in files)
    return hashlib.sha256(lines.encode()).hexdigest()


def _inside(path: Path, file: RowFile) -> Path:
    inside = path / file.name if path.is_dir() else path
    if path.is_dir() and not inside.is_file():
        raise BadInput("the manifest names this file, and it is not there", path=inside)
    return inside


def rows_of(path: Path, manifest: Manifest) -> Iterator[tuple[Fields, RowFile]]:
    """Yield the rows of a dataset as its files have them, with the file of each."""
    for file in manifest.files:
        for row in table_rows(_inside(path, file), below=path if path.is_dir() else None):
            yield row, file


def draft_of(row: Fields, file: RowFile, manifest: Manifest) -> ProblemDraft:
    """Return the problem of one row; raises BadInput for a row that gives none.

    Its row names the file too, where the dataset is a folder.
    """
    templates = {**manifest.problem, **file.problem}
    if file.tags:
        templates["tags"] = [*templates.get("tags", []), *file.tags]
    ignored = (*manifest.ignore, *file.ignore)
    draft = problem_of(as_problem_row(row, templates, ignored, KEYS), manifest.requirements)
    return draft if file is ALONE else replace(draft, row=f"{file.name}:{row.row}")


def _problems(path: Path, manifest: Manifest) -> Iterator[ProblemDraft]:
    for row, file in rows_of(path, manifest):
        yield draft_of(row, file, manifest)


def _with_all_files(manifest: Manifest, folder: Path) -> Manifest:
    names = [file.relative_to(folder).as_posix() for file in files_under(folder)]
    found = tuple(RowFile(name) for name in names if name.endswith(ENDINGS))
    if not found:
        raise BadInput(
            f"no file of rows is here: its name ends with {', '.join(ENDINGS)}", path=folder
        )
    return Manifest(**{**vars(manifest), "files": found})
