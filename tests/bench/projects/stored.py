"""Programs of language models over a project that a warehouse holds, as candidates."""

import random
from collections.abc import Iterator

from runners.projects.passed_suite import PassedSuite
from tests.bench.projects.mutants import ChangedFile
from tests.support.sql import rows

PROGRAMS = """
    select distinct hole.path, hole.first_line, candidate.source
    from raw.program as program
    inner join raw.candidate as candidate using (candidate_id)
    inner join raw.project_problem as hole using (problem_id)
    where hole.project_release_id = ? order by all
"""


def programs_of(known: PassedSuite, n: int, seed: int) -> Iterator[ChangedFile]:
    """Yield stored programs that differ from the project's own files, in an order by the seed."""
    folder = known.project.folder
    found = [
        ChangedFile(path, line, source)
        for path, line, source in rows(PROGRAMS, known.project.release_id)
        if source != (folder / path).read_text(encoding="utf-8")
    ]
    random.Random(f"{known.project.name} {seed}").shuffle(found)
    yield from found[:n]
