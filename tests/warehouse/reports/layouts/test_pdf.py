"""The preview of a paper's tables: by a real engine where there is one, and what goes wrong."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.commands import assay, refused
from tests.support.steps import publish
from tests.support.worlds.calibration.views import make_calibration_views
from tests.support.worlds.views import mark_built
from warehouse.errors import AssayError
from warehouse.reports.layouts import pdf

LACKING = f"no TeX engine on PATH: install one of {', '.join(pdf.ENGINES)}"
TABLE = r"""% Assay, Table 5: a title
% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}
\begin{tabular}{lr}
\toprule
name & value \\
\midrule
b\%\#\$\_\textquotedbl{}\textbar{} & \textbf{1.0} {\scriptsize [$-$2, 3]} \\
\bottomrule
\end{tabular}
"""
Engine = Callable[[str], None]


@pytest.fixture(autouse=True, scope="module")
def tabulated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(tmp_path_factory.mktemp("home")))
        make_calibration_views()
        mark_built()
        publish()
        yield


@pytest.fixture
def fake_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """Make a tectonic of a shell script, alone on PATH with the shell's own programs."""

    def make(script: str) -> None:
        program = tmp_path / "bin" / "tectonic"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.defpath}")

    return make


def test_the_tables_of_a_paper_become_one_document(tmp_path: Path, fake_engine: Engine) -> None:
    fake_engine('cp preview.tex preview.pdf && echo "$@" >> preview.pdf')
    out = tmp_path / "tables"
    done = assay("export", "--paper", "calibration", "--out", str(out), "--pdf")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"{out}/calibration_v1.pdf: a preview of these tables"
    document = (out / "calibration_v1.pdf").read_text()
    tables = sorted(out.glob("*.tex"))
    assert document.count(r"\begin{tabular}") == len(tables) >= 6
    for table in tables:
        heading, _, body = table.read_text().partition("\n")
        assert heading.removeprefix("% ") in document
        assert body in document
    assert document.endswith("\\end{document}\n--chatter minimal preview.tex\n")


def test_what_an_engine_says_is_one_line_and_the_tables_stay(
    tmp_path: Path, fake_engine: Engine
) -> None:
    fake_engine('echo "error: preview.tex:9: no file booktabs.sty"; echo more; exit 1')
    out = tmp_path / "tables"
    done = assay("export", "--paper", "calibration", "--out", str(out), "--pdf")
    said = "error: tectonic made no PDF: error: preview.tex:9: no file booktabs.sty\n"
    assert (done.returncode, done.stderr) == (1, said)
    assert len(list(out.glob("*.tex"))) >= 6
    assert not list(out.glob("*.pdf"))


def test_without_an_engine_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    out = tmp_path / "tables"
    line = refused("export", "--paper", "calibration", "--out", str(out), "--pdf", code=1)
    assert line == (
        "error: a PDF needs a TeX engine, and none is on PATH: install tectonic, latexmk, pdflatex "
        "or lualatex, or leave out --pdf"
    )
    assert not out.exists()


@pytest.mark.long(seconds=20)
def test_a_real_engine_compiles_a_table() -> None:
    try:
        pdf.engine()
    except AssayError:
        pytest.skip(LACKING)
    wide = TABLE.replace("value", "value" * 60)
    high = TABLE.replace(r"\midrule", "\\midrule\n" + "a & 1 \\\\\n" * 200)
    written = pdf.compiled([TABLE, wide, high])
    assert written.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", written)) in (0, 2)  # 0: packed in object streams
    with pytest.raises(AssayError, match=r"made no PDF: .*Undefined control sequence"):
        pdf.compiled([TABLE.replace("name", r"\nosuchcommand")])
