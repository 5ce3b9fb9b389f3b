"""Problems, their tests, and the releases they came in."""

from sqlmodel import Field

from models.base import Row
from models.words import SCRIPT


class DatasetRelease(Row, table=True):
    """One row per distinct release of a dataset that was ingested."""

    release_id: str = Field(primary_key=True, description="Hash of dataset, version and checksum.")
    dataset: str = Field(description="Short name, such as humaneval.")
    version: str = Field(description="Version of the release and of the rules that restructure it.")
    source: str = Field(description="Where the file came from: repository and commit, or URL.")
    license: str = Field(description="Licence of the data.")
    sha256: str = Field(description="Checksum of the file read.")
    n_problems: int = Field(description="Problems in the release.")
    run_id: str = Field(description="The run that ingested it.")


class OwnRelease(Row, table=True):
    """One row per release of a dataset that a file of the user's describes: its terms."""

    release_id: str = Field(primary_key=True, description="The release.")
    cpu_s: float = Field(description="CPU seconds that its harness gives all tests together.")
    test_cpu_s: float | None = Field(description="And each test; NULL where none is limited alone.")
    memory_mb: int | None = Field(description="Address space of a program; NULL for the policy's.")
    requirements: str = Field(
        description="JSON: packages by the name under which they are imported."
    )
    trusted: bool = Field(description="Whether code of its tests may run outside the sandbox.")
    run_id: str = Field(description="The run that ingested it.")


class DatasetEnvironment(Row, table=True):
    """One row per release that needs packages, and each time that these were locked."""

    dataset_environment_id: str = Field(primary_key=True, description="Hash of release and run.")
    release_id: str = Field(description="The release.")
    environment_id: str = Field(
        description="The lock, in raw.project_environment: the packages that can be fetched."
    )
    missing: str = Field(
        description="JSON: why a package cannot be fetched, by package; its problems are rejected."
    )
    run_id: str = Field(description="The run that locked them.")


class Problem(Row, table=True):
    """One row per problem: prompt + reference + suffix is a program, or it is a repair or edit."""

    problem_id: str = Field(primary_key=True, description="Hash of all that defines the problem.")
    release_id: str = Field(description="The release it belongs to.")
    dataset: str = Field(description="Short name of the dataset.")
    task_id: str = Field(description="The dataset's own name of the task, such as HumanEval/0.")
    position: int = Field(description="Order within the release, from 0.")
    entry_point: str = Field(
        description=f"The function under test; {SCRIPT} for a program that reads standard input; "
        "for repair, the file and line to be repaired; for an edit, where it is; for a project, "
        "the file and lines of the hole; for a line of a benchmark, the function under test."
    )
    prompt: str = Field(
        description="Visible code, signature and docstring; for repair, the lines around the bug; "
        "for an edit, the old code."
    )
    reference: str = Field(
        description="Completion that solves it, empty where the dataset has none; for repair, the "
        "right line; for an edit, the new code."
    )
    suffix: str = Field(description="Code that follows the function, before the tests.")
    setup_code: str = Field(description="Code run after the candidate and before the tests.")
    test_code: str | None = Field(
        description="Module whose asserts are the tests, in order; NULL for other tests, or none."
    )
    compare: str = Field(description="How outputs are compared: see judging/sandbox/compare.")
    atol: float = Field(description="Absolute tolerance for floats in outputs; 0 is exact.")
    difficulty: str | None = Field(description="The dataset's own difficulty.")
    tags: str = Field(description="JSON list, such as mbpp_cal75 or lines_before:3.")
    tests_key: str = Field(description="Hash of everything that decides a verdict but the code.")
    run_id: str = Field(description="The run that ingested it.")


class Test(Row, table=True):
    """One row per test of a problem: an assert of test_code, one input, or what a program reads."""

    __test__ = False  # not a pytest class

    test_id: str = Field(primary_key=True, description="Hash of problem, suite and index.")
    problem_id: str = Field(description="The problem.")
    test_index: int = Field(description="Order within the problem, from 0, over all suites.")
    suite: str = Field(description="base or plus.")
    kind: str = Field(description="assert, io, stdio or call.")
    body: str = Field(
        description="Source of the assert; encoded argument list (io); encoded pair of stdin and "
        "stdout, or (call) of argument list and expected output."
    )
    run_id: str = Field(description="The run that ingested it.")


class Variant(Row, table=True):
    """One row per form in which a problem was put to a language model."""

    variant_id: str = Field(primary_key=True, description="Hash of problem, kind and prompt.")
    problem_id: str = Field(description="The problem.")
    kind: str = Field(
        description="original, cut, hole, comment (what a person said of an edit), function, "
        "function_without_docstring, or the name of an import format or a mutation."
    )
    parent_variant_id: str | None = Field(description="The variant it was made from.")
    prompt: str = Field(description="The text a completion continues.")
    seed: int | None = Field(description="Seed of the mutation.")
    run_id: str = Field(description="The run that made it.")


class Region(Row, table=True):
    """One row per variant whose prompt ends where code was taken out, to be written again."""

    variant_id: str = Field(primary_key=True, description="The variant: the code before it.")
    problem_id: str = Field(description="The problem.")
    rule: str = Field(
        description="How it was chosen: body_v1 is the whole body of a function, regions_v1 "
        "statements of a project."
    )
    code: str = Field(description="The code that was taken out: whole lines.")
    suffix: str = Field(description="The code after it.")
    run_id: str = Field(description="The run that made it.")
