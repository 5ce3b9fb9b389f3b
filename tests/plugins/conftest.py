"""The toy package of docs/extensions.md, installed once."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.data import ROOT

PAGE = (ROOT / "docs/extensions.md").read_text(encoding="utf-8")
MODULE, PACKAGE, JOURNEY = re.findall(r"```\w+\n(.*?)```", PAGE, re.DOTALL)[:3]


def installed(folder: Path, module: str, package: str = PACKAGE) -> str:
    """Install a package with one module and return the folder that Python then looks in."""
    source, site = folder / "assay-toy", folder / "site"
    source.mkdir(parents=True)
    (source / "assay_toy.py").write_text(module, encoding="utf-8")
    (source / "pyproject.toml").write_text(package, encoding="utf-8")
    pip = [str(ROOT / ".venv/bin/uv"), "pip", "install", "--quiet", "--no-deps"]
    offline = ["--offline", "--no-build-isolation", "--python", str(ROOT / ".venv/bin/python")]
    subprocess.run([*pip, *offline, "--target", str(site), str(source)], check=True)
    return str(site)


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> str:
    return installed(tmp_path_factory.mktemp("toy"), MODULE)
