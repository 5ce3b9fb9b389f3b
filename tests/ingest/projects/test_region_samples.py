"""Samples of regions: frequencies beside closed forms, draws beside enumeration, pinned samples."""

import dataclasses
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from ingest.projects.region_samples import (
    ProjectRegion,
    apart,
    draws,
    in_drawing_order,
    jaccard,
    sampled_files,
)
from ingest.projects.regions import RULES, RegionSpan, candidates, weights
from tests.ingest.projects.blocks import FILES
from tests.support.regions import probabilities
from warehouse.errors import BadInput

V1, CODE, V2 = RULES["v1"], RULES["v1_code"], RULES["v2"]
SMALL = dataclasses.replace(V1, least=1, most=90)
SMALL_APART = dataclasses.replace(SMALL, max_jaccard=0.5)


def planted(*spans_and_weights):
    """Make regions of (start, end, weight)."""
    return [
        ProjectRegion("a.py", RegionSpan(start, end, 1, 1), weight)
        for start, end, weight in spans_and_weights
    ]


GOLDEN = planted((0, 40, 40), (50, 110, 45), (80, 110, 15))


@pytest.mark.parametrize(
    ("tau", "expected"), [(1, [0.4, 0.45, 0.15]), (0.8, [0.407818, 0.472506, 0.119676])]
)
def test_single_draws_are_as_frequent_as_the_closed_form_says(tau, expected):
    n = 100_000
    counts = Counter(in_drawing_order(GOLDEN, tau, seed)[0].region for seed in range(n))
    found = [counts[each.region] for each in GOLDEN]
    assert chisquare(found, [n * each / sum(expected) for each in expected]).pvalue > 0.01
    other = probabilities([40, 45, 15], 1.8 - tau)
    assert chisquare(found, [n * each for each in other]).pvalue < 1e-9


FOUR = planted((0, 10, 10.0), (5, 15, 6.0), (8, 20, 16.0), (30, 40, 4.0))


def sequences(regions, tau, max_jaccard, n):
    """Enumerate what can be drawn: each draw is among the regions that are still possible."""
    found = {}

    def far(one, other):
        places = [set(range(each.region.start, each.region.end)) for each in (one, other)]
        return len(places[0] & places[1]) <= max_jaccard * len(places[0] | places[1])

    def search(drawn, probability):
        possible = [
            each
            for each in regions
            if each not in drawn and all(far(each, other) for other in drawn)
        ]
        if len(drawn) == n or not possible:
            found[tuple(drawn)] = probability
            return
        total = sum(each.weight ** (1 / tau) for each in possible)
        for each in possible:
            search([*drawn, each], probability * each.weight ** (1 / tau) / total)

    search([], 1.0)
    return found


@pytest.mark.parametrize(
    ("tau", "max_jaccard", "n_sequences"), [(0.8, 1.0, 24), (1, 0.4, 12), (1, 0.3, 8)]
)
def test_draws_without_replacement_are_as_frequent_as_enumerated(tau, max_jaccard, n_sequences):
    n = 20_000
    counts = Counter(
        tuple(islice(apart(in_drawing_order(FOUR, tau, f"s{seed}"), max_jaccard), 3))
        for seed in range(n)
    )
    expected = sequences(FOUR, tau, max_jaccard, 3)
    assert len(expected) == n_sequences
    assert set(counts) == set(expected)
    found = [counts[each] for each in expected]
    assert chisquare(found, [n * each for each in expected.values()]).pvalue > 0.01
    other = sequences(FOUR, 1.8 - tau, max_jaccard, 3)
    assert chisquare(found, [n * other[each] for each in expected]).pvalue < 1e-9


def test_the_overlap_of_two_regions():
    spans = [
        RegionSpan(0, 10, 1, 1),
        RegionSpan(5, 15, 1, 1),
        RegionSpan(10, 20, 1, 1),
        RegionSpan(0, 20, 1, 1),
    ]
    found = [jaccard(spans[0], each) for each in spans]
    assert found == [1, 5 / 15, 0, 0.5]
    half = planted((0, 10, 1), (0, 20, 1), (0, 11, 1), (9, 20, 1))
    assert list(apart(half, 0.5)) == [half[0], half[1]]
    elsewhere = [dataclasses.replace(each, path=f"{n}.py") for n, each in enumerate(half)]
    assert list(apart(elsewhere, 0.5)) == elsewhere


CORE = b'''\
"""A module."""
import os


def joined(first, second, *others):
    """Join some names."""
    names = [first, second]
    for other in others:
        if other is not None and other:
            names.append(other.strip())
        else:
            names.append("something else")
    return os.path.join(*names)


class Store:
    def __init__(self, folder, names=()):
        self.folder = joined(folder, "store")
        self.names = {name: joined(folder, name) for name in names}

    def add(self, name):
        if name in self.names:
            raise KeyError(f"there is a {name} already")
        self.names[name] = joined(self.folder, name)
        return self.names[name]
'''
MORE = b"""\
def spread(values):
    lowest, highest = min(values), max(values)
    width = highest - lowest
    return [(value - lowest) / width for value in values]
"""
FILLED = MORE + b"#" * (3 * 1024 - len(MORE))
PROJECT = {
    "pkg/core.py": CORE,
    "pkg/more.py": FILLED,
    "pkg/deep/more.py": MORE,
    "pkg/tests/test_core.py": MORE,
    "pkg/deep/spread_test.py": MORE,
}


def sample(project_files, rules, n, seed):
    return list(islice(apart(draws(project_files, rules, seed), rules.max_jaccard), n))


def lines_of(drawn):
    return [f"{each.path} {each.region.start_line}-{each.region.end_line}" for each in drawn]


def test_a_sample_is_the_same_on_every_version_of_python():
    both = [
        *("pkg/core.py 7-12", "pkg/deep/more.py 2-2", "pkg/core.py 18-19", "pkg/core.py 24-25"),
        *("pkg/core.py 22-25", "pkg/deep/more.py 2-4"),
    ]
    v1 = [*both, "pkg/deep/more.py 2-3", "pkg/more.py 2-4"]
    assert lines_of(sample(PROJECT, V1, 8, "project 1.0")) == v1
    v2 = [*both, "pkg/more.py 2-4", "pkg/core.py 22-23"]
    assert lines_of(sample(PROJECT, V2, 8, "project 1.0")) == v2
    assert lines_of(sample(PROJECT, CODE, 8, "project 1.0")) == [
        *("pkg/core.py 22-23", "pkg/core.py 8-12", "pkg/core.py 9-12"),
    ]
    assert lines_of(sample(PROJECT, V1, 3, 7)) == [
        *("pkg/deep/more.py 2-4", "pkg/more.py 2-4", "pkg/core.py 8-12"),
    ]


def test_which_files_are_sampled():
    paths = [
        *("a/core.py", "a/testing.py", "a/latest.py", "a/b/deep.py", "a/conftest.py"),
        *("a/core_test.py", "a/tests/core.py", "a/b/my_tests/x.py", "b/Test.py", "b/last.py"),
    ]
    paper = ["a/b/deep.py", "a/conftest.py", "a/core.py", "a/latest.py", "b/Test.py", "b/last.py"]
    assert sampled_files(paths, V1) == sampled_files(paths, V2) == paper
    assert sampled_files(paths, CODE) == ["a/core.py", "b/last.py"]
    assert sampled_files([*paths, "top.py"], CODE) == ["top.py"]
    assert sampled_files([], CODE) == []


def test_the_released_code_draws_a_number_for_each_file():
    statement = b"    " + b" + ".join([b"name"] * 11) + b"\n"
    assert len(statement) == 79
    sizes = {"a.py": 40, "b.py": 18, "c.py": 2}
    files = {path: b"def f():\n" + statement * n for path, n in sizes.items()}
    assert [len(each) for each in files.values()] == [3169, 1431, 167]
    found = [each.path for each in sample(files, CODE, 100, 1)]
    assert Counter(found) == {"a.py": 10, "b.py": 6}
    assert {*found[:8]} == {"a.py", "b.py"}


def test_a_region_of_a_file_is_drawn_by_its_weight_in_the_project():
    drawn = draws(PROJECT, V1, 0)
    assert sorted({each.path for each in drawn}) == [
        *("pkg/core.py", "pkg/deep/more.py", "pkg/more.py"),
    ]
    for path in ("pkg/core.py", "pkg/more.py"):
        regions = candidates(PROJECT[path], V1)
        weighed = dict(zip(regions, weights(PROJECT[path], regions), strict=True))
        assert {each.region: each.weight for each in drawn if each.path == path} == weighed


def test_what_is_not_accepted_takes_no_weight():
    whole = {each.region: each.weight for each in draws({"a.py": MORE}, V1, 0)}
    one_line = {each for each in whole if each.start_line == each.end_line}
    drawn = draws({"a.py": MORE}, V1, 0, lambda path, region: region in one_line)
    assert {each.region for each in drawn} == one_line
    assert all(each.weight > whole[each.region] for each in drawn)
    assert draws({"a.py": MORE}, V1, 0, lambda path, region: path != "a.py") == []


def test_a_file_that_is_no_python_is_named():
    with pytest.raises(BadInput, match=r"^b.py:1: no Python: "):
        sample({"a.py": MORE, "b.py": b"print 'a'\n"}, V1, 5, 0)


@settings(max_examples=60)
@given(st.lists(FILES, min_size=1, max_size=3), st.integers(0, 50), st.integers(0, 10**9))
def test_a_sample_is_fixed_by_its_inputs(sources, n, seed):
    files = {f"m{number}.py": source for number, source in enumerate(sources)}
    for rules in (SMALL, SMALL_APART):
        found = sample(files, rules, n, seed)
        assert found == sample(dict(reversed(files.items())), rules, n, seed)
        assert sample(files, rules, n + 1, seed)[:n] == found
        assert len(set(found)) == len(found) <= n
        for one in found:
            for other in found:
                if one != other and one.path == other.path:
                    assert jaccard(one.region, other.region) <= rules.max_jaccard
    everything = {(path, each) for path in files for each in candidates(files[path], SMALL)}
    assert {(each.path, each.region) for each in draws(files, SMALL, seed)} == everything
