"""dbt's statements for a first build, kept while rows are still being made.

dbt takes some 20 seconds of processor time to find out what a build of all sends, and that never
depends on rows (docs/decisions/0022). So a second process builds a warehouse without rows, and the
first build finds its statements. Where the process fails, dbt makes that build and says what is
wrong. It ends with the process that started it, however that ends.
"""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from warehouse import settings
from warehouse.views.build import UNIT_TEST, BuildSpec, build
from warehouse.views.statements.keeping import file_of_all


@contextmanager
def statements_ahead() -> Iterator[None]:
    """Let that process run beside the block, where no statements are kept of a build of all."""
    name = settings.warehouse_path().name
    file = file_of_all(name, [UNIT_TEST])
    if file.exists():
        yield
        return
    folder = file.parents[2] / "ahead"
    shutil.rmtree(folder, ignore_errors=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "warehouse.views.ahead", str(folder / name)],
        env={**os.environ, "ASSAY_HOME": str(settings.home())},
        stdin=subprocess.PIPE,  # its end is the end of this process
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with process:
            yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _follow() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_follow, daemon=True).start()
    build(BuildSpec(), Path(sys.argv[1]))
