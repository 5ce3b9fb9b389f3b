"""The mutations measured: what they change on inputs no test has seen, how fast, on what code.

``--sound`` runs both programs of every kept pair on 50 inputs of HumanEval+ and MBPP+ each. It
compares what they return, raise, and make of their arguments. ``--speed`` takes the 1,138
references to rows. ``--stdlib`` applies every mutation all over the standard library. ``--recode``
sets the mutants of ReCode (Wang et al. 2022, arXiv 2212.10264) beside ours.
"""

import argparse
import copy
import os
import sysconfig
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from libcst import FunctionDef

from ingest.mutations import mutants
from ingest.mutations.base import Mutated, Mutation, Site, mutations, splice
from ingest.mutations.source.lines import shape_of
from ingest.mutations.source.program import ParsedProgram, parse_program
from ingest.parsing import parse
from ingest.problems.drafts import ProblemDraft
from runners.judging.sandbox.pool import Pool
from runners.workers import in_processes
from tests.bench.frame import cpu_s
from tests.bench.mutations import recode
from tests.bench.mutations.pairs import (
    Soundness,
    compare,
    kept_pairs,
    passing,
    references,
    spread,
    unseen_inputs,
)
from warehouse.frames import name_of

SITES_APPLIED = 3
PARTS = 10


def main() -> None:
    """Measure what is asked for, or everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sound", action="store_true")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--stdlib", action="store_true")
    parser.add_argument("--recode", action="store_true")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--modules", type=int, default=320, help="with --stdlib")
    parser.add_argument("--most", type=int, help="with --sound: an even sample of so many pairs")
    arguments = parser.parse_args()
    every = not (arguments.sound or arguments.speed or arguments.stdlib or arguments.recode)
    if arguments.speed or every:
        print_speed(arguments.workers)
    if arguments.stdlib or every:
        print_stdlib(arguments.workers, arguments.modules)
    if arguments.sound or every:
        print_soundness(arguments.workers, arguments.most)
    if arguments.recode or every:
        recode.print_comparison(arguments.workers)


# soundness on unseen inputs


def print_soundness(workers: int, most: int | None) -> None:
    """Compare all kept pairs with plus inputs, or an even sample, and print the counts."""
    drafts = references()
    inputs = unseen_inputs(drafts)
    pairs = kept_pairs([draft for draft in drafts if draft.task_id in inputs])
    pairs = spread(pairs, most or len(pairs))
    found = Soundness()
    n_kept = 0
    with Pool(workers=workers) as pool:
        for part in range(PARTS):
            good = passing(pool, pairs[part::PARTS])
            n_kept += len(good)
            found.add(compare(pool, good, inputs))
            done = f"{found.pairs.total()} pairs, {found.n_inputs} inputs"
            print(
                f"  {part + 1} of {PARTS}: {done}, {len(found.mismatches)} mismatches", flush=True
            )
    print(f"pairs whose programs pass the tests: {n_kept} of {len(pairs)}")
    print(f"problems with inputs no test has seen: {len(inputs)} of {len(drafts)}")
    for name, count in sorted(found.pairs.items()):
        print(f"  {name:<22}{count:>6} pairs")
    print(f"pairs {found.pairs.total()}, inputs {found.n_inputs}, undecided {found.n_undecided}")
    print(f"mismatches {len(found.mismatches)}")
    for each in found.mismatches:
        print(f"  {each}")
    if found.mismatches:
        raise SystemExit("unsound pairs")


# speed


def print_speed(workers: int) -> None:
    """Time the way from the references to rows, every mutation and version."""
    drafts = references()
    began = time.monotonic()
    n_mutants = 0
    with closing(in_processes(rows_of, drafts, workers)) as results:
        for tables in results:
            n_mutants += tables["mutant"]
    seconds = time.monotonic() - began
    print(f"{len(drafts)} references, {n_mutants} mutants to rows", end=": ")
    print(f"{seconds:.1f} s, {cpu_s():.1f} s of CPU, {workers} workers")


def rows_of(draft: ProblemDraft) -> Counter[str]:
    """Return how many rows of each table one problem gives."""
    problem = {
        "problem_id": draft.task_id,
        "prompt": draft.prompt,
        "reference": draft.reference,
        "suffix": draft.suffix,
        "entry_point": draft.entry_point,
    }
    rows = mutants.mutate(problem, "none", mutants.scans())
    return Counter(name_of(table) for table, _ in rows)


# the standard library


def print_stdlib(workers: int, n_modules: int) -> None:
    """Apply every mutation to so many modules of the standard library, and to each function."""
    began = time.monotonic()
    total: Counter[str] = Counter()
    faults: list[str] = []
    with closing(in_processes(all_of_module, spread(library(), n_modules), workers)) as results:
        for counts, bad in results:
            total += counts
            faults += bad
    print(f"{total.pop('modules')} modules, {total.pop('functions')} functions", end=", ")
    print(f"{sum(total.values())} mutants, {time.monotonic() - began:.0f} s, {len(faults)} faults")
    for name, count in sorted(total.items()):
        print(f"  {name:<22}{count:>7}")
    for fault in faults:
        print(f"  {fault}")
    if faults:
        raise SystemExit("faults")


def library() -> list[str]:
    """Return the modules of the standard library and its packages, tests left out."""
    root = Path(sysconfig.get_path("stdlib"))
    left_out = {"site-packages", "test", "tests", "idle_test", "lib2to3", "__pycache__"}
    return sorted(
        str(path) for path in root.rglob("*.py") if not left_out & set(path.relative_to(root).parts)
    )


def all_of_module(path: str) -> tuple[Counter[str], list[str]]:
    """Search a module and each of its functions, apply at an even sample of the sites.

    Returns how many mutants each mutation gave, and what went wrong.
    """
    try:
        source = Path(path).read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return Counter(), []
    whole = parse_program(source, None)
    if not isinstance(whole, ParsedProgram):
        return Counter(), []
    counts = Counter(modules=1)
    faults = []
    for program in (whole, *functions_of(whole)):
        counts["functions"] += program is not whole
        for mutation in mutations():
            try:
                counts[mutation.name] += applied(mutation, program)
            except Exception as error:
                where = program.region.name.value if program is not whole else "the module"  # type: ignore[union-attr]
                faults.append(f"{path}, {where}, {mutation.name} {mutation.version}: {error!r}")
    return counts, faults


def functions_of(whole: ParsedProgram) -> Iterator[ParsedProgram]:
    """Yield a program for each top-level function; module, scopes and spans are shared."""
    tree = parse(whole.source)
    found = {node.name.value: node for node in whole.module.body if isinstance(node, FunctionDef)}
    for name, node in found.items():
        program = copy.copy(whole)
        for of_region in ("scope", "region_nodes"):
            program.__dict__.pop(of_region, None)
        program.region = node
        program.shape = shape_of(whole.source, tree, name)
        yield program


def applied(mutation: Mutation, program: ParsedProgram) -> int:
    """Apply a mutation at a sample of its sites; raises ValueError where the result is none."""
    sites = [each for each in mutation.sites(program) if isinstance(each, Site)]
    sample = spread(sites, SITES_APPLIED)
    for site in sample:
        result = mutation.apply(program.source, site, 0)
        if not isinstance(result, Mutated):
            raise ValueError(f"line {site.line}: {result}")
        if splice(result.source, result.undo)[0] != program.source:
            raise ValueError(f"line {site.line}: taking back gives another text")
    return len(sample)


if __name__ == "__main__":
    main()
