"""Which values are whole numbers, and neither True nor False, if those of the arguments are.

The lattice: two sets of variables, those that are whole and those that hold nothing else; all are
assumed at first and given up until nothing changes.
Assumed: arguments are whole numbers, or hold them, where they are used as such.
Refused: division, powers that may be fractions, and functions that are not known.
Proved: tests/ingest/mutations/test_mutations_beyond.py, test_mutations_adversary.py.
"""

import libcst as cst

from ingest.mutations.analysis.objects.aliases import Aliases
from ingest.mutations.analysis.objects.values import Transfer
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.purity import words
from ingest.mutations.source.scopes import Role, Variable
from ingest.mutations.source.tree import inside

WHOLE_BUILTINS = words("hash id int len ord")
WHOLE_METHODS = words("bit_count bit_length count find index rfind rindex")
WHOLE_OF_MATH = words("ceil comb factorial floor gcd isqrt lcm perm trunc")
TRUTH_BUILTINS = words("all any bool callable isinstance issubclass")
HOLDING_BUILTINS = words("enumerate filter iter list reversed set frozenset sorted tuple zip")
HOLDING_METHODS = words("copy get items keys pop popleft setdefault values")
FRACTION_BUILTINS = words("complex eval exec float pow")
WHOLE_MODULES = words(
    "__future__ bisect collections copy functools heapq itertools re string sys typing unicodedata"
)
SUMS = (
    cst.Add,
    cst.FloorDivide,
    cst.LeftShift,
    cst.Modulo,
    cst.Multiply,
    cst.RightShift,
    cst.Subtract,
)
WHOLE_SUMS = (
    cst.AddAssign,
    cst.FloorDivideAssign,
    cst.LeftShiftAssign,
    cst.ModuloAssign,
    cst.MultiplyAssign,
    cst.RightShiftAssign,
    cst.SubtractAssign,
)
BITS = (cst.BitAnd, cst.BitOr, cst.BitXor)


class WholeNumbers:
    """What is proved of a program's values, without order: assumed first, given up where not so.

    The arguments of the entry point, and what they hold, are assumed to be whole numbers where
    they are used as such.
    """

    def __init__(self, program: ParsedProgram, aliases: Aliases) -> None:
        self.program = program
        self.aliases = aliases
        self.values = aliases.values
        every = set(program.scopes.variables.values()) - self.values.unknown
        known = {each for each in every if each.scope is not None and _is_plain(each)}
        self._whole, self._parts = set(known), set(known)
        self._results = set(self.values.results)
        self._strike()

    def is_whole(self, node: cst.CSTNode) -> bool:
        """Say whether a value is a whole number, neither True nor False."""
        match node:
            case cst.Integer():
                return True
            case cst.Name():
                return self.program.scopes.variable_of.get(node) in self._whole
            case cst.BinaryOperation():
                return self._is_whole_operation(node)
            case cst.UnaryOperation():
                return not isinstance(node.operator, cst.Not) and self.is_number(node.expression)
            case cst.IfExp():
                return self.is_whole(node.body) and self.is_whole(node.orelse)
            case cst.BooleanOperation():
                return self.is_whole(node.left) and self.is_whole(node.right)
            case cst.NamedExpr():
                return self.is_whole(node.value)
            case cst.Subscript():
                return self._is_place(node) and self.has_whole(node.value)
            case cst.Call():
                return self._is_whole_call(node)
            case cst.Attribute():
                return self.program.text(node) == "sys.maxsize"
            case _:
                return False

    def is_number(self, node: cst.CSTNode) -> bool:
        """Say whether a value is a whole number, True or False."""
        match node:
            case cst.Comparison():
                return self.aliases.of_own_types
            case cst.UnaryOperation(operator=cst.Not()) | cst.Name(value="True" | "False"):
                return True
            case cst.Call(func=cst.Name(value=name)) if self.program.is_builtin(node.func):
                return name in TRUTH_BUILTINS or self.is_whole(node)
            case cst.IfExp():
                return self.is_number(node.body) and self.is_number(node.orelse)
            case cst.BooleanOperation():
                return self.is_number(node.left) and self.is_number(node.right)
            case _:
                return self.is_whole(node)

    def has_whole(self, node: cst.CSTNode) -> bool:
        """Say whether all that a value holds, however deep, are whole numbers."""
        match node:
            case cst.Name():
                return self.program.scopes.variable_of.get(node) in self._parts
            case cst.List() | cst.Tuple() | cst.Set():
                return all(self._is_either(each.value) for each in node.elements)
            case cst.Dict():
                return all(
                    isinstance(each, cst.DictElement)
                    and self._is_either(each.key)
                    and self._is_either(each.value)
                    for each in node.elements
                )
            case cst.ListComp() | cst.SetComp() | cst.GeneratorExp():
                return self._is_either(node.elt)
            case cst.DictComp():
                return self._is_either(node.key) and self._is_either(node.value)
            case cst.BinaryOperation():
                return self._is_either(node.left) and self._is_either(node.right)
            case cst.IfExp():
                return self.has_whole(node.body) and self.has_whole(node.orelse)
            case cst.Subscript():
                return self.has_whole(node.value)
            case cst.Call(func=cst.Name(value=name)) if self.program.is_builtin(node.func):
                if name in ("range", "divmod"):
                    return all(self.is_number(each.value) for each in node.args)
                if name == "map":
                    return self._maps_to_whole(node)
                held = (each.value for each in node.args if each.keyword is None)
                return name in HOLDING_BUILTINS and all(self._is_either(each) for each in held)
            case cst.Call(func=cst.Attribute(value=holder, attr=cst.Name(value=name))):
                given = all(self._is_either(each.value) for each in node.args)
                return name in HOLDING_METHODS and self.has_whole(holder) and given
            case _:
                return False

    def makes_others(self) -> bool:
        """Say whether the program itself may make a number that is not whole."""
        nodes = self.program.nodes.all
        noted = {id(part) for node in nodes for part in _noted(node)}
        return any(id(node) not in noted and self._makes_other(node) for node in nodes)

    # one value

    def _is_either(self, node: cst.CSTNode) -> bool:
        return self.is_whole(node) or self.has_whole(node)

    def _is_place(self, node: cst.Subscript) -> bool:
        return len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index)

    def _is_whole_operation(self, node: cst.BinaryOperation) -> bool:
        if isinstance(node.operator, SUMS):
            return self.is_number(node.left) and self.is_number(node.right)
        if isinstance(node.operator, BITS):
            return self.is_whole(node.left) and self.is_whole(node.right)
        return self._is_whole_power(node)

    def _is_whole_power(self, node: cst.BinaryOperation) -> bool:
        is_positive = isinstance(node.right, cst.Integer) or self.program.calls_builtin(
            node.right, {"len"}
        )
        return isinstance(node.operator, cst.Power) and is_positive and self.is_number(node.left)

    def _is_whole_call(self, node: cst.Call) -> bool:
        given = [each.value for each in node.args if each.keyword is None]
        is_plain = not any(each.star for each in node.args)
        match node.func:
            case cst.Name(value=name) if self.program.is_builtin(node.func):
                if name in ("max", "min"):
                    if len(given) == 1:
                        return is_plain and self.has_whole(given[0]) and len(node.args) == 1
                    return is_plain and all(self.is_whole(each) for each in given)
                if name == "sum":
                    starts = all(self.is_number(each.value) for each in node.args[1:])
                    return is_plain and bool(given) and self.has_whole(given[0]) and starts
                if name in ("abs", "round"):
                    return len(node.args) == 1 and is_plain and self.is_number(given[0])
                return name in WHOLE_BUILTINS
            case cst.Name() if self.program.scopes.variable_of.get(node.func) in self._results:
                return True
            case cst.Attribute(value=cst.Name(value="math") as root, attr=cst.Name(value=name)):
                return self.aliases.origin(root) == "math" and name in WHOLE_OF_MATH
            case cst.Attribute(value=holder, attr=cst.Name(value=name)):
                if name in ("get", "pop", "popleft", "setdefault"):
                    others = given if name == "setdefault" else given[1:]
                    return self.has_whole(holder) and all(self._is_either(each) for each in others)
                return name in WHOLE_METHODS and self.aliases.of_own_types
            case cst.Name():
                origin = self.aliases.origin(node.func) or ""
                return origin.startswith("math.") and origin[5:] in WHOLE_OF_MATH
            case _:
                return False

    def _maps_to_whole(self, node: cst.Call) -> bool:
        match [each.value for each in node.args]:
            case [cst.Name(value=name) as function, *_]:
                return self.program.is_builtin(function) and name in WHOLE_BUILTINS
            case [cst.Lambda() as function, *_]:
                return self._is_either(function.body)
            case _:
                return False

    # all variables

    def _strike(self) -> None:
        augmented = self.program.nodes.of(cst.AugAssign)
        while True:
            before = len(self._whole) + len(self._parts) + len(self._results)
            for variable, way, value in self.values.ways:
                if way == Transfer.WHOLE:
                    if not self.is_whole(value):
                        self._whole.discard(variable)
                    if not (self.has_whole(value) or self.is_number(value)):
                        self._parts.discard(variable)
                elif way == Transfer.PART:
                    if not self.has_whole(value):
                        self._whole.discard(variable)
                        self._parts.discard(variable)
                elif not self._is_either(value):
                    self._parts.discard(variable)
            for node in augmented:
                self._augment(node)
            for variable, given in self.values.results.items():
                if not given or not all(self.is_whole(each) for each in given):
                    self._results.discard(variable)
            if len(self._whole) + len(self._parts) + len(self._results) == before:
                break

    def _augment(self, node: cst.AugAssign) -> None:
        """Give up what an augmented assignment makes another number than a whole one."""
        is_whole = isinstance(node.operator, WHOLE_SUMS) and self.is_number(node.value)
        power = isinstance(node.operator, cst.PowerAssign) and isinstance(node.value, cst.Integer)
        keeps = is_whole or power
        if not keeps:
            for variable in self.program.variables_in(node.target):
                self._whole.discard(variable)
                if not self.has_whole(node.value):
                    self._parts.discard(variable)

    def _makes_other(self, node: cst.CSTNode) -> bool:
        match node:
            case cst.Float() | cst.Imaginary() | cst.ClassDef():
                return True
            case cst.BinaryOperation(operator=cst.Divide() | cst.MatrixMultiply()):
                return True
            case cst.BinaryOperation(operator=cst.Power()):
                return not self._is_whole_power(node)
            case cst.AugAssign(operator=cst.DivideAssign()):
                return True
            case cst.AugAssign(operator=cst.PowerAssign()):
                return not isinstance(node.value, cst.Integer)
            case cst.Name(value=name) if name in FRACTION_BUILTINS:
                return self.program.scopes.is_free(node)
            case cst.Attribute(attr=cst.Name(value=name)):
                root = self.aliases.origin(node.value)
                if root == "math":
                    return name not in WHOLE_OF_MATH
                return name.startswith("__") or name == "fromhex"
            case cst.Import():
                roots = {self.program.text(alias.name).partition(".")[0] for alias in node.names}
                return not roots <= WHOLE_MODULES | {"math"}
            case cst.ImportFrom():
                module = self.program.text(node.module) if node.module is not None else "."
                if module == "math" and not isinstance(node.names, cst.ImportStar):
                    names = {self.program.text(alias.name) for alias in node.names}
                    return not names <= WHOLE_OF_MATH
                return bool(node.relative) or module.partition(".")[0] not in WHOLE_MODULES
            case _:
                return False


def _is_plain(variable: Variable) -> bool:
    return not variable.roles & {Role.IMPORT, Role.FUNCTION, Role.CLASS, Role.DECLARE}


def _noted(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the parts of a node that only name a type: of annotations and of isinstance."""
    match node:
        case cst.Annotation():
            return list(inside(node))
        case cst.Call(func=cst.Name(value="isinstance")) if len(node.args) == 2:
            return list(inside(node.args[1]))
        case _:
            return []
