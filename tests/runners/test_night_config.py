"""A nightly configuration is checked whole before anything runs: a line for each thing wrong."""

import os
from pathlib import Path

import pytest

from runners.cli.main import run

GENERATE = '[[generate]]\nbackend = "planted"\nlm = "coin"\ndataset = "starter"\nn = 1\n'
REFLECT = '[[reflect]]\nbackend = "planted"\nlm = "coin"\n'

# what stands in the file, the line that is named, and words of the reason
WRONG = [
    (GENERATE.replace("n = 1", "n = 0"), 5, "[generate] n: 0 is not in the range 1<=x<=100000"),
    (GENERATE.replace("n = 1", "n = 1_000_000_000"), 5, "n: 1000000000 is not in the range 1<=x<="),
    (GENERATE + "temperature = nan\n", 6, "[generate] temperature: nan is not a finite number"),
    (GENERATE + "top_p = inf\n", 6, "[generate] top_p: inf is not in the range 0<x<=1"),
    (GENERATE.replace("n = 1", "n = 1.5"), 5, "[generate] n: must be a whole number, not 1.5"),
    (GENERATE.replace("n = 1", "n = true"), 5, "[generate] n: must be a whole number, not true"),
    (GENERATE.replace("n = 1\n", ""), 1, "[generate] n is missing"),
    (GENERATE + 'stop = "x"\n', 6, "[generate] stop: must be a list"),
    (GENERATE + "stop = [1]\n", 6, "[generate] stop: must be a list"),
    (GENERATE + "editions = [7]\n", 6, "[generate] editions: there is no 7; available: 1, 2"),
    (GENERATE + "temprature = 1\n", 6, "temprature: there is no such setting: did you mean temper"),
    (GENERATE + "progress = true\n", 6, "progress: there is no such setting"),
    (GENERATE + 'prompt = "nope"\n', 6, "prompt: there is no prompt template 'nope'; available: o"),
    (GENERATE + "options = { pass_rte = 1 }\n", 6, "no option 'pass_rte'; available: "),
    (GENERATE + "\n[generate.options]\npass_rte = 1\n", 7, "no option 'pass_rte'; available: "),
    (GENERATE.replace("planted", "plantd"), 2, "[generate] backend: there is no 'plantd': did you"),
    (GENERATE.replace('"planted"', '["planted"]'), 2, "backend: must be a text, not the list"),
    (
        REFLECT + 'template = "verbalised_v2"\n',
        4,
        "there is no reflection 'verbalised_v2': did you",
    ),
    (
        GENERATE.replace("starter", "startr"),
        4,
        "there is no dataset 'startr': did you mean starter",
    ),
    (GENERATE.replace("coin", " "), 2, "is not a name for a language model"),
    (GENERATE + GENERATE.replace("n = 1", "n = -1"), 10, "[generate] n: -1 is not in the range"),
    ('[execute]\nworkers = "two"\n', 2, "workers: must be a whole number, not the text 'two'"),
    ("[execute]\nworkers = 0\n", 2, "[execute] workers: 0 is not in the range 1<=x<=1024"),
    ('[execute]\npolicy = "hope"\n', 2, "[execute] policy: there is no 'hope'; available: calibr"),
    ("[execute]\ndataset = 1\n", 2, "[execute] dataset: must be a text, not 1"),
    ("execute = 1\n", 1, "[execute] must be a table, not 1"),
    ("[similarity]\nmax_samples = 1\n", 2, "max_samples: 1 is not in the range 2<=x<="),
    ("[calibrate]\nseeds = 21\n", 2, "[calibrate] seeds: 21 is not in the range 1<=x<=20"),
    ('[build]\nselect = "leaderbord"\n', 2, "no view 'leaderbord': did you mean leaderboard?"),
    ("[publish]\nkeep = 0\n", 2, "[publish] keep: 0 is not in the range x>=1"),
    ('[[export]]\nview = "leaderbord"\n', 2, "[export] view: there is no view 'leaderbord'"),
    ('[[export]]\nformat = "csv"\n', 1, "[export] name either a view or a query (sql)"),
    ('[[import]]\npath = "no.jsonl"\n', 2, "no.jsonl: no such file or folder"),
    ('[[ingest]]\nname = "${NOT_SET_HERE}"\n', 2, "variable NOT_SET_HERE is not set"),
    ("[exceute]\nworkers = 1\n", 1, "no section [exceute]: did you mean execute?"),
    ("", 1, "nothing is configured: sections are ingest, "),
    ("# all commented out\n", 1, "nothing is configured"),
    ("[execute]\nworkers = \n", 2, "not TOML: Invalid value at column 11"),
]


@pytest.mark.parametrize(("text", "line", "reason"), WRONG, ids=lambda value: str(value)[:40])
def test_what_is_wrong_is_named_with_its_line_and_nothing_runs(
    text: str, line: int, reason: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = home.parent / "night.toml"
    config.write_text(text)
    assert run(["nightly", "--config", str(config)]) == 3
    shown = capsys.readouterr()
    assert shown.out == ""
    lines = shown.err.splitlines()
    assert any(each.startswith(f"error: {config}:{line}: ") and reason in each for each in lines)
    assert all(each.startswith(f"error: {config}:") for each in lines)
    assert not home.exists(), "nothing was begun"


def test_all_that_is_wrong_is_told_at_once_in_the_order_of_the_file(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = home.parent / "night.toml"
    config.write_text(
        "[publish]\nkeep = 0\n\n[[ingest]]\nname = 'x'\n\n[execute]\nworkers = 'a'\nnope = 1\n"
    )
    assert run(["nightly", "--config", str(config)]) == 3
    lines = capsys.readouterr().err.splitlines()
    assert [int(line.split(":")[2]) for line in lines] == [2, 5, 8, 9]


def test_a_file_that_cannot_be_read_is_one_line(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    binary = home.parent / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    pipe = home.parent / "pipe"
    os.mkfifo(pipe)
    large = home.parent / "large.toml"
    large.write_text("#" * 1_000_001)
    deep = home.parent / "deep.toml"
    deep.write_text("a = " + "[" * 100_000)
    digits = home.parent / "digits.toml"
    digits.write_text("a = " + "9" * 5000)
    for path, reason in (
        (home / "none.toml", "no such file"),
        (home.parent, "is a folder, not a file"),
        (binary, "not UTF-8 at byte 0"),
        (pipe, "is a named pipe: only regular files are read"),
        (large, "has 1,000,001 bytes: at most 1,000,000 are read of a file of this kind"),
        (deep, "not TOML that can be read: nested too deeply"),
        (digits, "not TOML that can be read: a number has too many digits"),
    ):
        assert run(["nightly", "--config", str(path)]) == 3
        assert capsys.readouterr().err == f"error: {path}: {reason}\n"
