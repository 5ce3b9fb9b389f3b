"""The import formats: short name to the module that reads it, imported when asked for."""

FORMATS = {
    "humaneval": "ingest.imports.humaneval",
    "evalplus": "ingest.imports.evalplus",
    "bigcode": "ingest.imports.bigcode",
    "codet": "ingest.imports.codet",
    "ldb": "ingest.imports.ldb",
    "vllm": "ingest.imports.vllm",
    "evalperf": "ingest.imports.evalperf",
    "generic": "ingest.imports.generic",
}
