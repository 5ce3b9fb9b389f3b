"""The datasets: short name to the module that declares and reads it, imported when asked for."""

DATASETS = {
    "starter": "ingest.datasets.starter",
    "humaneval": "ingest.datasets.humaneval",
    "humaneval_plus": "ingest.datasets.humaneval_plus",
    "mbpp": "ingest.datasets.mbpp",
    "mbpp_sanitized": "ingest.datasets.mbpp_sanitized",
    "mbpp_plus": "ingest.datasets.mbpp_plus",
    "codecontests": "ingest.datasets.codecontests",
    "defects4j": "ingest.datasets.defects4j",
    "manysstubs4j": "ingest.datasets.manysstubs4j",
}
