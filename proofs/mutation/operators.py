"""The small changes that make mutants: comparisons, arithmetic, numbers, conditions, dropped statements and data.

Each change replaces a few bytes of the source, found by the positions of the syntax tree, so everything else keeps its
formatting. Left alone is what no rule depends on: docstrings, annotations, imports, class keywords, assertions and the
words of error messages. The rule that an error or event names is part of the rules.
"""

import ast
import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from msgspec.structs import replace

from proofs.mutation.mutant import Edit, Mutant, apply_edit

COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">="),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
}
"""For each comparison its boundary and its opposite."""

ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Mod: "//",
    ast.BitOr: "&",
    ast.BitAnd: "|",
    ast.BitXor: "|",
    ast.LShift: ">>",
    ast.RShift: "<<",
    ast.Pow: "*",
}
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}

COMPARISON_SIGN = re.compile(rb"not\s+in\b|is\s+not\b|==|!=|<=|>=|<|>|\bin\b|\bis\b")
ARITHMETIC_SIGN = re.compile(rb"\*\*|//|<<|>>|[-+*/%|&^]")
CONNECTIVE = re.compile(rb"\b(?:and|or)\b")
RULE = re.compile(r"[A-Z]{2}\d\d")
"""The id of a rule, in an error or event."""

UNTOUCHED_KEYWORDS = {"strict"}
"""Arguments that only guard against programming errors."""

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def mutants_of(file: str, source: bytes) -> list[Mutant]:
    """Return every mutant of a source file, in the order of its lines; each differs from all others."""
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    edits = sorted(finder.edits, key=lambda edit: (edit.start, edit.end))
    made = {(mutant.line, mutant.after): mutant for mutant in (apply_edit(file, source, edit) for edit in edits)}
    return _numbered(list(made.values()))


def _numbered(mutants: Sequence[Mutant]) -> list[Mutant]:
    """Return the mutants with the number of their equals before them, so that every key is different."""
    seen: Counter[str] = Counter()
    numbered: list[Mutant] = []
    for mutant in mutants:
        numbered.append(replace(mutant, nth=seen[mutant.key]))
        seen[mutant.key] += 1
    return numbered


def compiles(mutant: Mutant) -> bool:
    """Return whether a mutant is a program at all; a few changes are not, and prove nothing."""
    try:
        compile(mutant.source, mutant.file, "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


class _Finder(ast.NodeVisitor):
    """Collects the edits of one file."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.edits: list[Edit] = []
        self._lines = [0, *(found.end() for found in re.finditer(rb"\n", source))]
        self._scope: list[str] = []
        self._bound: list[set[str]] = []
        """The names that each enclosing function has bound so far."""
        self._statement = (1, 1)
        """The first and last line of the statement that is being mutated, without a body that it may have."""

    def visit(self, node: ast.AST) -> None:
        """Visit a node; remember the lines of a statement."""
        if not isinstance(node, ast.stmt):
            super().visit(node)
            return
        outer, self._statement = self._statement, _header(node)
        super().visit(node)
        self._statement = outer

    # Places

    def _span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.lineno - 1] + node.col_offset, self._lines[node.end_lineno - 1] + node.end_col_offset

    def _add(self, start: int, end: int, text: str, operator: str) -> None:
        self.edits.append(Edit(start, end, text, operator, ".".join(self._scope), self._statement))

    def _swap(self, node: ast.expr | ast.stmt, text: str, operator: str) -> None:
        self._add(*self._span(node), text, operator)

    def _swap_sign(self, left: ast.expr, right: ast.expr, sign: re.Pattern[bytes], text: str, operator: str) -> None:
        """Replace the sign between two operands."""
        found = sign.search(self.source, self._span(left)[1], self._span(right)[0])
        assert found is not None, "no sign between two operands"
        self._add(*found.span(), text, operator)

    # Scopes

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Mutate defaults and body, not annotations and decorators."""
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """Mutate defaults and body, not annotations and decorators."""
        self._function(node)

    def _function(self, node: FunctionNode) -> None:
        self._scope.append(node.name)
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        self._bound.append({argument.arg for argument in arguments})
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.visit(default)
        for statement in node.body:
            self.visit(statement)
        self._bound.pop()
        self._scope.pop()

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Mutate the body."""
        self.visit(node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Mutate defaults and methods, not bases and class keywords."""
        self._scope.append(node.name)
        for statement in node.body:
            self.visit(statement)
        self._scope.pop()

    # Statements

    def visit_Import(self, node: ast.Import) -> None:
        """Leave imports alone."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Leave imports alone."""

    def visit_Assert(self, node: ast.Assert) -> None:
        """Leave assertions alone: they fail only if the program is wrong."""

    def visit_Expr(self, node: ast.Expr) -> None:
        """Drop a call or an event; leave docstrings alone."""
        if isinstance(node.value, ast.Constant):
            return
        self._swap(node, "yield from ()" if isinstance(node.value, ast.Yield) else "pass", "drop statement")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Drop an error, or let it name another rule; leave its words alone."""
        self._swap(node, "pass", "drop error")
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and RULE.fullmatch(part.value):
                self._mutate_text(part, part.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Drop an assignment to what already has a value; leave names in words alone, which only messages use."""
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if names == ["__all__"] or "TypeVar" in ast.unparse(node.value):
            return
        self._drop_assignment(node, node.targets)
        if isinstance(node.value, ast.Dict) and all(name.endswith("_NAMES") for name in names):
            for key in filter(None, node.value.keys):
                self.visit(key)
        else:
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Mutate the value, not the annotation."""
        if node.value is not None and ast.unparse(node.annotation) != "TypeAlias":
            self._drop_assignment(node, [node.target])
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Drop it, or compute something else."""
        self._swap(node, "pass", "drop statement")
        if type(node.op) in ARITHMETIC:
            sign = ARITHMETIC[type(node.op)]
            self._swap_sign(node.target, node.value, ARITHMETIC_SIGN, sign, "arithmetic")
        self.generic_visit(node)

    def _drop_assignment(self, node: ast.stmt, targets: list[ast.expr]) -> None:
        if not self._bound:
            return
        leaves = [leaf for target in targets for leaf in ast.walk(target) if isinstance(leaf, ast.Name)]
        names = {leaf.id for leaf in leaves}
        if names <= self._bound[-1] or not any(isinstance(leaf.ctx, ast.Store) for leaf in leaves):
            self._swap(node, "pass", "drop statement")
        self._bound[-1] |= names

    def visit_If(self, node: ast.If) -> None:
        """Take one branch always."""
        self._condition(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        """Skip the loop."""
        if not isinstance(node.test, ast.Constant):
            self._swap(node.test, "False", "condition")
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        """Remember the names of the loop."""
        if self._bound:
            self._bound[-1] |= {leaf.id for leaf in ast.walk(node.target) if isinstance(leaf, ast.Name)}
        self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        """Go on instead."""
        self._swap(node, "continue", "break")

    def visit_Continue(self, node: ast.Continue) -> None:
        """Stop instead."""
        self._swap(node, "break", "continue")

    # Expressions

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """Take one branch always."""
        self._condition(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """Keep everything, or nothing."""
        for test in node.ifs:
            self._condition(test)
        self.generic_visit(node)

    def _condition(self, test: ast.expr) -> None:
        if isinstance(test, ast.Constant):
            return
        if not any(isinstance(part, ast.NamedExpr) for part in ast.walk(test)):
            self._swap(test, "True", "condition")
        self._swap(test, "False", "condition")

    def visit_Compare(self, node: ast.Compare) -> None:
        """Move the boundary, or compare the other way round."""
        operands = [node.left, *node.comparators]
        for left, sign, right in zip(operands, node.ops, operands[1:], strict=False):
            for other in COMPARISONS[type(sign)]:
                self._swap_sign(left, right, COMPARISON_SIGN, other, "comparison")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Compute something else."""
        if type(node.op) in ARITHMETIC:
            self._swap_sign(node.left, node.right, ARITHMETIC_SIGN, ARITHMETIC[type(node.op)], "arithmetic")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Join two conditions the other way."""
        other = "or" if isinstance(node.op, ast.And) else "and"
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._swap_sign(left, right, CONNECTIVE, other, "and, or")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Drop a `not` or a minus sign."""
        if isinstance(node.op, (ast.Not, ast.USub)):
            start = self._span(node)[0]
            found = re.compile(rb"not\s*|-").match(self.source, start)
            assert found is not None, "no sign before an operand"
            self._add(start, found.end(), "", "drop sign")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Call the opposite function, or keep a field of a state as it was."""
        match node.func:
            case ast.Name(id=name) if name in TWINS:
                self._swap(node.func, TWINS[name], "min, max, any, all")
            case ast.Name(id="replace"):
                self._drop_keywords(node)
            case _:
                pass
        self.visit(node.func)
        for argument in node.args[:2] if _is_parsing(node) else node.args:
            self.visit(argument)
        for keyword in node.keywords:
            if keyword.arg not in UNTOUCHED_KEYWORDS:
                self.visit(keyword.value)

    def _drop_keywords(self, node: ast.Call) -> None:
        if len(node.keywords) < 2:
            return
        for number, keyword in enumerate(node.keywords):
            start, end = self._span(keyword)
            if number + 1 < len(node.keywords):
                self._add(start, self._span(node.keywords[number + 1])[0], "", "keep field")
            else:
                self._add(self._span(node.keywords[number - 1])[1], end, "", "keep field")

    def visit_Slice(self, node: ast.Slice) -> None:
        """Start at the beginning, or go on to the end."""
        for bound in (node.lower, node.upper):
            if bound is not None:
                self._swap(bound, "", "slice")
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave formatted text alone: the tree does not know the places in it."""

    def visit_Constant(self, node: ast.Constant) -> None:
        """Change a number by one, a truth value, or a text that is not a sentence."""
        match node.value:
            case bool(value):
                self._swap(node, str(not value), "constant")
            case int(value):
                self._swap(node, str(value + 1), "number")
                self._swap(node, str(value - 1), "number")
            case str(value):
                self._mutate_text(node, value)
            case _:
                pass

    def _mutate_text(self, node: ast.Constant, value: str) -> None:
        if RULE.fullmatch(value):
            self._swap(node, f'"{value[:2]}99"', "rule")
        elif value and " " not in value.strip():
            self._swap(node, repr(_other_text(value)), "text")


def _header(node: ast.stmt) -> tuple[int, int]:
    """Return the first and last line of a statement, up to the first statement of its body."""
    body: list[ast.stmt] = getattr(node, "body", [])
    last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
    return node.lineno, max(node.lineno, last)


def _other_text(value: str) -> str:
    """Return the text with two neighbouring characters exchanged, or another character."""
    for place in range(len(value) - 1):
        if value[place] != value[place + 1]:
            return value[:place] + value[place + 1] + value[place] + value[place + 2 :]
    return value + "~" if len(value) > 1 else "!" if value == "~" else "~"


def _is_parsing(node: ast.Call) -> bool:
    """Return whether the third argument only says in words what was expected."""
    return isinstance(node.func, ast.Name) and node.func.id == "match_groups"
