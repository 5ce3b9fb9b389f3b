"""Releases of real projects, and the environments of their tests."""

from sqlmodel import Field

from models.base import Row


class ProjectRelease(Row, table=True):
    """One row per project, version and content."""

    project_release_id: str = Field(
        primary_key=True, description="Hash of project, version and SHA-256."
    )
    project: str = Field(description="Name of the project, as it spells it.")
    version: str = Field(description="Version of the project, or unknown.")
    license: str = Field(description="Licence of the project, or unknown.")
    sha256: str = Field(description="SHA-256 of the archive, or over the files of a checkout.")
    source: str = Field(description="File name of the archive, or checkout.")
    is_curated: bool = Field(description="Whether this release is on the curated list.")
    sources: str = Field(description="JSON list: places of the source, below the project.")
    tests: str = Field(description="JSON list: places of the tests, below the project.")
    run_id: str = Field(description="The run that ingested it.")


class ProjectEnvironment(Row, table=True):
    """One row per lock: the packages that a suite, or a dataset's programs, run with."""

    environment_id: str = Field(primary_key=True, description="Hash of the lock.")
    python: str = Field(description="Version of Python and platform that the lock holds for.")
    n_packages: int = Field(description="Packages in the lock.")
    lock: str = Field(description="One line per package: version, and SHA-256 of its wheel.")
    run_id: str = Field(description="The run that locked it.")
