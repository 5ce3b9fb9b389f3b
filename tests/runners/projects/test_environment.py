"""What a project's tests need: the requirements of the project and of the curated list."""

from dataclasses import replace

import pytest

from ingest.projects.curated import CuratedProject
from runners.projects.environment import requirements_of
from tests.runners.projects.conftest import Checkout
from warehouse.errors import BadInput


def test_requirements_are_those_of_the_project_and_of_the_list(checkout: Checkout) -> None:
    headers = (
        "Metadata-Version: 2.1\nName: small\nVersion: 1\n"
        "Requires-Dist: attrs >=22 ; python_version >= '3.8'\n"
        "Requires-Dist: typing-extensions (>=4)\n"
        "Requires-Dist: sphinx ; extra == 'docs'\n"
    )
    project = checkout({"PKG-INFO": headers, "tests/test_a.py": ""})
    entry = CuratedProject("small", "1", "0" * 64, "MIT", ["small"], ["tests"], ["lxml[html]"])
    assert requirements_of(replace(project, curated=entry)) == [
        "attrs >=22 ; python_version >= '3.8'",
        "lxml[html]",
        "pytest",
        "typing-extensions (>=4)",
    ]


def test_requirements_of_an_older_archive(checkout: Checkout) -> None:
    text = "six>=1.8\nordered\n\n[:python_version < '3']\nenum34\n\n[docs]\nsphinx\n"
    project = checkout({"small.egg-info/requires.txt": text, "tests/test_a.py": ""})
    wanted = ["enum34 ; python_version < '3'", "ordered", "pytest", "six>=1.8"]
    assert requirements_of(project) == wanted


@pytest.mark.parametrize(
    "wanted",
    [
        "x @ https://example.org/x.whl",
        "--index-url=y",
        "../x",
        "./x.whl",
        "git+https://x",
        "x\ny @ z",
    ],
)
def test_a_requirement_that_is_no_name_is_refused(wanted: str, checkout: Checkout) -> None:
    project = checkout({"tests/test_a.py": ""})
    entry = CuratedProject("small", "1", "0" * 64, "MIT", ["small"], ["tests"], [wanted])
    with pytest.raises(BadInput, match="only names with versions"):
        requirements_of(replace(project, curated=entry))
