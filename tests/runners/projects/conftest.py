"""An environment with pytest, made once without a network, and projects written by the tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.projects.project import Project, project_of
from runners.judging.environments.folders import folder_of
from runners.judging.environments.locks import lock_of
from runners.judging.sandbox.walls.probe import namespace_level
from runners.projects.suite import SuiteLimits, SuiteResult, run_suite
from tests.runners.projects.wheels import wheels_of_pytest
from warehouse.errors import IsolationRefused

LIMITS = SuiteLimits(cpu_s=30, wall_s=60)


@pytest.fixture(scope="session")
def level() -> str:
    try:
        return namespace_level()
    except IsolationRefused as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheels_of_pytest(tmp_path_factory.mktemp("index") / "wheels")


def only_these(patch: pytest.MonkeyPatch, wheels: Path) -> None:
    """Let pip see one folder of wheels and nothing else."""
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        patch.delenv(name, raising=False)
    patch.setenv("PIP_CONFIG_FILE", "/dev/null")
    patch.setenv("PIP_NO_INDEX", "1")
    patch.setenv("PIP_FIND_LINKS", str(wheels))


def no_index(patch: pytest.MonkeyPatch) -> None:
    """Let pip see an index that is out of reach and nothing else."""
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"):
        patch.delenv(name, raising=False)
    patch.setenv("PIP_CONFIG_FILE", "/dev/null")
    patch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, wheels: Path) -> None:
    only_these(monkeypatch, wheels)


@pytest.fixture(scope="session")
def made_home(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> Path:
    """A home in whose cache the environment of pytest alone is."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        only_these(patch, wheels)
        patch.setenv("ASSAY_HOME", str(home))
        folder_of(lock_of(["pytest"]))
    return home


@pytest.fixture(scope="session")
def with_pytest(made_home: Path) -> Path:
    """The folder of that environment."""
    (found,) = [
        path for path in (made_home / "cache" / "environments").iterdir() if len(path.name) == 64
    ]
    return found


Checkout = Callable[..., Project]
Run = Callable[..., SuiteResult]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Write a project with one package ``small`` and these files; return it."""

    def write(files: dict[str, str], name: str = "small") -> Project:
        folder = tmp_path / f"checkout-{name}"
        for place, text in {f"{name}/__init__.py": "ONE = 1\n", **files}.items():
            path = folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return project_of(str(folder))

    return write


@pytest.fixture
def run(level: str, with_pytest: Path) -> Run:
    """Run a project's suite once."""

    def run_once(
        project: Project, *, attempt: int = 1, limits: SuiteLimits = LIMITS
    ) -> SuiteResult:
        return run_suite(project, with_pytest, limits, level, attempt)

    return run_once
