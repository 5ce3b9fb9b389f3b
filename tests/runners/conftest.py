"""A warehouse that tests of the runners copy."""

from pathlib import Path

import pytest

from ingest.loader import ingest_dataset


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ingested")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder))
        ingest_dataset("starter")
    return folder
