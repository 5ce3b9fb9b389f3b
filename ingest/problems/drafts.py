"""Drafts of problems, before they have keys: a dataset reader gives them to the loader."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Source:
    """Where a dataset comes from; ``sha256`` is of the file as published, None where any will do.

    ``local`` says what to give as a path where there is no one file to download. With
    ``may_be_folder`` it is also read from a folder. The dataset's own harness gives a program
    ``cpu_s`` seconds for all tests together (openai/human-eval's 3 s where it names none). It gives
    each test ``test_cpu_s`` where it limits them one by one. ``memory_mb`` is the address space of
    a program where it is not that of the policy. ``requirements`` are packages by import name. Code
    of tests that is not ``trusted`` runs in the sandbox only, beside the program.
    """

    dataset: str
    version: str
    license: str
    url: str | None
    sha256: str | None
    local: str = ""
    may_be_folder: bool = False
    cpu_s: float = 3.0
    test_cpu_s: float | None = None
    memory_mb: int | None = None
    requirements: Mapping[str, str] = field(default_factory=dict)
    trusted: bool = True


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
    function under test or SCRIPT. For repair the reference is one line, and ``entry_point`` says
    where that line is. For an edit, prompt and reference are the old and the new code, and
    ``entry_point`` says where they are. ``variants`` are other texts that put the problem, as
    (kind, text).
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
    variants: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Release:
    """The problems of a release, and how many rows gave none, by reason.

    ``version_suffix`` is what its version says beyond that of the source.
    """

    drafts: Iterable[ProblemDraft]
    left_out: Mapping[str, int]
    version_suffix: str = ""
