"""Rust by rustc.

The tests become functions that a ``main`` of ours calls. It reads the token before, and prints it
behind the last test. ``rand``, ``regex`` and ``md5``, which HumanEval-X imports everywhere, are
small modules of ours with what its tests and references call.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from runners.judging.languages.base import Command, Language, Plan, Tool, tool_path
from runners.judging.sandbox.types import Suite

TOOLCHAINS = Path("~/.rustup/toolchains").expanduser()
SYSTEM = "/usr/bin/rustc"


def _found() -> str | None:
    """Return the compiler itself, and not the program by which rustup starts it."""
    if Path(SYSTEM).exists():
        return SYSTEM
    stable = sorted(TOOLCHAINS.glob("stable-*/bin/rustc"))
    return str(stable[0]) if stable else None


RUSTC = Tool("rustc", "rustc", _found)
LINKER = Tool("cc", "gcc")
CRATES = Path(__file__).with_name("inside") / "crates.rs"

NAMED = re.compile(r"#\[test\]\s*(?:pub\s+)?fn\s+(\w+)")
OF_CRATE = re.compile(r"(?<![\w:])(rand|regex|md5)(?=::|;)")
DRIVER = """
macro_rules! assert {{ ($($t:tt)*) => {{ ::std::assert!($($t)*) }} }}
macro_rules! assert_eq {{ ($($t:tt)*) => {{ ::std::assert_eq!($($t)*) }} }}
macro_rules! assert_ne {{ ($($t:tt)*) => {{ ::std::assert_ne!($($t)*) }} }}
{tests}
fn main() {{
    let mut token_{nonce} = ::std::string::String::new();
    ::std::io::Read::read_to_string(&mut ::std::io::stdin(), &mut token_{nonce}).unwrap();
    {calls}
    ::std::println!("\\n{{}}", token_{nonce});
}}
"""
"""A program's macros of these names end here; ``::std`` is the library, whatever it defines."""


def _plan(source: str, suite: Suite, token: str, memory_mb: int) -> Plan:
    test_code = suite.test_code or ""
    names = NAMED.findall(test_code)
    tests = NAMED.sub(r"pub fn \1", test_code.replace("#[cfg(test)]", ""))
    calls = "\n    ".join(f"tests::{name}();" for name in names)
    program = source + DRIVER.format(tests=tests, nonce=token[:8], calls=calls)
    text = OF_CRATE.sub(r"crate::crates::\1", program) + CRATES.read_text()
    rustc = tool_path(RUSTC)
    sysroot = str(Path(rustc).parent.parent)
    command = [rustc, "--sysroot", sysroot, "--edition", "2021", "-A", "warnings"]
    command += ["-C", "opt-level=1", "-C", f"linker={tool_path(LINKER)}"]
    command += ["program.rs", "-o", "program"]
    return Plan(
        files={"program.rs": text},
        compile=Command(
            command,
            memory_limit="DATA",
            environment={"LD_LIBRARY_PATH": f"{sysroot}/lib"},
            forks=True,
            remove=["program.rs"],
        ),
        run=Command(["./program"], stdin=token, processes=8),
    )


def _folders() -> Sequence[str]:
    sysroot = str(Path(tool_path(RUSTC)).parent.parent)
    return ["/usr/bin", *([sysroot] if sysroot != "/usr" else [])]


RUST = Language(
    name="rust",
    tools=(RUSTC, LINKER),
    labels=frozenset({"rust", "rs"}),
    stub='    panic!("stub")\n}\n',
    memory_words=("memory allocation of",),
    plan=_plan,
    folders=_folders,
)
