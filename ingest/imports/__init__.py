"""The import formats: short name to what describes and reads a file, imported when asked for."""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from ingest.imports.layout import ImportFormat

FORMATS: "Registry[ImportFormat]" = Registry(
    "import format",
    {
        "humaneval": "ingest.imports.humaneval:FORMAT",
        "evalplus": "ingest.imports.evalplus:FORMAT",
        "bigcode": "ingest.imports.bigcode:FORMAT",
        "codet": "ingest.imports.codet:FORMAT",
        "ldb": "ingest.imports.ldb:FORMAT",
        "mapcoder": "ingest.imports.mapcoder:FORMAT",
        "vllm": "ingest.imports.vllm:FORMAT",
        "evalperf": "ingest.imports.evalperf:FORMAT",
        "crscore": "ingest.imports.crscore:FORMAT",
        "generic": "ingest.imports.generic:FORMAT",
    },
    group="assay.imports",
    of="ingest.imports.layout:ImportFormat",
)
