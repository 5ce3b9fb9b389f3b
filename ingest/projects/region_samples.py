"""Samples of the regions of a project, drawn without replacement.

The idea: each candidate region gets a time, ``-log(u) / weight ** (1 / tau)``, with ``u`` from a
hash of seed, file and span. The candidates in the order of their times are a sample without
replacement. Each draw takes one of the remaining candidates, with a probability proportional to
``weight ** (1 / tau)`` (Efraimidis and Spirakis, 2006, Information Processing Letters 97(5)). So
the order of the files does not matter, and a larger sample begins with the smaller one. The sample
does not depend on Python's random number generator, which could change between versions. ``v1`` and
``v2`` of one seed agree up to the first region that overlaps too much.

A region that overlaps too much with one that was drawn before it is passed over. That equals a draw
from the regions that are still possible.
"""

import fnmatch
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from ingest.projects.regions import RegionRules, RegionSpan, candidates, weights
from models.keys import content_key

TESTS = ("test*", "*_test*", "tests")
MOST_OF_A_FILE, MOST_OF_A_KILOBYTE = 10, 5

Accepted = Callable[[str, RegionSpan], bool]
"""Says of a path and a region whether it is a candidate, for example by its coverage."""


@dataclass(frozen=True)
class ProjectRegion:
    """A region of one file of a project, with its weight among the candidates of the file."""

    path: str
    region: RegionSpan
    weight: float


def draws(
    project_files: Mapping[str, bytes],
    rules: RegionRules,
    seed: int | str,
    accepted: Accepted | None = None,
) -> list[ProjectRegion]:
    """Return the candidates of a project in the order in which they are drawn, without limits.

    A filter that executes tests for each region is applied after this and before ``apart``.
    """
    found: list[ProjectRegion] = []
    for path in sampled_files(project_files, rules):
        source = project_files[path]
        regions = candidates(source, rules, path)
        regions = [each for each in regions if accepted is None or accepted(path, each)]
        weighed = zip(regions, weights(source, regions, path), strict=True)
        of_file = [ProjectRegion(path, region, weight) for region, weight in weighed]
        if rules.by_file:
            most = min(MOST_OF_A_FILE, MOST_OF_A_KILOBYTE * len(source) // 1024)
            of_file = in_drawing_order(of_file, rules.tau, seed)[:most]
        found += of_file
    if rules.by_file:
        return sorted(found, key=lambda each: _uniform("project", seed, each))
    return in_drawing_order(found, rules.tau, seed)


def in_drawing_order(
    regions: Iterable[ProjectRegion], tau: float, seed: int | str
) -> list[ProjectRegion]:
    """Return regions in the order in which they are drawn without replacement."""

    def arrival(each: ProjectRegion) -> tuple[float, str, RegionSpan]:
        power = each.weight ** (1 / tau)
        return -math.log(_uniform("region", seed, each)) / power, each.path, each.region

    return sorted(regions, key=arrival)


def apart(drawn: Iterable[ProjectRegion], max_jaccard: float) -> Iterator[ProjectRegion]:
    """Yield each region whose Jaccard index with every region yielded before is small enough."""
    taken: dict[str, list[RegionSpan]] = defaultdict(list)
    for each in drawn:
        if all(jaccard(each.region, other) <= max_jaccard for other in taken[each.path]):
            taken[each.path].append(each.region)
            yield each


def jaccard(one: RegionSpan, other: RegionSpan) -> float:
    """Return the share of characters that two regions of one file have in common, of all in
    either."""
    shared = max(0, min(one.end, other.end) - max(one.start, other.start))
    return shared / (one.n_characters + other.n_characters - shared)


def sampled_files(paths: Iterable[str], rules: RegionRules) -> list[str]:
    """Return the paths of files that give candidates, in order; files of tests give none.

    The released code takes no path that has ``test`` in it. It takes only the files of topmost
    folders: folders with no file of the project in a folder above them.
    """
    if not rules.by_file:
        return sorted(path for path in paths if not _is_test(PurePosixPath(path).parts))
    folders = {PurePosixPath(path).parent for path in paths}
    top = {folder for folder in folders if folders.isdisjoint(folder.parents)}
    return sorted(
        path for path in paths if PurePosixPath(path).parent in top and "test" not in path.lower()
    )


def _is_test(parts: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(part, pattern) for part in parts for pattern in TESTS)


def _uniform(purpose: str, seed: int | str, each: ProjectRegion) -> float:
    """Return a number above 0 and below 1, the same in every version of Python."""
    key = content_key(purpose, seed, each.path, each.region.start, each.region.end)
    return ((int(key[:16], 16) >> 12) + 0.5) / 2**52
