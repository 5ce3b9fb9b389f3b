"""Where generations come from: one module per backend, loaded when it is named."""

BACKENDS = {
    "openai": "runners.backends.openai:OpenAIBackend",
    "planted": "runners.backends.planted:PlantedBackend",
    "replay": "runners.backends.replay:ReplayBackend",
    "vllm": "runners.backends.vllm:VllmBackend",
}
