"""Parameters of the verbs that write reports; to list them loads nothing that draws or queries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from warehouse.parameters import COUNT, RESAMPLES, Choice, Range, Spec, counts
from warehouse.reports.papers import PAPERS

SUFFIXES = {"csv": "csv", "md": "md", "parquet": "parquet", "latex": "tex", "html": "html"}
ENDINGS = frozenset(f".{suffix}" for suffix in (*SUFFIXES.values(), "pdf"))
"""Names of files with these endings say what is inside."""
FOR_EYES = ("md", "latex", "html")
PAPER_FORMATS = ("latex", "csv", "md")
VERSION = Range(1, whole=True)


@dataclass(frozen=True)
class LeaderboardSpec(Spec):
    """Which rows of the leaderboard are shown; ``simulated``: only such language models, or none.

    Without ``view_version`` it is the newest view, without ``columns`` those of the presentation;
    ``k`` has those of pass@k, where they are not the view's own.
    """

    dataset: str | None = None
    view_version: Annotated[int | None, VERSION] = None
    simulated: bool | None = None
    columns: Sequence[str] = ()
    k: Annotated[Sequence[str], counts] = ()
    warehouse: bool = False


@dataclass(frozen=True)
class CompareSpec(Spec):
    """Which two language models are compared; ``a`` and ``b`` the same: settings of one.

    Without ``k`` it is each k there is. ``flips`` lists the problems that differ. ``replicates``
    counts the resamples of AUROC, ECE and skill, for a pair that the view lacks; None for the
    default. ``claimed`` compares what others claim, under each metric of the claimants unless one
    is named.
    """

    a: str
    b: str
    dataset: str | None = None
    metric: str | None = None
    k: Annotated[int | None, COUNT] = None
    setting_a: str | None = None
    setting_b: str | None = None
    flips: bool = False
    replicates: Annotated[int | None, RESAMPLES] = None
    claimed: bool = False
    warehouse: bool = False

    def conflicts(self) -> Iterator[tuple[str, str]]:
        """Yield what claims do not have: k and settings."""
        for name in ("k", "setting_a", "setting_b", "replicates"):
            if self.claimed and getattr(self, name) is not None:
                yield name, "claims have none: leave it out with --claimed"


@dataclass(frozen=True)
class WhySpec(Spec):
    """Which row of a mart is explained: ``row`` is one condition in SQL, or words as name=value.

    ``column`` is the only one that is explained; ``generations`` lists all, not the first alone.
    """

    view: str
    row: Sequence[str] = ()
    column: str | None = None
    generations: bool = False
    sql: bool = False
    warehouse: bool = False


@dataclass(frozen=True)
class CiteSpec(Spec):
    """What is cited: an exported file by its record, views, datasets; without any, Assay itself."""

    export: Path | None = None
    view: Sequence[str] = ()
    dataset: Sequence[str] = ()


@dataclass(frozen=True)
class SiteSpec(Spec):
    """Where a site of static pages goes: a folder, or a single file with everything inside.

    Without ``out`` it goes to a folder of today's date. ``sql`` asks for a page for queries; None
    has it where its engine is in the cache.
    """

    out: Path | None = None
    single_file: bool = False
    sql: bool | None = None
    warehouse: bool = False

    def conflicts(self) -> Iterator[tuple[str, str]]:
        """Yield what does not go together: queries, whose data are a snapshot's, and none."""
        if self.sql and self.warehouse:
            yield "sql", "goes with a snapshot: leave out --warehouse"


@dataclass(frozen=True)
class ExportSpec(Spec):
    """What is exported, and how it looks.

    A plain view name is resolved to its newest version, which is what the record names. ``columns``
    keeps some, in that order; ``intervals``, ``percent`` and ``decimals`` shape Markdown, LaTeX and
    HTML only. ``drop_empty`` leaves out columns without any value; None does so for these three,
    unless ``columns`` names them. Without ``out`` the file goes to a folder of today's date.
    """

    view: str | None = None
    sql: str | None = None
    format: Annotated[str, Choice(SUFFIXES)] = "csv"
    out: Path | None = None
    columns: Sequence[str] = ()
    intervals: bool = True
    percent: bool = True
    decimals: Annotated[int, Range(0, 6, whole=True)] = 2
    raw: bool = False
    drop_empty: bool | None = None
    warehouse: bool = False

    def conflicts(self) -> Iterator[tuple[str, str]]:
        """Yield what does not go together: a view and a query, a format and raw, or a file name."""
        if (self.view is None) == (self.sql is None):
            yield "", "name either a view or a query (sql)"
        if self.raw and self.format != "csv":
            yield "raw", f"goes with CSV, not with {self.format}"
        if self.out is not None and not self.out.is_dir():
            ending = self.out.suffix.lower()
            if ending in ENDINGS and ending != f".{SUFFIXES[self.format]}":
                yield "out", f"ends in {ending}, but the format is {self.format}: mend one of them"

    @property
    def is_laid_out(self) -> bool:
        """Whether it is laid out as the view is shown."""
        return self.format in FOR_EYES and not self.columns


@dataclass(frozen=True)
class PaperSpec(Spec):
    """Which paper's tables are exported, of which version of the views; in one format, or three.

    ``beside`` writes one table of each number that the paper prints, ours beside it, in place of
    the tables. ``drop_empty`` leaves out columns without any value; None does so for what is for
    eyes, as in every export. ``pdf`` makes a preview of the LaTeX tables. Without ``out`` the files
    go to a folder of today's date.
    """

    paper: Annotated[str, Choice(PAPERS)]
    version: Annotated[int, VERSION] = 1
    format: Annotated[str | None, Choice(SUFFIXES)] = None
    out: Path | None = None
    drop_empty: bool | None = None
    beside: bool = False
    pdf: bool = False
    warehouse: bool = False

    def conflicts(self) -> Iterator[tuple[str, str]]:
        """Yield what does not go together.

        These are the paper's numbers and views that it does not have; a preview without LaTeX.
        """
        if self.beside and self.version != 1:
            yield "beside", "goes with version 1, which is faithful to the paper"
        if self.pdf and self.format not in (None, "latex"):
            yield "pdf", f"goes with LaTeX, not with {self.format}"
