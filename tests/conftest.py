"""Every test has a home of its own; none touches the user's."""

from pathlib import Path

import pytest


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh ASSAY_HOME."""
    folder = tmp_path / "home"
    monkeypatch.setenv("ASSAY_HOME", str(folder))
    return folder
