"""Drafts of problems, before they have keys: a dataset reader gives them to the loader."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Source:
    """Where a dataset comes from; ``sha256`` is of the file as published, None where any will do.

    ``local`` says what to give as a path where there is no one file to download. ``task`` is what
    its problems ask for: synthesis or repair. With ``folder`` it may also be read from a folder.
    The dataset's own harness gives a program ``cpu_s`` seconds for all tests together
    (openai/human-eval's 3 s where it has none of its own), and each test ``test_cpu_s`` where it
    limits them one by one.
    """

    dataset: str
    version: str
    license: str
    url: str | None
    sha256: str | None
    task: str = "synthesis"
    local: str = ""
    folder: bool = False
    cpu_s: float = 3.0
    test_cpu_s: float | None = None


@dataclass(frozen=True)
class TestDraft:
    """One test: the source of an assert, or what is given, encoded: see models.datasets.Test."""

    __test__ = False  # not a pytest class

    suite: str
    kind: str
    body: str


@dataclass(frozen=True)
class ProblemDraft:
    """One problem; ``row`` is its line.

    For synthesis ``prompt + reference + suffix`` is a whole program, and ``entry_point`` the
    function under test or SCRIPT; for repair the reference is one line, and ``entry_point`` says
    where it stands.
    """

    task_id: str
    entry_point: str
    prompt: str
    reference: str
    tests: tuple[TestDraft, ...]
    row: int | str
    suffix: str = ""
    setup_code: str = ""
    test_code: str | None = None
    compare: str = "exact"
    atol: float = 0.0
    difficulty: str | None = None
    tags: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Release:
    """The problems of a release, how many rows gave none, by reason, and what to call it."""

    drafts: Iterable[ProblemDraft]
    left_out: Mapping[str, int]
    edition: str = ""
