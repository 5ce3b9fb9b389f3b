"""Backends that draw generations: one module each, loaded when it is named."""

BACKENDS = {
    "openai": "runners.drawing.backends.openai.backend:OpenAIBackend",
    "planted": "runners.drawing.backends.planted:PlantedBackend",
    "replay": "runners.drawing.backends.replay:ReplayBackend",
    "vllm": "runners.drawing.backends.vllm:VllmBackend",
}
