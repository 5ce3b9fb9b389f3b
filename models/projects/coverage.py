"""Lines of a project's source files: those that can be executed, and those that each test ran."""

from sqlmodel import Field

from models.base import Row


class ProjectFile(Row, table=True):
    """One row per release and source file: its executable lines."""

    project_file_id: str = Field(primary_key=True, description="Hash of release and path.")
    project_release_id: str = Field(description="The release.")
    path: str = Field(description="Path of the file, below the project.")
    lines: str = Field(description="Executable lines, from 1, such as 3-7,9; see docs/projects.md.")
    run_id: str = Field(description="The run that read it.")


class TestCoverage(Row, table=True):
    """One row per suite run, test and source file: the lines that the test ran."""

    __test__ = False  # not a pytest class

    test_coverage_id: str = Field(
        primary_key=True, description="Hash of suite run, index of the test and path."
    )
    suite_run_id: str = Field(description="The suite run, in which lines were marked.")
    test_index: int | None = Field(
        description="The test, as in suite_test; NULL: outside every test, as at import."
    )
    path: str = Field(description="Path of the file, below the project.")
    lines: str = Field(description="Executable lines that ran, from 1, such as 3-7,9.")
    run_id: str = Field(description="The run that ran it.")
