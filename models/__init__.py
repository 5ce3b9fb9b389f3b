"""What a row is: one class per raw table."""

from models.datasets import DatasetRelease, Problem, Test, Variant
from models.execution import (
    Admission,
    Canary,
    Candidate,
    Evaluation,
    Outcome,
    Program,
    TestOutcome,
)
from models.generations import Generation, GenerationText, TokenLogprob
from models.language_models import LanguageModel, Setting
from models.runs import GateReject, GateResult, Run, RunFinish
from models.similarity import PairSimilarity

TABLES = (
    Run,
    RunFinish,
    GateResult,
    GateReject,
    DatasetRelease,
    Problem,
    Test,
    Variant,
    LanguageModel,
    Setting,
    Generation,
    GenerationText,
    TokenLogprob,
    Candidate,
    Admission,
    Program,
    Evaluation,
    Outcome,
    TestOutcome,
    Canary,
    PairSimilarity,
)

__all__ = [
    "TABLES",
    "Admission",
    "Canary",
    "Candidate",
    "DatasetRelease",
    "Evaluation",
    "GateReject",
    "GateResult",
    "Generation",
    "GenerationText",
    "LanguageModel",
    "Outcome",
    "PairSimilarity",
    "Problem",
    "Program",
    "Run",
    "RunFinish",
    "Setting",
    "Test",
    "TestOutcome",
    "TokenLogprob",
    "Variant",
]
