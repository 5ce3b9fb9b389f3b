"""What a dataset reader hands to the loader: problems before they have keys."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Source:
    """Where a dataset comes from; ``sha256`` is of the file as published, None for our own."""

    dataset: str
    version: str
    license: str
    url: str | None
    sha256: str | None


@dataclass(frozen=True)
class TestDraft:
    """One test: the source of an assert, or an encoded argument list."""

    __test__ = False  # not a pytest class

    suite: str
    kind: str
    body: str


@dataclass(frozen=True)
class ProblemDraft:
    """One problem; ``prompt + reference + suffix`` is a whole program. ``row`` is its line."""

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
