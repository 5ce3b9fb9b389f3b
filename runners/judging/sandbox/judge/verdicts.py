"""What the judge finds about one program."""

from models.words import FAILED, NOT_RUN, PASSED
from runners.judging.sandbox.inside.record import Recorder
from runners.judging.sandbox.judge.channel import Channel
from runners.judging.sandbox.judge.endings import NOT_STARTED, CandidateExit, Cause, JudgeLimit
from runners.judging.sandbox.judge.suites import PreparedSuite


class Verdict:
    """What the judge found, before the zygote's word on limits is added."""

    def __init__(self, n_tests: int):
        self.outcomes: list[list[str]] = [[NOT_RUN, ""] for _ in range(n_tests)]
        self.first_bad: tuple[str, str] | None = None
        self.ended = False  # our copy of the tests ran to its end
        self.answered = 0
        self.outputs: list[str] = []
        self.current: int | None = None  # the test being run

    def bad(self, status: str, message: str) -> None:
        """Note a failure; the first one names the verdict."""
        if self.first_bad is None:
            self.first_bad = (status, message)

    def cut_off(self, cause: Cause) -> None:
        """Give the cause to the test whose answer never came; those after it were not run."""
        test = self.current
        started = cause is not NOT_STARTED
        if started and test is not None and self.outcomes[test][0] in (NOT_RUN, PASSED):
            self.outcomes[test] = [cause.status, cause.message]
        self.bad(cause.status, cause.message)

    @property
    def passed(self) -> bool:
        """Whether every test passed, a call was answered, and our copy of the tests ended."""
        return (
            self.ended
            and self.first_bad is None
            and self.answered > 0
            and all(status == PASSED for status, _ in self.outcomes)
        )


class JudgeRecorder(Recorder):
    """Records asserts on the judge's side and tells its own trouble from the candidate's."""

    kinds = (*Recorder.kinds, CandidateExit)

    def __init__(self, verdict: Verdict, prepared: PreparedSuite, channel: Channel):
        self.channel = channel
        self.outcomes = verdict.outcomes
        self.verdict = verdict
        self.labels = prepared.labels
        self.raised: BaseException | None = None

    def enter(self, index: int) -> None:
        """Remember which test is open, should the child end during it."""
        self.verdict.current = index

    def caught(self, index: int, error: BaseException) -> None:
        """An exception from the candidate fails the test; our own lack of memory is ours."""
        if error is not self.raised and isinstance(error, MemoryError | RecursionError):
            raise JudgeLimit(type(error).__name__) from None
        super().caught(index, error)

    def note(self, index: int, status: str, message: str) -> None:
        """Keep the first failure, with the assert as its message."""
        message = message or (self.labels[index] if status == FAILED else "")
        super().note(index, status, message)
        self.verdict.current = None
        self.channel.next_test()
        if status != PASSED:
            self.verdict.bad(status, message)
