"""Every row names its run: what a command was given, on what code and machine."""

import json
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from models.base import Row
from models.tables import Run, RunFinish
from warehouse.checksums import file_sha256
from warehouse.errors import CheckFailed, Interrupted
from warehouse.frames import Frames, frames_of
from warehouse.store.append import append_frames, store
from warehouse.store.provenance import code_version, git_state, host_json

SAVED = {
    "generation": "answers",
    "outcome": "verdicts",
    "mutation_scan": "searches",
    "pair_count_block": "blocks of pairs",
    "pair_score_block": "blocks of scored pairs",
    "pair_rating": "ratings of pairs",
    "text_similarity": "similarities of texts",
    "calibration_fit": "fits",
    "estimate": "estimates",
    "region_check": "checks of regions",
    "suite_run": "runs of suites",
}
"""The tables that tell how far long work came, in words."""


class RunHandle:
    """A run under way. Its row is written with the first rows it adds, never alone."""

    def __init__(self, kind: str, settings: Mapping[str, Any], inputs: Iterable[Path]):
        commit, dirty = git_state()
        self.run_id = secrets.token_hex(16)
        self.summary: dict[str, Any] = {}
        self.status = "ok"
        self.added: Counter[str] = Counter()
        self.stored = False
        self.spooled = False
        self.row = Run(
            run_id=self.run_id,
            kind=kind,
            started_at=datetime.now(UTC),
            code_version=code_version(),
            git_commit=commit,
            git_dirty=dirty,
            settings=json.dumps(dict(settings), sort_keys=True, default=str),
            inputs=json.dumps({str(path): file_sha256(path) for path in inputs}, sort_keys=True),
            host=host_json(),
        )

    def append(self, rows: Iterable[Row]) -> dict[str, int]:
        """Append rows of any tables in one transaction; return the number of new ones by table."""
        return self.append_frames(frames_of(rows))

    def append_frames(self, frames: Frames) -> dict[str, int]:
        """Append Arrow tables in one transaction; return the number of new rows by table."""
        try:
            added = append_frames(frames, self.run_id, provenance=[self.row])
        except CheckFailed:
            self.stored = True  # the gate keeps its reasons, and the run they name
            raise
        self.count(added)
        return added

    def count(self, added: Mapping[str, int]) -> None:
        """Note rows that reached the warehouse."""
        self.added.update(added)
        self.stored = self.stored or any(added.values())

    def finish(self, status: str) -> None:
        """Record the end of the run, if the warehouse knows its beginning."""
        if not self.stored:
            return
        end = RunFinish(
            run_id=self.run_id,
            finished_at=datetime.now(UTC),
            status=status,
            summary=json.dumps({**self.summary, "added": self.added}, sort_keys=True, default=str),
        )
        store([end])


@contextmanager
def recorded(
    kind: str, *, settings: Mapping[str, Any], inputs: Iterable[Path] = ()
) -> Iterator[RunHandle]:
    """Record one run: started on entry, finished on exit, failed when an exception passes.

    Raises Interrupted for Ctrl-C, with what the run had saved by then.
    """
    run = RunHandle(kind, settings, inputs)
    try:
        yield run
    except KeyboardInterrupt as interrupt:
        run.finish("interrupted")
        raise Interrupted(f"{kind} interrupted: {_saved(run)}") from interrupt
    except Exception as error:
        run.summary["error"] = str(error)
        run.finish("failed")
        raise
    else:
        run.finish(run.status)


def _saved(run: RunHandle) -> str:
    """Return in words what reached the warehouse or waits for it, and how to continue."""
    added = run.added
    of_interest = [f"{added[table]:,} {name}" for table, name in SAVED.items() if added.get(table)]
    nothing = "what was made is kept" if run.spooled or run.stored else "nothing new was saved"
    saved = f"{' and '.join(of_interest)} saved" if of_interest else nothing
    return f"{saved}; run the same command again to continue"
