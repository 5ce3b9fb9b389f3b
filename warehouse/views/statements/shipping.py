"""Write ``dbt/statements.kept``, what dbt sends for a build of all: ``make dbt``.

So a first build in a new home needs no dbt: 3 seconds of processor time in place of 22.
"""

import os
import shutil
import tempfile

from warehouse import settings
from warehouse.errors import CheckFailed
from warehouse.views.build import BuildSpec, build
from warehouse.views.statements.keeping import StatementStore, shipped_file


def main() -> None:
    """Write the file unless it is current: dbt builds a warehouse without rows in a new home."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ASSAY_HOME"] = folder
        path = settings.warehouse_path()
        store, file = StatementStore(path.name), shipped_file()
        if store.in_file(file) is None:
            report = build(BuildSpec(), path)
            if report.warnings:
                raise CheckFailed(f"a build that warns is not kept: {report.warnings[0]}")
            shutil.copyfile(store.cached, file)


if __name__ == "__main__":
    main()
