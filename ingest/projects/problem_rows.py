"""Regions, lines and bodies of functions as problems: files with a hole, and their rows.

``before``, ``code`` and ``after`` together are the file; encoded as UTF-8 they are its bytes. A
file of another encoding, or with a byte order mark, gives no problems.
"""

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ingest import keys
from ingest.parsing import UNPARSABLE, parse
from ingest.problems.holes import Hole
from ingest.problems.project_kinds import FUNCTION, WITH_IMPORTS, WITHOUT_DOCSTRING
from ingest.projects.functions import LineRange, decoded_lines
from ingest.projects.hidden.bodies import HiddenBody
from ingest.projects.hidden.lines import HiddenLine, text_before
from ingest.projects.project import Project
from ingest.projects.region_samples import ProjectRegion
from models.base import Row
from models.keys import content_key
from models.tables import DatasetRelease, Problem, ProjectProblem, Region, Variant
from models.words import FILLINGS, PROJECT

NOTHING, PASS = FILLINGS


@dataclass(frozen=True)
class FileHole:
    """A hole in a file of a project; ``shown`` has other prompts for it, by kind of variant.

    ``function`` is the qualified name of the function whose body is taken out, if it is one.
    """

    path: str
    lines: LineRange
    hole: Hole
    shown: Mapping[str, str]
    function: str | None = None

    @property
    def path_and_lines(self) -> str:
        """The path and the first and last line."""
        return f"{self.path}:{self.lines.first}-{self.lines.last}"


@dataclass(frozen=True)
class ProblemSet:
    """The problems of one project, with the name of their dataset and the rule that chose them.

    ``tests_key`` is a hash of the project's release and its usable tests. ``regions`` says whether
    the holes are for round trips.
    """

    project: Project
    dataset: str
    version: str
    rule: str
    tests_key: str
    holes: Sequence[FileHole]
    regions: bool

    @property
    def release_id(self) -> str:
        """The key of the release, which other holes or other tests change."""
        places = [each.path_and_lines for each in self.holes]
        named = [self.dataset, self.version, self.project.sha256]
        return content_key(*named, self.tests_key, places)


def tests_key(project: Project, usable: Sequence[str]) -> str:
    """Return the key of all that decides a verdict, except the text of the program."""
    return content_key(PROJECT, project.release_id, sorted(usable))


def plain_sources(texts: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return the files that are UTF-8 without a byte order mark, and why others are left out."""
    kept, left_out = {}, {}
    for path, source in texts.items():
        if "".join(decoded_lines(path, source)).encode() == source:
            kept[path] = source
        else:
            left_out[path] = "not UTF-8, or with a byte order mark"
    return kept, left_out


def region_hole(source: bytes, drawn: ProjectRegion) -> FileHole:
    """Return the hole that a region leaves: whole lines, with their ends."""
    lines = drawn.region.lines
    return FileHole(drawn.path, lines, _lines_taken_out(drawn.path, source, lines), {})


def hole_of_body(source: bytes, hidden: HiddenBody) -> FileHole:
    """Return the hole that the body of a function leaves: whole lines, with their ends."""
    path, lines = hidden.function.path, hidden.lines
    hole = _lines_taken_out(path, source, lines)
    return FileHole(path, lines, hole, {WITH_IMPORTS: hidden.shown}, hidden.function.qualname)


def _lines_taken_out(path: str, source: bytes, lines: LineRange) -> Hole:
    texts = decoded_lines(path, source)
    before, code = texts[: lines.first - 1], texts[lines.first - 1 : lines.last]
    return Hole("".join(before), "".join(code), "".join(texts[lines.last :]))


def line_hole(source: bytes, hidden: HiddenLine) -> FileHole:
    """Return the hole that a hidden line leaves: its indentation and text, without its end."""
    path, line = hidden.function.path, hidden.line
    texts = decoded_lines(path, source)
    code = hidden.indent + hidden.reference
    after = texts[line - 1][len(code) :] + "".join(texts[line:])
    shown = {
        FUNCTION: text_before(source, hidden),
        WITHOUT_DOCSTRING: text_before(source, hidden, docstring=False),
    }
    return FileHole(
        path, LineRange(line, line), Hole("".join(texts[: line - 1]), code, after), shown
    )


def without_region(found: FileHole, *, fill: bool) -> tuple[str, str]:
    """Return the file without a region, and what took its place: nothing, or ``pass``.

    With ``fill``, ``pass`` takes its place where a block would have no statement left.
    """
    hole = found.hole
    bare = hole.before + hole.after
    if fill and not is_python(bare):
        return f"{hole.before}{hole.indent}pass\n{hole.after}", PASS
    return bare, NOTHING


def is_python(text: str) -> bool:
    """Say whether a text parses."""
    try:
        return isinstance(parse(text), ast.Module)
    except UNPARSABLE:
        return False


def problem_rows(found: ProblemSet, run_id: str) -> Iterator[Row]:
    """Yield the rows of a release and its problems, in the order in which they were drawn."""
    project = found.project
    yield DatasetRelease(
        release_id=found.release_id,
        dataset=found.dataset,
        version=found.version,
        source=f"{project.name} {project.version}",
        license=project.license,
        sha256=project.sha256,
        n_problems=len(found.holes),
        run_id=run_id,
    )
    for position, hole in enumerate(found.holes):
        yield from _rows_of(found, hole, position, run_id)


def _rows_of(found: ProblemSet, file_hole: FileHole, position: int, run_id: str) -> Iterator[Row]:
    """Yield the rows of one problem: the original variant shows the file before the hole."""
    hole, place = file_hole.hole, file_hole.path_and_lines
    task_id = f"{found.project.name}/{place}"
    tags = json.dumps([found.rule])
    texts = [hole.before, hole.code, hole.after]
    problem_id = content_key(found.release_id, task_id, position, *texts, found.tests_key, tags)
    yield Problem(
        problem_id=problem_id,
        release_id=found.release_id,
        dataset=found.dataset,
        task_id=task_id,
        position=position,
        entry_point=file_hole.function or place,
        prompt=hole.before,
        reference=hole.code,
        suffix=hole.after,
        setup_code="",
        test_code=None,
        compare=PROJECT,
        atol=0.0,
        difficulty=None,
        tags=tags,
        tests_key=found.tests_key,
        run_id=run_id,
    )
    yield ProjectProblem(
        problem_id=problem_id,
        project_release_id=found.project.release_id,
        path=file_hole.path,
        first_line=file_hole.lines.first,
        last_line=file_hole.lines.last,
        run_id=run_id,
    )
    original = keys.variant_id(problem_id, "original", hole.before)
    shown = {"original": hole.before, **file_hole.shown}
    for kind, prompt in shown.items():
        yield Variant(
            variant_id=keys.variant_id(problem_id, kind, prompt),
            problem_id=problem_id,
            kind=kind,
            parent_variant_id=None if kind == "original" else original,
            prompt=prompt,
            seed=None,
            run_id=run_id,
        )
    if found.regions:
        yield Region(
            variant_id=original,
            problem_id=problem_id,
            rule=found.rule,
            code=hole.code,
            suffix=hole.after,
            run_id=run_id,
        )
