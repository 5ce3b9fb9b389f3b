"""Problems made of real projects, and the regions that were tried for them."""

from sqlmodel import Field

from models.base import Row


class ProjectProblem(Row, table=True):
    """One row per problem that is a hole in a file of a project."""

    problem_id: str = Field(primary_key=True, description="The problem.")
    project_release_id: str = Field(description="The release of the project that has the file.")
    path: str = Field(description="Place of the file, below the project.")
    first_line: int = Field(description="First line of the hole, from 1.")
    last_line: int = Field(description="Last line of the hole.")
    run_id: str = Field(description="The run that made it.")


class RegionCheck(Row, table=True):
    """One row per region that was taken out of a file, to see whether a test notices."""

    region_check_id: str = Field(
        primary_key=True, description="Hash of release, tests, region, filling and repetition."
    )
    project_release_id: str = Field(description="The release of the project that has the file.")
    tests_key: str = Field(description="Hash of the release and its usable tests.")
    path: str = Field(description="Place of the file, below the project.")
    first_line: int = Field(description="First line of the region, from 1.")
    last_line: int = Field(description="Last line of the region.")
    filling: str = Field(description="What took its place: nothing, or pass.")
    repetition: int = Field(description="Which check of this region it was, from 1.")
    verdict: str = Field(description="Verdict on the project without the region.")
    run_id: str = Field(description="The run that checked it.")
