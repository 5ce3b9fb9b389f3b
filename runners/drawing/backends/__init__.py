"""Backends that draw generations: short name to class, imported when asked for."""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from runners.drawing.backends.base import Backend

BACKENDS: "Registry[type[Backend]]" = Registry(
    "backend",
    {
        "openai": "runners.drawing.backends.openai.backend:OpenAIBackend",
        "planted": "runners.drawing.backends.planted:PlantedBackend",
        "replay": "runners.drawing.backends.replay:ReplayBackend",
        "vllm": "runners.drawing.backends.vllm:VllmBackend",
    },
    group="assay.backends",
    of="runners.drawing.backends.base:Backend",
)
