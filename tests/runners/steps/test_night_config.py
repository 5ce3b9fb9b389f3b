"""A nightly configuration is checked whole before anything runs: a line for each thing wrong."""

import json
import os
from pathlib import Path

import pytest

from runners.cli.main import run
from runners.projects.problems import LinesSpec, ProblemsReport
from runners.specs import ExecuteSpec
from runners.steps.night_config import BadConfig, Planned, read_config
from runners.steps.nightly import run_steps
from warehouse.errors import AssayError, BadInput
from warehouse.views.build import BuildSpec

GENERATE = '[[generate]]\nbackend = "planted"\nlm = "coin"\ndataset = "starter"\nn = 1\n'
LISTED = GENERATE.replace('"starter"', "{}")
CHAT = GENERATE + "options = { chat = true }\n"
ADDRESS = GENERATE.replace('"planted"', '"openai"') + 'options = {{ base_url = "http://{}" }}\n'
EXPORT = '[[export]]\nview = "leaderboard"\n'
IMPORT = '[[import]]\npath = "."\nformat = "generic"\ndataset = "starter"\nlm = "m"\n'
PROJECT = '[[project]]\nnames = ["toolz"]\n'
RATE = '[[rate]]\nbackend = "planted"\nlm = "critic"\n'
REFLECT = '[[reflect]]\nbackend = "planted"\nlm = "coin"\n'

# what is in the file, the line that is named, and words of the reason
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
    (GENERATE + 'editions = ["new"]\n', 6, "editions: must be a list such as [1, 2], not the list"),
    (GENERATE + "editions = [7]\n", 6, "[generate] editions: there is no 7; available: 1, 2"),
    (GENERATE + "temprature = 1\n", 6, "temprature: there is no such setting: did you mean temper"),
    (GENERATE + "progress = true\n", 6, "progress: there is no such setting"),
    (GENERATE + 'prompt = "nope"\n', 6, "prompt: there is no prompt template 'nope'; available: o"),
    (GENERATE + "options = { pass_rte = 1 }\n", 6, "no option 'pass_rte': did you mean pass_rate?"),
    (
        GENERATE + "\n[generate.options]\npass_rte = 1\n",
        7,
        "no option 'pass_rte': did you mean pass_rate?",
    ),
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
    (GENERATE.replace("coin", " "), 3, "is not a name for a language model"),
    ("generate = [{" + ", ".join(GENERATE.split("\n")[1:4]) + ", n = 0}]\n", 1, "n: 0 is not in"),
    ("execute.force = true\nexecute.workers = 0\n", 2, "[execute] workers: 0 is not in the range"),
    ('[publish]\nkeep = """\n[execute]\nworkers = 0"""\n[execute]\nworkers = 0\n', 6, "workers: 0"),
    ("# one\u2028two\u0085three\n[execute]\nworkers = 0\n", 3, "workers: 0 is not in the range"),
    ("[execute]\n\n# workers = 1\nworkers = 0\n", 4, "workers: 0 is not in the range"),
    ("[execute]\r\n# a comment\r\nworkers = 0\r\n", 3, "workers: 0 is not in the range"),
    ("\r\n\n[nosuch]\r\nworkers = 0\n", 3, "no section [nosuch]"),
    ("[similarity]\nmeasures = [\n  'words',\n]\nmax_samples = 1\n", 5, "max_samples: 1 is not"),
    (GENERATE + GENERATE.replace("n = 1", "n = -1"), 10, "[generate] n: -1 is not in the range"),
    ('[execute]\nworkers = "two"\n', 2, "workers: must be a whole number, not the text 'two'"),
    ("[execute]\nworkers = 0\n", 2, "[execute] workers: 0 is not in the range 1<=x<=1024"),
    ('[execute]\npolicy = "hope"\n', 2, "[execute] policy: there is no 'hope'; available: calibr"),
    ("[execute]\ndataset = 1\n", 2, "[execute] dataset: must be a text, not 1"),
    ("execute = 1\n", 1, "[execute] must be a table, not 1"),
    ("execute = []\n", 1, "[execute] is an empty list: name a table, or leave it out"),
    ("[execute]\ncpu_limit = 5e-5\n", 2, "[execute] cpu_limit: 5e-05 is not in the range"),
    (ADDRESS.format("127.0.0.1:x/v1"), 6, "base_url is not an http address: Port could not be"),
    (ADDRESS.format("[::1/v1"), 6, "base_url is not an http address: Invalid IPv6 URL"),
    ("[similarity]\nmax_samples = 1\n", 2, "max_samples: 1 is not in the range 2<=x<="),
    ("[calibrate]\nseeds = 181\n", 2, "[calibrate] seeds: 181 is not in the range 1<=x<=180"),
    ('[build]\nselect = "leaderbord"\n', 2, "no view 'leaderbord': did you mean leaderboard?"),
    ('[build]\nselect = "statistics"\n', 2, "[build] select: there is no view 'statistics'"),
    ('[build]\nselect = "staging"\n', 2, "[build] select: there is no view 'staging'"),
    ('[build]\nselect = "leaderboard"\n', 2, "[build] select: a night publishes all views"),
    ("['publish']\nforce = true\n'keep' = 0\n", 3, "[publish] keep: 0 is not in the range"),
    (GENERATE + 'truncate = "whol"\n', 6, "truncate: the rule whol does not apply here: did you m"),
    (GENERATE + 'truncate = "fenced_v1"\n', 6, "truncate: the rule fenced_v1 does not apply here"),
    (
        CHAT + 'truncate = "stop"\n',
        7,
        "the rule stop does not apply here; available: fenced_v1, whole",
    ),
    (GENERATE + 'prompt = "synthesis_chat_v1"\n', 6, "prompt: the prompt template synthesis_chat"),
    (
        CHAT + 'prompt = "repair_v1"\n',
        7,
        "prompt: the prompt template repair_v1 is not made for synth",
    ),
    (GENERATE + 'task = "repair"\n', 6, "task: repair does not apply to starter"),
    (GENERATE + "max_pairs = 5\n", 6, "max_pairs: applies to pairs, which need the task counter"),
    (GENERATE + 'mutations = ["dead_code"]\n', 6, "mutations: applies to pairs"),
    ('[[ingest]]\nname = "mbpp"\nsha256 = "e3b0"\n', 3, "sha256: must be 64 hexadecimal digits"),
    ('[[mutate]]\ndataset = "defects4j"\n', 2, "dataset: defects4j holds repairs: it has no ref"),
    (LISTED.format('["starter", "mbpp"]'), 4, "dataset: mbpp is not ingested: add"),
    (
        LISTED.format("[]"),
        4,
        "dataset: the list is empty: name a dataset, or leave",
    ),
    (
        LISTED.format('["starter", 5]'),
        4,
        "[generate] dataset: must be a text, not 5",
    ),
    (LISTED.format('["starter", "starter"]'), 4, "dataset: starter is named twice"),
    (
        LISTED.format('["starter", "mbpp"]').replace("n = 1\n", ""),
        1,
        "n is missing",
    ),
    ('[[mutate]]\ndataset = "starter"\n', 2, "dataset: starter is not ingested: add [[ingest]]"),
    ('[execute]\nrescore = "starter"\n', 2, "rescore: starter is not ingested: add [[ingest]]"),
    (REFLECT, 3, "[reflect] lm: coin has no generations, and no section draws or imports any"),
    (REFLECT + "options = { pass_rate = 2 }\n", 4, "[reflect] options: planted backend: pass_rate"),
    (RATE + "options = { judge_prose = 2 }\n", 4, "[rate] options: planted backend: judge_prose"),
    (RATE + 'pairs = "some"\n', 4, "[rate] pairs: there is no 'some'; available: neighbours, all"),
    ('[calibrate]\nlm = "nobody"\n', 2, "[calibrate] lm: nobody has no generations"),
    ('[similarity]\nmeasures = ["words"]\n', 2, "measures: there is no measure 'words'; available"),
    (
        IMPORT + 'truncate = "whol"\n',
        6,
        "truncate: there is no keeping rule 'whol': did you mean wh",
    ),
    (IMPORT + 'truncate = "stop"\n', 6, "truncate: truncation at stop strings needs at least one"),
    (
        EXPORT + 'columns = ["lm", "lmm"]\n',
        3,
        "[export] columns: no column 'lmm': did you mean lm?",
    ),
    (EXPORT + 'format = "md"\nraw = true\n', 4, "[export] raw: goes with CSV, not with md"),
    (EXPORT + 'out = ""\n', 3, "[export] out: must be a path, not the empty text"),
    (EXPORT + 'out = "night.toml"\n', 3, "[export] out: is this configuration"),
    (EXPORT + 'out = "nowhere/x.csv"\n', 3, "[export] out: there is no folder "),
    (
        '[[export]]\nsql = "drop table x"\n',
        2,
        "[export] sql: only reading is allowed here, not DROP",
    ),
    ('[[export]]\nsql = "selec 1"\n', 2, "[export] sql: not SQL"),
    ('[[ingest]]\nname = "defects4j"\n', 1, "[ingest] path: Assay does not download defects4j"),
    ('[[ingest]]\nname = "starter"\nseed = 1\n', 3, "[ingest] seed: does not apply to starter"),
    ('[[ingest]]\nname = "humaneval"\npath = "."\n', 3, "is a folder, not the file of humaneval"),
    ("[publish]\nkeep = 0\n", 2, "[publish] keep: 0 is not in the range x>=1"),
    ('[[export]]\nview = "leaderbord"\n', 2, "[export] view: there is no view 'leaderbord'"),
    ('[[export]]\nformat = "csv"\n', 1, "[export] name either a view or a query (sql)"),
    ('[[import]]\npath = "no.jsonl"\n', 2, "no.jsonl: no such file or folder"),
    ('[[ingest]]\nname = ["starter"]\n', 2, "[ingest] name: must be a text, not the list"),
    ('[[ingest]]\nname = "${NOT_SET_HERE}"\n', 2, "variable NOT_SET_HERE is not set"),
    ("[[project]]\nnames = 'toolz'\n", 2, "[project] names: must be a list such as ['a', 'b']"),
    (
        "[[project]]\nname = ['toolz']\n",
        2,
        "name: there is no such setting: did you mean",
    ),
    ("[[project]]\nnames = ['tolz']\n", 2, "or checkout 'tolz': did you mean toolz?; another pro"),
    ("[[project]]\nnames = ['./nowhere']\n", 2, "nowhere: no such file or folder"),
    ("[[regions]]\nnames = ['toolz']\n", 2, "[regions] names: toolz is not ingested: add [[proj"),
    (PROJECT + "[[regions]]\nrule = 'v3'\n", 4, "[regions] rule: there is no 'v3'; available: v1"),
    (PROJECT + "[[regions]]\nn = 0\n", 4, "[regions] n: 0 is not in the range 1<=x<="),
    (PROJECT + "[[lines]]\nn = 5\n", 4, "[lines] n: there is no such setting"),
    (PROJECT + "[[functions]]\nnames = ['tinydb']\n", 4, "[functions] names: tinydb is not ingest"),
    (PROJECT + "[[lines]]\nnames = ['tinydb']\n", 4, "[lines] names: tinydb is not ingested: add"),
    ("[[lines]]\n", 1, "[lines] no project is ingested, and no section [[project]] brings any in"),
    (
        "[[lines]]\nnames = ['mbpp']\n",
        2,
        "[lines] names: mbpp is not ingested: add [[ingest]] with",
    ),
    ("[[lines]]\nnames = ['defects4j']\n", 2, "[lines] names: defects4j holds no functions, so it"),
    ("[[regions]]\nnames = ['mbpp']\n", 2, "[regions] names: no curated project, archive or"),
    (
        PROJECT + GENERATE.replace("starter", "toolz-lines"),
        6,
        'toolz-lines is not ingested: add [[lines]] with names = ["toolz"]',
    ),
    ("[[regions]]\n" + PROJECT + "[[regions]]\nn = -1\n", 5, "[regions] n: -1 is not in the range"),
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


def test_a_list_of_datasets_is_a_step_for_each(home: Path) -> None:
    config = home.parent / "night.toml"
    drawn = LISTED.format('["starter", "humaneval"]')
    config.write_text("[[ingest]]\nname = 'starter'\n[[ingest]]\nname = 'humaneval'\n" + drawn)
    steps = [step.spec for step in read_config(config) if step.verb == "generate"]
    assert [step.dataset for step in steps] == ["starter", "humaneval"]
    assert {(step.lm, step.n) for step in steps} == {("coin", 1)}
    for wrong in ("n = 0", ""):
        config.write_text(
            "[[ingest]]\nname = 'starter'\n[[ingest]]\nname = 'humaneval'\n"
            + drawn.replace("n = 1", wrong)
        )
        with pytest.raises(BadConfig) as raised:
            read_config(config)
        assert len(raised.value.lines) == 1, "what is wrong for both is told once"


def test_of_many_faults_on_one_line_the_first_are_told(home: Path) -> None:
    config = home.parent / "night.toml"
    names = ", ".join(f'"d{number}"' for number in range(1000))
    config.write_text(LISTED.format(f"[{names}]"))
    with pytest.raises(BadConfig) as raised:
        read_config(config)
    assert len(raised.value.lines) == 11
    assert raised.value.lines[-1].endswith(":4: 990 more on this line")


def test_a_variable_that_is_not_set_is_said_once(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOT_SET", raising=False)
    config = home.parent / "night.toml"
    config.write_text(GENERATE.replace("starter", "${NOT_SET}"))
    with pytest.raises(BadConfig) as raised:
        read_config(config)
    assert [line.rpartition(": ")[2] for line in raised.value.lines] == [
        "the environment variable NOT_SET is not set"
    ]


@pytest.mark.parametrize(
    ("names", "lines"), [("'toolz==1.2.0', 'x==2'", "names = ['x==2']\n"), ("'./here/'", "")]
)
def test_projects_come_before_what_is_made_of_them(home: Path, names: str, lines: str) -> None:
    (home.parent / "here").mkdir()
    config = home.parent / "night.toml"
    drawn = GENERATE.replace("starter", "toolz-regions")
    config.write_text(
        f"[[lines]]\n{lines}{drawn}[[functions]]\nn = 9\n[[regions]]\nrule = 'v2'\n"
        f"[[project]]\nnames = [{names}]\n"
    )
    steps = read_config(config)
    verbs = [step.verb for step in steps]
    assert verbs[:6] == ["project", "regions", "functions", "lines", "generate", "execute"]
    paths = [Path(name) for name in steps[0].spec.names if "/" in name]
    assert paths == ([home.parent / "here"] if "here" in names else [])


def test_lines_of_a_dataset_need_no_project(home: Path) -> None:
    config = home.parent / "night.toml"
    drawn = GENERATE.replace("starter", "starter-lines")
    config.write_text(f"[[lines]]\nnames = ['starter']\n{drawn}[[ingest]]\nname = 'starter'\n")
    assert [step.verb for step in read_config(config)][:3] == ["ingest", "lines", "generate"]


@pytest.mark.parametrize(
    ("named", "bad", "failed"),
    [
        (True, {"tinydb"}, True),
        (True, set(), False),
        (False, {"tinydb"}, False),
        (False, {"tinydb", "toolz"}, True),
    ],
)
def test_a_project_that_is_named_and_gives_nothing_fails_its_step(
    named: bool, bad: set[str], failed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(spec: LinesSpec, *, progress: bool) -> list[ProblemsReport]:
        return [
            ProblemsReport(name, error="few lines" if name in bad else None, n_problems=3)
            for name in ("toolz", "tinydb")
        ]

    monkeypatch.setattr("runners.projects.problems.ingest_lines", made)
    planned = Planned("lines", LinesSpec(("toolz", "tinydb") if named else ()))
    (step,) = run_steps("night.toml", [planned], progress=False).steps
    assert step.result["n_projects"] == 2
    assert step.result["n_problems"] == 6
    assert step.result["errors"] == dict.fromkeys(sorted(bad), "few lines")
    assert (step.error is not None) == failed
    assert all(f"{name}: few lines" in (step.error or "") for name in bad if failed)


def test_a_fault_of_ours_in_one_step_leaves_the_others_and_the_log(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(spec: ExecuteSpec, *, progress: bool) -> None:
        raise ZeroDivisionError("by\nnothing")

    def unbuilt(spec: BuildSpec, *, progress: bool) -> None:
        raise AssayError("not now")

    monkeypatch.setattr("runners.steps.execute.execute", broken)
    monkeypatch.setattr("warehouse.views.build.build", unbuilt)
    config = home.parent / "night.toml"
    config.write_text("[[ingest]]\nname = 'starter'\n")
    assert run(["nightly", "--config", str(config), "--no-progress"]) == 1
    assert "execute: FAILED: unexpected ZeroDivisionError: by nothing" in capsys.readouterr().out
    steps = json.loads((home / "nightly.jsonl").read_text())["steps"]
    assert [step["name"] for step in steps][:2] == ["ingest starter", "execute"]
    assert steps[-1]["error"] == "left undone: an earlier step failed"


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


def test_isolation_that_the_machine_does_not_have_is_refused_before_the_night(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = home.parent / "night.toml"
    config.write_text("[execute]\nisolation = 'ns+seccomp'\n")
    lacking = {"works": False, "reason": "no user namespaces"}
    monkeypatch.setattr("runners.steps.execute.try_level", lambda level: lacking)
    assert run(["nightly", "--config", str(config)]) == 3
    reason = "[execute] isolation: ns+seccomp does not hold here: no user namespaces"
    assert capsys.readouterr().err == f"error: {config}:2: {reason}\n"


def test_a_rule_is_held_against_the_problems_that_are_ingested(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ingest", "starter"]) == 0
    config = home.parent / "night.toml"
    config.write_text(GENERATE + 'truncate = "module_end_v1"\n')
    assert run(["nightly", "--config", str(config)]) == 3
    assert f"{config}:6: [generate] truncate: the rule module_end_v1" in capsys.readouterr().err


def test_many_faults_are_each_on_their_line_and_found_in_one_pass(home: Path) -> None:
    config = home.parent / "night.toml"
    keys = [f'k{n} = """\n]{n}"""\n' if n % 3 else f"k{n} = {n}\n" for n in range(6000)]
    config.write_text("[execute]\n" + "".join(keys))
    with pytest.raises(BadConfig) as found:
        read_config(config, files=False)
    lines = [2 + sum(1 + bool(n % 3) for n in range(last)) for last in range(6)]
    named = [int(each.removeprefix(f"{config}:").partition(":")[0]) for each in found.value.lines]
    assert len(named) == 6000
    assert named[:6] == lines


def test_nesting_is_refused_or_read_at_every_depth(home: Path) -> None:
    config = home.parent / "night.toml"
    for depth in (90, 300, 480, 490, 493, 495, 500, 5000):
        config.write_text(f"[execute]\nx = {'[' * depth}{']' * depth}\n")
        with pytest.raises(BadInput):
            read_config(config, files=False)
