"""A home with samples of a planted language model, executed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.steps import execute, generate, ingest_dataset

N_SAMPLES = 5


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Five samples of each problem of the starter set, most of them right, in three styles."""
    home = tmp_path_factory.mktemp("home")
    coder = {"pass_rate": 0.7, "n_styles": 3, "unparseable": 0.0, "length_range": [200, 700]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        ingest_dataset("starter")
        asked = {"backend": "planted", "lm": "coder", "dataset": "starter", "n": N_SAMPLES}
        generate(**asked, options=coder, progress=False)
        execute(progress=False)
        yield home
