"""A project's source files: their functions, their executable lines, and those that tests ran."""

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


class ProjectFunction(Row, table=True):
    """One row per release, source file and definition of a function or method."""

    project_function_id: str = Field(
        primary_key=True, description="Hash of release, path and the line of def."
    )
    project_release_id: str = Field(description="The release.")
    path: str = Field(description="Path of the file, below the project.")
    qualname: str = Field(description="Qualified name, as Python's __qualname__.")
    first_line: int = Field(description="First line, from 1: that of the first decorator.")
    def_line: int = Field(description="Line of def.")
    colon_line: int = Field(description="Line of the colon that ends the header.")
    docstring_first_line: int | None = Field(
        description="First line of the docstring; NULL: there is none."
    )
    docstring_last_line: int | None = Field(
        description="Last line of the docstring; NULL: there is none."
    )
    body_first_line: int | None = Field(
        description="First line of the body below the docstring; NULL: it is a docstring alone."
    )
    last_line: int = Field(description="Last line.")
    body_is_apart: bool = Field(
        description="Whether the lines of the body hold nothing of header or docstring."
    )
    is_nested: bool = Field(description="Whether it is defined inside another function.")
    is_async: bool = Field(description="Whether it is defined with async.")
    run_id: str = Field(description="The run that read it.")
