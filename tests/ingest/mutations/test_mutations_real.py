"""The mutations on real code: how many sites the references have; the standard library."""

import ast
import sysconfig
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from ingest.mutations.base import Decline, Mutated, Site, fault, mutations, seed_of, splice
from ingest.mutations.source.lines import NoCut
from ingest.mutations.source.program import ParsedProgram, Unreadable, parse_program
from tests.bench.mutations.pairs import references, source_of

SAMPLE = (
    *("bisect", "calendar", "codeop", "colorsys", "contextlib", "copy", "csv", "dis", "fnmatch"),
    *("getopt", "glob", "graphlib", "heapq", "linecache", "numbers", "quopri", "sched", "shlex"),
    *("string", "textwrap"),
)
N_FUNCTIONS = 3
BEYOND = {  # problems
    "for_while": 230,
    "operand_swap": 470,
    "dead_code": 1000,
    "docstring_removal": 1000,
    "names_loop": 520,
    "keyword_arguments": 35,
}


@pytest.mark.long
def test_the_references_have_as_many_sites_as_are_needed():
    """Before any program is run; the lowest numbers are those the project set itself."""
    n_kept: Counter[tuple[str, int]] = Counter()
    problems = defaultdict(set)
    for draft in references():
        source = source_of(draft)
        program = parse_program(source, draft.entry_point)
        assert isinstance(program, ParsedProgram), (draft.task_id, program)
        for mutation in mutations():
            seed = seed_of(draft.task_id, mutation.name, mutation.version)
            for site in mutation.sites(program):
                if isinstance(site, Decline):
                    continue
                result = mutation.apply(source, site, seed)
                assert isinstance(result, Mutated), (draft.task_id, result)
                cut = mutation.cut(source, site, result, draft.entry_point, 1)
                if not isinstance(cut, NoCut):
                    n_kept[mutation.name, mutation.version] += 1
                    problems[mutation.name].add(draft.task_id)
    assert len(problems["names_random"]) >= 850
    assert len(problems["names_shuffle"]) >= 600
    assert n_kept["if_else_flip", 1] >= 100
    assert n_kept["if_else_flip", 2] >= n_kept["if_else_flip", 1]
    assert n_kept["def_use_break", 1] >= 22
    assert n_kept["independent_swap", 1] >= 300  # version 1 has neighbours only
    assert n_kept["independent_swap", 2] >= 500
    assert n_kept["independent_swap", 3] >= n_kept["independent_swap", 2]
    assert n_kept["if_else_flip", 3] >= 200
    for name, fewest in BEYOND.items():
        assert len(problems[name]) >= fewest


@pytest.mark.long
@pytest.mark.parametrize("name", SAMPLE)
def test_the_standard_library_is_mutated_without_a_fault(name):
    check_module(Path(sysconfig.get_path("stdlib")) / (name.replace(".", "/") + ".py"))


def check_module(path: Path) -> Counter[str]:
    """Apply every mutation once to a module and to its first functions; count the sites."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    found: Counter[str] = Counter()
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    for entry_point in [None, *list(dict.fromkeys(names))[:N_FUNCTIONS]]:
        program = parse_program(source, entry_point)
        if isinstance(program, Unreadable):
            found[program.code] += 1
            continue
        for mutation in mutations():
            sites = [each for each in mutation.sites(program) if isinstance(each, Site)]
            found[mutation.name] += len(sites)
            for site in sites[:1]:
                result = mutation.apply(source, site, 0)
                assert isinstance(result, Mutated), (path, entry_point, result)
                assert fault(result.source) is None
                assert splice(result.source, result.undo)[0] == source
    return found
