"""What does not fit is refused in one clear line, and the page that lists it is what happens."""

import pytest

from tests.bad_commands import COMMANDS
from tests.bad_inputs import PAGE, page, run_all, state, world


@pytest.mark.long
def test_every_bad_input_is_one_clear_line_writes_nothing_and_is_on_the_page() -> None:
    with world() as folder:
        before = state(folder)
        sections = run_all(folder)
        assert state(folder) == before, "something was written"
    cases = [case for section in sections.values() for case in section]
    assert len(cases) == sum(map(len, COMMANDS.values())) >= 100
    for case in cases:
        assert case.code not in (0, 130), case
        assert case.out == "", case
        lines = case.err.splitlines()
        assert all(line.startswith("error: ") for line in lines), case
        if lines[-1].endswith("problems would be refused or rejected"):
            assert case.command.startswith("assay dataset check "), case
            lines.pop()  # a check of many rows says how many do not fit
        assert len(lines) == 1, case
        for word in ("Traceback", "error: unexpected ", "object at 0x", "<class"):
            assert word not in case.err, case
    assert page(sections) == PAGE.read_text(encoding="utf-8"), f"{PAGE} is stale: run `make docs`"
