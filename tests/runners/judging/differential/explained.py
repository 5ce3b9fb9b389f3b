"""Where the split verdict is another than one interpreter's, and why: nothing else may differ."""

REASONS = {
    "own objects": "Only plain data leaves the program's process; its instances, functions and "
    "classes do not. A problem whose reference needs them is admitted as same_interpreter.",
    "unforgeable equality": "What the program says of its equality does not count: such an "
    "answer equals nothing.",
    "objects of the test": "Functions and instances that the test makes do not enter the "
    "program's process.",
    "types that do not cross": "Rare types of the library have no form in which they cross; they "
    "equal nothing.",
    "history of a set": "A set crosses with its members in their order. How it came to that order, "
    "by deletions or collisions, does not, so what is added later may fall elsewhere.",
    "copies": "Views of a dict cross as copies, addresses differ between processes, only next() "
    "reaches an iterator of the other side, and nesting has a bound.",
    "two interpreters": "The test reaches past the function, into the program's globals, modules, "
    "streams or random numbers; those of the judge are others.",
    "assert not reached": "A program passes when every assert was reached: one that is skipped "
    "proves nothing.",
    "StopIteration": "A StopIteration of the program would end a loop of the test as if all were "
    "done; it is an error of the program.",
    "lent modules": "A test may use common modules that only the reference imports (Mbpp/596 uses "
    "sys), whatever the program imports.",
}

PLANTED: dict[str, tuple[str, ...]] = {
    "own objects": (
        "class: instance with attributes",
        "class: linked by the test",
        "class: dataclass",
        "class: str of an instance",
        "class: the same instance is itself",
        "class: answered",
        "class: context manager",
        "class: operators",
        "callable: closure",
        "callable: closure with state",
        "callable: curried",
        "callable: functools.partial",
        "callable: a class as the program",
        "callable: async function",
        "type: defaultdict of lambda",
        "subclass: Enum",
        "subclass: list with attributes",
        "subclass: dict with __missing__",
        "subclass: UserDict",
        "iterator: an iterable made by the program",
        "exception: custom, named by the test",
        "exception: custom, with attributes",
        "exception: cause and context",
        "exception: answered, not raised",
        "exception: ExceptionGroup",
        "exception: OSError with a number",
    ),
    "unforgeable equality": (
        "class: an equality that says yes to all",
        "class: equality that is right",
        "class: an int that says yes to all",
    ),
    "objects of the test": (
        "identity: sentinel",
        "identity: a test's own object comes back",
        "identity: a test's own object is read",
        "subclass: Enum of the test",
        "callable: function of the test given",
        "callable: key function given",
        "callable: function of the test that raises",
        "callable: decorator",
        "subclass: of the test's, given",
        "type: defaultdict in",
    ),
    "types that do not cross": (
        "identity: library types given by the test",
        "callable: builtins answered",
        "type: memoryview out",
        "type: memoryview in, written to",
        "type: array",
        "type: array in, changed",
        "type: ChainMap",
        "type: MappingProxyType",
        "type: datetime with a zone",
        "type: UUID and Path",
        "type: a compiled pattern",
        "type: a match",
    ),
    "history of a set": ("set: a set that is changed many times by both sides",),
    "copies": (
        "dict: a view of an argument follows it",
        "identity: id of the same list twice",
        "iterator: send and close",
        "test: nesting beyond any recursion",
    ),
    "two interpreters": (
        "callable: name and docstring",
        "callable: signature",
        "callable: an attribute of a function",
        "test: reads what the program printed",
        "test: gives input",
        "test: monkeypatches a module",
        "test: mock.patch of builtins",
        "test: sets a global of the program",
        "test: reads a global of the program",
        "test: a global the program changes",
        "test: defines what the program lacks",
        "test: a name the program imports from",
        "test: seeds random",
        "test: the program seeds random",
    ),
    "assert not reached": ("test: an assert in a function never called",),
    "StopIteration": ("exception: StopIteration through map",),
    "lent modules": ("test: a module the program does not import",),
}
"""Cases of ``planted`` by reason."""

REAL: dict[str, str] = {
    "mbpp MBPP/367 reference": "own objects",
    "mbpp MBPP/601 reference": "own objects",
    "mbpp MBPP/927 reference": "own objects",
    "walk 1159 of 15 moves": "history of a set",
}
"""References, mutants, samples and walks by key, with the reason."""
