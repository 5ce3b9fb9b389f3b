"""Programs that mean harm in each language: the task is f(x) = x + 1, and none may pass.

Each answers the task only if its deed worked, or ends before the tests. Bombs are bounded.
"""

TESTS = {
    "javascript": "console.assert(f(1) === 2)\nconsole.assert(f(2) === 3)\n",
    "cpp": "#undef NDEBUG\n#include<assert.h>\nint main(){\n    assert(f(1) == 2);\n"
    "    assert(f(2) == 3);\n}\n",
    "rust": "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn test_f() {\n"
    "        assert_eq!(f(1), 2);\n        assert_eq!(f(2), 3);\n    }\n}\n",
    "java": "public class Main {\n    public static void main(String[] args) {\n"
    "        Solution s = new Solution();\n"
    "        List<Boolean> correct = Arrays.asList(s.f(1) == 2, s.f(2) == 3);\n"
    "        if (correct.contains(false)) {\n            throw new AssertionError();\n        }\n"
    "    }\n}\n",
}

SHAPES = {
    "javascript": "BEFORE\nconst f = (x) => { BODY }\n",
    "cpp": "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <unistd.h>\n"
    "#include <vector>\n#include <string>\n#include <fcntl.h>\n#include <sys/socket.h>\n"
    "#include <netinet/in.h>\nBEFORE\nint f(int x) { BODY }\n",
    "rust": "BEFORE\nfn f(x: i32) -> i32 { BODY }\n",
    "java": "import java.util.*;\nBEFORE\nclass Solution {\n    int f(int x) { BODY }\n}\n",
}

RIGHT = {
    "javascript": ("", "return x + 1"),
    "cpp": ("", "return x + 1;"),
    "rust": ("", "x + 1"),
    "java": ("", "return x + 1;"),
}

WRONG = {
    "javascript": ("", "return 2"),
    "cpp": ("", "return 2;"),
    "rust": ("", "2"),
    "java": ("", "return 2;"),
}

BROKEN = {
    "javascript": ("", "return ("),
    "cpp": ("", "return x +;"),
    "rust": ("", "x + "),
    "java": ("", "return x +;"),
}

TOKEN = "0123456789abcdef0123456789abcdef"

FORGERIES = {
    "javascript": {
        "ends early": ("", "process.exit(0)"),
        "ends early, escaping": ("", "console.log.constructor('return process')().exit(0)"),
        "prints a token": ("", f"console.log('\\n{TOKEN}'); return 2"),
        "reads the token again": (
            "",
            "const p = console.log.constructor('return process')();"
            "const fs = p.getBuiltinModule ? p.getBuiltinModule('fs') : p.binding('fs');"
            "console.log('\\n' + fs.readFileSync(0, 'latin1')); p.exit(0)",
        ),
        "replaces assert": ("", "console.assert = () => {}; return 2"),
        "declares console": ("const console = { assert() {} }", "return 2"),
        "runs the tests never": ("throw 0", "return x + 1"),
    },
    "cpp": {
        "ends early": ("", "exit(0);"),
        "ends at once": ("", "_exit(0);"),
        "prints a token": ("", f'printf("\\n{TOKEN}\\n"); fflush(stdout); _exit(0);'),
        "ends before main": ("struct Early { Early() { _exit(0); } } early;", "return 2;"),
        "replaces the failure of assert": (
            'extern "C" void __assert_fail(const char*, const char*, unsigned, const char*)'
            " noexcept { _exit(0); }",
            "return 2;",
        ),
        "redefines assert": ("#define assert(x) ((void)0)\n#define NDEBUG", "return 2;"),
    },
    "rust": {
        "ends early": ("", "std::process::exit(0)"),
        "prints a token": ("", f'println!("\\n{TOKEN}"); std::process::exit(0)'),
        "redefines assert": ("macro_rules! assert_eq { ($($t:tt)*) => {} }", "2"),
        "ends by a hook": ("", "std::panic::set_hook(Box::new(|_| std::process::exit(0))); 2"),
    },
    "java": {
        "ends early": ("", "System.exit(0); return 2;"),
        "halts": ("", "Runtime.getRuntime().halt(0); return 2;"),
        "prints a token": (
            "",
            f'System.out.println("\\n{TOKEN}"); System.out.flush(); '
            "Runtime.getRuntime().halt(0); return 2;",
        ),
        "hides a class of the library": (
            "class Arrays { @SafeVarargs static <T> List<T> asList(T... all) "
            "{ return new ArrayList<>(); } }",
            "return 2;",
        ),
        "hides the error": (
            "class AssertionError extends Error { AssertionError() { System.exit(0); } }",
            "return 2;",
        ),
    },
}

LOOPS = {
    "javascript": ("", "for (;;) {}"),
    "cpp": ("", "for (volatile int i = 0;;) { i = i + 1; }"),
    "rust": ("", "loop { std::hint::black_box(x); }"),
    "java": ("", "while (true) { x++; }"),
}

SLEEPS = {
    "javascript": ("", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); return 2"),
    "cpp": ("", "sleep(1000); return x + 1;"),
    "rust": ("", "std::thread::sleep(std::time::Duration::from_secs(1000)); x + 1"),
    "java": (
        "",
        "try { Thread.sleep(1000000); } catch (InterruptedException e) { } return x + 1;",
    ),
}

MEMORY = {
    "javascript": (
        "",
        "const kept = []; for (let i = 0; i < 4000; i++)"
        " kept.push(new Uint8Array(1 << 20).fill(1)); return x + 1",
    ),
    "cpp": (
        "",
        "std::vector<std::string> kept; for (int i = 0; i < 4000; i++)"
        " kept.emplace_back(1 << 20, 'x'); return x + 1;",
    ),
    "rust": (
        "",
        "let mut kept = Vec::new(); for _ in 0..4000 { kept.push(vec![1u8; 1 << 20]); }"
        " x + 1 + (kept.len() as i32 - 4000)",
    ),
    "java": (
        "",
        "List<byte[]> kept = new ArrayList<>(); for (int i = 0; i < 4000; i++)"
        " kept.add(new byte[1 << 20]); return x + 1;",
    ),
}

ESCAPE = "const p = console.log.constructor('return process')();"
MODULE = "const need = (n) => p.getBuiltinModule ? p.getBuiltinModule(n) : p.mainModule.require(n);"

FORKS = {
    "javascript": (
        "",
        f"{ESCAPE}{MODULE}const r = need('child_process').spawnSync('/usr/bin/true');"
        "return r.error ? 0 : x + 1",
    ),
    "cpp": ("", "for (int i = 0; i < 20; i++) if (fork() < 0) return 0; return x + 1;"),
    "rust": (
        "",
        'match std::process::Command::new("/usr/bin/true").spawn() { Ok(_) => x + 1, Err(_) => 0 }',
    ),
    "java": (
        "",
        'try { new ProcessBuilder("/usr/bin/true").start(); return x + 1; }'
        " catch (Throwable e) { return 0; }",
    ),
}

READS = {
    "javascript": (
        "",
        f"{ESCAPE}{MODULE}try {{ need('fs').readFileSync('PLACE'); return x + 1 }}"
        " catch (e) { return 0 }",
    ),
    "cpp": ("", 'return open("PLACE", O_RDONLY) >= 0 ? x + 1 : 0;'),
    "rust": ("", 'match std::fs::read("PLACE") { Ok(_) => x + 1, Err(_) => 0 }'),
    "java": (
        "",
        'try { new java.io.FileInputStream("PLACE").read(); return x + 1; }'
        " catch (Exception e) { return 0; }",
    ),
}

WRITES = {
    "javascript": (
        "",
        f"{ESCAPE}{MODULE}try {{ need('fs').writeFileSync('PLACE', 'x'); return x + 1 }}"
        " catch (e) { return 0 }",
    ),
    "cpp": ("", 'return open("PLACE", O_WRONLY | O_CREAT, 0666) >= 0 ? x + 1 : 0;'),
    "rust": ("", 'match std::fs::write("PLACE", "x") { Ok(_) => x + 1, Err(_) => 0 }'),
    "java": (
        "",
        'try { new java.io.FileOutputStream("PLACE").write(1); return x + 1; }'
        " catch (Exception e) { return 0; }",
    ),
}

CONNECTS = {
    "javascript": (
        "",
        f"{ESCAPE}{MODULE}"
        "const d = need('dgram').createSocket('udp4'); d.on('error', () => {});"
        "let bound = true; try { d.bind({ port: 0, exclusive: true }) } catch (e) { bound = false }"
        "try { return d.address().port > 0 ? x + 1 : 0 } catch (e) { return 0 }",
    ),
    "cpp": ("", "return socket(AF_INET, SOCK_STREAM, 0) >= 0 ? x + 1 : 0;"),
    "rust": ("", 'match std::net::UdpSocket::bind("127.0.0.1:0") { Ok(_) => x + 1, Err(_) => 0 }'),
    "java": (
        "",
        "try { new java.net.DatagramSocket(); return x + 1; } catch (Exception e) { return 0; }",
    ),
}


def source(language: str, parts: tuple[str, str], place: str = "") -> str:
    """Return a whole program."""
    before, body = parts
    text = SHAPES[language].replace("BEFORE", before).replace("BODY", body)
    return text.replace("PLACE", place)
