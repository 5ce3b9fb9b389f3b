"""LaTeX tables as one PDF to look at, by a TeX engine that is installed."""

import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from warehouse.errors import AssayError

STEM = "preview"
QUIET = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")
ENGINES: Mapping[str, Sequence[str]] = {
    "tectonic": ("--chatter", "minimal"),
    "latexmk": ("-pdf", *QUIET[:2], f"-latexoption={QUIET[2]}"),
    "pdflatex": QUIET,
    "lualatex": QUIET,
}
"""Those that are looked for, the first one first, each with its options."""

MOST_SECONDS = 300

# A table that is too wide or too high for its page is made smaller.
OPENING = r"""\documentclass{article}
\usepackage[a4paper,landscape,margin=15mm]{geometry}
\usepackage{booktabs,graphicx,iftex}
\ifPDFTeX\usepackage[T1]{fontenc}\fi
\newsavebox{\printed}
\newcommand{\fitted}{%
  \ifdim\wd\printed>\linewidth
    \sbox{\printed}{\resizebox{\linewidth}{!}{\usebox{\printed}}}\fi
  \ifdim\dimexpr\ht\printed+\dp\printed>.9\textheight
    \sbox{\printed}{\resizebox*{!}{.9\textheight}{\usebox{\printed}}}\fi
  \noindent\usebox{\printed}\par}
\setlength{\parindent}{0pt}
\begin{document}
"""


def engine() -> str:
    """Return the first TeX engine that is installed; raises AssayError where none is."""
    for name in ENGINES:
        if shutil.which(name):
            return name
    *most, last = ENGINES
    raise AssayError(
        f"a PDF needs a TeX engine, and none is on PATH: install {', '.join(most)} or {last}, "
        "or leave out --pdf"
    )


def compiled(tables: Sequence[str]) -> bytes:
    """Return the PDF of tables of ``latex_table``, each under its first line, which is a comment.

    Raises AssayError with the first thing that the engine says is wrong.
    """
    name = engine()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / f"{STEM}.tex").write_text(_document(tables), encoding="utf-8")
        try:
            done = subprocess.run(
                [name, *ENGINES[name], f"{STEM}.tex"],
                cwd=place,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=MOST_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise AssayError(f"{name} took over {MOST_SECONDS} s: leave out --pdf") from error
        written = place / f"{STEM}.pdf"
        if done.returncode or not written.is_file():
            raise AssayError(f"{name} made no PDF: {_fault(done.stdout + done.stderr)}")
        return written.read_bytes()


def _document(tables: Sequence[str]) -> str:
    parts = [OPENING]
    for table in tables:
        heading, _, body = table.partition("\n")
        parts.append(
            f"\\begin{{minipage}}{{\\linewidth}}\n{heading.removeprefix('% ')}\\par\\medskip\n"
            f"\\begin{{lrbox}}{{\\printed}}%\n{body}\\end{{lrbox}}\\fitted\n"
            "\\end{minipage}\\par\\bigskip\n"
        )
    return "".join([*parts, "\\end{document}\n"])


def _fault(said: str) -> str:
    """Return the first line that an engine marks as an error, else its last."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    marked = [line for line in lines if line.startswith(("!", "error:"))]
    return (marked or lines[-1:] or ["it says nothing"])[0].lstrip("! ")
