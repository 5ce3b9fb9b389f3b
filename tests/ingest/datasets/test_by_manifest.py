"""Datasets that are manifests: facts of the real files."""

from collections import Counter

import pytest

from ingest.datasets import DATASETS
from ingest.loader import checked
from tests.data import FILES, shared

pytestmark = pytest.mark.long(seconds=60)


def drafts(name):
    path, dataset = shared(FILES[name]), DATASETS.load(name)
    assert dataset.checksum(path) == dataset.source.sha256
    return checked(dataset.read(path), path, dataset.kind)


@pytest.mark.parametrize(
    ("name", "n_problems", "n_tests"),
    [("cruxeval_input", 800, 800), ("cruxeval_output", 800, 800), ("classeval", 100, 2196)],
)
def test_counts(name, n_problems, n_tests):
    found = drafts(name)
    assert (len(found), sum(len(draft.tests) for draft in found)) == (n_problems, n_tests)


def test_the_packages_of_classeval():
    needed = [tag for draft in drafts("classeval") for tag in draft.tags]
    assert sum(bool(draft.tags) for draft in drafts("classeval")) == 12
    assert Counter(tag.partition("<")[0] for tag in needed)["needs:numpy"] == 5


def test_the_variants_of_evoeval():
    found = drafts("evoeval")
    assert Counter(tag for draft in found for tag in draft.tags) == {
        **dict.fromkeys(("combine", "creative", "difficult", "subtle", "tool_use"), 100),
        **dict.fromkeys(("concise", "verbose"), 164),
    }
    assert found[0].task_id == "combine/EvoEval/0"
