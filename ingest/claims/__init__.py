"""The formats of results made elsewhere: short name to what describes and reads a file."""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from ingest.claims.layout import ClaimFormat

CLAIM_FORMATS: "Registry[ClaimFormat]" = Registry(
    "format of claims",
    {
        "evalplus": "ingest.claims.evalplus:FORMAT",
        "livecodebench": "ingest.claims.livecodebench:FORMAT",
        "inspect": "ingest.claims.inspect:FORMAT",
        "lm_eval": "ingest.claims.lm_eval:FORMAT",
        "eee": "ingest.claims.eee:FORMAT",
        "helm": "ingest.claims.helm:FORMAT",
        "bigcode": "ingest.claims.bigcode:FORMAT",
        "swe_bench": "ingest.claims.swe_bench:FORMAT",
        "generic": "ingest.claims.generic:FORMAT",
    },
    group="assay.claims",
    of="ingest.claims.layout:ClaimFormat",
)
