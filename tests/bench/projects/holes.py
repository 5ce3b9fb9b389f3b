"""The code of each hole put back, and left out: does the suite tell the two apart every time?

``python -m tests.bench.projects.holes toolz tinydb -n 100`` takes the stored regions of projects
(``assay ingest regions``). With its code back a hole passes every usable test. So that the suite
really runs against the exchanged function, a space is put behind its last line. Without its code at
least one test fails.
"""

import argparse
import textwrap

from ingest.problems.holes import RegionHole
from ingest.projects.project import project_of
from runners.projects.passed_suite import opened_checker, stored_suite
from tests.support.sql import rows

HOLES = """
    select hole.path, problem.prompt, problem.reference, problem.suffix
    from raw.project_problem as hole
    inner join raw.problem as problem using (problem_id)
    where problem.dataset = ? order by problem.position
"""


def main() -> None:
    """Print one line for each project."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+")
    parser.add_argument("-n", type=int, default=100, help="holes of each project")
    arguments = parser.parse_args()
    print(f"{'project':<20}{'holes':>6}{'pass with':>11}{'fail without':>14}{'CPU s':>8}")
    for name in arguments.names:
        measure(name, arguments.n)


def measure(name: str, n: int) -> None:
    """Check the holes of one project with and without their code."""
    found = rows(HOLES, f"{name}-regions")[:n]
    passed = failed = 0
    cpu_s = 0.0
    with opened_checker(stored_suite(project_of(name))) as checker:
        for path, *texts in found:
            hole = RegionHole(*texts)
            code = hole.fitted(textwrap.dedent(hole.code))
            assert code == hole.code, (path, code)
            end = len(code.rstrip("\n"))
            back = checker.check(path, hole.before + code[:end] + " " + code[end:] + hole.after)
            out = checker.check(path, hole.before + hole.after)
            passed += back.verdict == "passed"
            failed += out.verdict != "passed"
            cpu_s += back.cpu_s + out.cpu_s
            if back.verdict != "passed":
                print(f"  {path}: with its code {back.verdict}: {back.reason}")
            if out.verdict == "passed":
                print(f"  {path}: without its code passed")
    print(f"{name:<20}{len(found):>6}{passed:>11}{failed:>14}{cpu_s:>8.1f}", flush=True)


if __name__ == "__main__":
    main()
