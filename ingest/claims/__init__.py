"""The formats of results made elsewhere: short name to what describes and reads a file."""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from ingest.claims.layout import ClaimFormat

CLAIM_FORMATS: "Registry[ClaimFormat]" = Registry(
    "format of claims",
    {
        "evalplus": "ingest.claims.evalplus:FORMAT",
        "generic": "ingest.claims.generic:FORMAT",
    },
)
