"""All raw tables, one class each, in the order in which rows refer to each other."""

from models.datasets import DatasetRelease, OwnRelease, Problem, Region, Test, Variant
from models.execution import (
    Admission,
    Canary,
    Candidate,
    Evaluation,
    LimitTrial,
    Outcome,
    Program,
    TestOutcome,
)
from models.generations import (
    Claim,
    ClaimFile,
    ClaimRecord,
    ClaimSource,
    Generation,
    GenerationText,
    TokenLogprob,
)
from models.language_models import LanguageModel, Setting
from models.measurements import (
    CalibrationFit,
    CalibrationFold,
    CandidateFeature,
    Estimate,
    KfoldOrder,
    PairCountBlock,
    PairRating,
    PairScoreBlock,
    ReflectionReading,
    Scorer,
    TextSimilarity,
)
from models.mutations import Mutant, MutationPair, MutationScan, MutationSite
from models.projects.coverage import ProjectFile, ProjectFunction, TestCoverage
from models.projects.problems import ProjectProblem, RegionCheck
from models.projects.releases import ProjectEnvironment, ProjectRelease
from models.projects.suites import SuiteRun, SuiteTest
from models.requests import (
    Endpoint,
    EndpointCapability,
    GenerationIssue,
    GenerationRequest,
)
from models.runs import GateReject, GateResult, Run, RunFinish

TABLES = (
    Run,
    RunFinish,
    GateResult,
    GateReject,
    DatasetRelease,
    OwnRelease,
    Problem,
    Test,
    Variant,
    Region,
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
    PairCountBlock,
    Scorer,
    CandidateFeature,
    PairScoreBlock,
    TextSimilarity,
    Endpoint,
    EndpointCapability,
    GenerationRequest,
    GenerationIssue,
    ReflectionReading,
    PairRating,
    CalibrationFit,
    CalibrationFold,
    KfoldOrder,
    Estimate,
    MutationScan,
    MutationSite,
    Mutant,
    MutationPair,
    LimitTrial,
    ProjectRelease,
    ProjectEnvironment,
    SuiteRun,
    SuiteTest,
    ProjectFile,
    TestCoverage,
    ProjectFunction,
    ProjectProblem,
    RegionCheck,
    ClaimSource,
    ClaimFile,
    Claim,
    ClaimRecord,
)
