"""What a row is: one class per raw table."""

from models.calibration import (
    CalibrationFit,
    CalibrationFold,
    Estimate,
    KfoldOrder,
    ReflectionReading,
)
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
from models.requests import (
    Endpoint,
    EndpointCapability,
    GenerationIssue,
    GenerationRequest,
)
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
    Endpoint,
    EndpointCapability,
    GenerationRequest,
    GenerationIssue,
    ReflectionReading,
    CalibrationFit,
    CalibrationFold,
    KfoldOrder,
    Estimate,
)

__all__ = [
    "TABLES",
    "Admission",
    "CalibrationFit",
    "CalibrationFold",
    "Canary",
    "Candidate",
    "DatasetRelease",
    "Endpoint",
    "EndpointCapability",
    "Estimate",
    "Evaluation",
    "GateReject",
    "GateResult",
    "Generation",
    "GenerationIssue",
    "GenerationRequest",
    "GenerationText",
    "KfoldOrder",
    "LanguageModel",
    "Outcome",
    "PairSimilarity",
    "Problem",
    "Program",
    "ReflectionReading",
    "Run",
    "RunFinish",
    "Setting",
    "Test",
    "TestOutcome",
    "TokenLogprob",
    "Variant",
]
