"""Checks of candidates for real projects beside cold runs of pytest, and whether they agree.

``python -m tests.bench.projects toolz`` ingests the project. It changes one expression of a line
that tests execute, again and again, and checks each change in a fork of a warm process. For the
first ``--cold`` changes the whole suite runs too, and so do the tests that execute the line. Each
runs in a new interpreter, behind the same walls. Processor seconds include the sandbox. What this
process itself uses for a check is the column ``host``. ``times`` and candidates a second count
both, and nothing of the kind for cold runs. ``--fail-fast`` ends a cold suite at its first failing
test: enough for its verdict, and no measure of its time. An endless change uses up the limit of a
cold suite: ``--suite-limit``, 300 processor seconds. ``--stored`` takes, in place of such changes,
programs that the warehouse of ``ASSAY_HOME`` holds. ``--keep`` adds each measurement to a file:
what the file has is not measured again.
"""

import argparse
import os
import shutil
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from ingest.projects.project import project_of
from runners.judging.environments.folders import folder_of
from runners.judging.environments.locks import lock_of
from runners.judging.sandbox.walls.probe import namespace_level
from runners.progress import track
from runners.projects.checker import Checker
from runners.projects.environment import requirements_of
from runners.projects.ingest import ingest_projects
from runners.projects.passed_suite import PassedSuite, opened_checker, stored_suite
from runners.projects.suite import SuiteLimits, run_suite
from tests.bench.projects.kept import KeptMeasurements, KeptShare
from tests.bench.projects.mutants import ChangedFile, mutants_of
from tests.bench.projects.stored import programs_of

PASSED = "passed"


def main() -> None:
    """Measure each project and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=["toolz", "sqlparse", "more-itertools"])
    parser.add_argument("--candidates", type=int, default=60)
    parser.add_argument("--cold", type=int, default=10, help="candidates that are run cold too")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--suite-limit", type=float, default=SuiteLimits.cpu_s, help="CPU seconds")
    parser.add_argument("--fail-fast", action="store_true", help="compare verdicts alone")
    parser.add_argument("--stored", action="store_true", help="programs that the warehouse holds")
    parser.add_argument("--keep", type=Path, help="JSON Lines of what was measured")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ.setdefault("ASSAY_HOME", home)
        print(
            f"{'project':<16}{'n':>5}{'passed':>8}{'warm ms':>9}{'host ms':>9}{'1/s/core':>10}"
            f"{'suite s':>9}{'times':>7}{'chosen s':>10}{'times':>7}{'differ':>8}"
        )
        for name in arguments.names:
            ingest_projects([name], progress=False)
            measure(name, stored_suite(project_of(name)), arguments)


def measure(name: str, known: PassedSuite, arguments: argparse.Namespace) -> None:
    """Check candidates of one project, some of them cold too, and print a line."""
    source = programs_of if arguments.stored else mutants_of
    candidates = list(source(known, arguments.candidates, arguments.seed))
    kept = KeptMeasurements(arguments.keep)
    with opened_checker(known) as checker:
        checker.canary()  # the start of the warm processes is not a candidate's
        check = partial(checked, checker)
        checks = (kept.warm(candidate, check) for candidate in candidates)
        done = list(track(checks, len(candidates), f"{name}, warm", enabled=True))
    limits = SuiteLimits(cpu_s=arguments.suite_limit)
    run = partial(cold, known=known, limits=limits, fail_fast=arguments.fail_fast)
    n_at_once = os.cpu_count() if arguments.fail_fast else 1  # times are taken one by one
    with ThreadPoolExecutor(n_at_once) as pool:
        suites_run = pool.map(partial(kept.cold, run=run), done[: arguments.cold])
        n_cold = min(arguments.cold, len(done))
        done[:n_cold] = track(suites_run, n_cold, f"{name}, cold", enabled=True)
    warm = statistics.median(each.cpu_s + each.host_cpu_s for each in done)
    sandbox = statistics.median(each.cpu_s for each in done)
    host = statistics.median(each.host_cpu_s for each in done)
    suites = [each.suite_cpu_s for each in done if each.suite_cpu_s is not None]
    chosen = [each.chosen_cpu_s for each in done if each.chosen_cpu_s is not None]
    differ = [each for each in done if each.suite_verdict not in (None, each.verdict)]
    passed = sum(each.verdict == PASSED for each in done)
    suite_s = statistics.median(suites) if suites else known.cpu_s
    chosen_s = statistics.median(chosen) if chosen else float("nan")
    print(
        f"{name:<16}{len(done):>5}{passed:>8}"
        f"{sandbox * 1000:>9.1f}{host * 1000:>9.1f}{1 / warm:>10.1f}"
        f"{suite_s:>9.2f}{suite_s / warm:>7.0f}{chosen_s:>10.2f}{chosen_s / warm:>7.0f}"
        f"{len(differ):>5}/{len(suites)}",
        flush=True,
    )
    for each in differ:
        print(f"  {each.candidate.path}:{each.candidate.line}: warm {each.verdict}, "
              f"cold {each.suite_verdict}")  # fmt: skip


def checked(checker: Checker, candidate: ChangedFile) -> KeptShare:
    """Check one candidate in a fork."""
    began = time.process_time()
    found = checker.check(candidate.path, candidate.source)
    return KeptShare(candidate, found.verdict, found.cpu_s, time.process_time() - began)


def cold(
    measured: KeptShare, known: PassedSuite, limits: SuiteLimits, *, fail_fast: bool
) -> KeptShare:
    """Run the whole suite, and the tests of the line, on a copy with the candidate.

    ``fail_fast``: the suite until a test fails, and not the tests of the line.
    """
    project, candidate = known.project, measured.candidate
    environment = folder_of(lock_of(requirements_of(project)))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "project"
        shutil.copytree(project.folder, folder, symlinks=True)
        (folder / candidate.path).write_text(candidate.source, encoding="utf-8")
        changed = replace(project, folder=folder)
        if fail_fast and (curated := changed.curated):
            changed = replace(changed, curated=replace(curated, pytest=(*curated.pytest, "-x")))
        suite = run_suite(changed, environment, limits, namespace_level(), 1)
        chosen = None
        if not fail_fast:
            some = replace(changed, tests=known.executed[candidate.path][candidate.line])
            chosen = run_suite(some, environment, limits, namespace_level(), 1)
    ended = {test.test: test.outcome for test in suite.tests}
    passed = all(ended.get(test) == PASSED for test in known.usable)
    verdict = PASSED if passed else "failed"
    if not passed and measured.verdict != PASSED:
        verdict = measured.verdict  # pytest has no word for a time limit or an import that fails
    return replace(
        measured,
        suite_verdict=verdict,
        suite_cpu_s=suite.cpu_s,
        chosen_cpu_s=None if chosen is None else chosen.cpu_s,
    )


if __name__ == "__main__":
    main()
