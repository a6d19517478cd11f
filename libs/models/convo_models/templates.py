"""The small, bounded template language that prompts are written in: a subset of Jinja2 in its sandbox.

Output, ``if``, ``for``, ``set`` and a few filters are there; macros, includes, blocks, method calls and ``**`` are not.
Every rendering has a budget of work, so that no template can run or grow without end. Pure: nothing here reads a clock,
draws at random, or looks at the world.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import cast

from jinja2 import StrictUndefined, Template, TemplateError, Undefined, nodes
from jinja2.exceptions import SecurityError, TemplateSyntaxError
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import pass_context
from jinja2.visitor import NodeTransformer

OUTPUT_LIMIT = 100_000
"""Most characters that one rendering may have."""
WORK_LIMIT = 500_000
"""Most units of work of one rendering: characters and items handled, and expressions evaluated in loops."""
NUMBER_LIMIT = 10**15
"""Largest number that arithmetic in a template may come to."""

FAULTS = (
    TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""What a template can raise while it is parsed or rendered; RecursionError is a RuntimeError."""

# Left out are those that are not pure (random), or that grow by a number (center, indent, round, format).
_FILTERS = (
    *("abs", "capitalize", "count", "default", "first", "float", "int", "last", "length", "list"),
    *("lower", "map", "max", "min", "reject", "rejectattr", "reverse", "select", "selectattr"),
    *("sort", "string", "sum", "title", "trim", "truncate", "unique", "upper", "wordcount"),
)
_NODES = (
    nodes.Template,
    *(nodes.Output, nodes.TemplateData, nodes.If, nodes.For, nodes.Assign),
    *(nodes.Name, nodes.Const, nodes.List, nodes.Tuple, nodes.Getattr, nodes.Getitem, nodes.Slice),
    *(nodes.Filter, nodes.Test, nodes.Call, nodes.Keyword, nodes.CondExpr, nodes.Concat),
    *(nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Pos),
    *(nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod),
)
# Names that no template can write, because identifiers have no space.
_BUDGET, _CHARGED, _COUNTED = "work budget", "charged value", "counted items"


class _Budget:
    """What one rendering may still do."""

    def __init__(self) -> None:
        self._left = WORK_LIMIT

    def spend(self, units: int) -> None:
        """Take from the budget, or refuse."""
        self._left -= units
        if self._left < 0:
            raise SecurityError("it does too much work: fewer loops, or less text in filters")

    def charge(self, value: object) -> None:
        """Take what a value weighs: its characters, or all its items."""
        self.spend(1 + len(value) if isinstance(value, str) else 1)
        if isinstance(value, list | tuple):
            for item in value:
                self.charge(item)


class PromptLanguage(ImmutableSandboxedEnvironment):
    """Jinja2's sandbox, narrowed: plain data in, text out."""

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%"])

    def __init__(self) -> None:
        """Strict about unknown variables; no escaping, as prompts are not HTML."""
        super().__init__(
            undefined=StrictUndefined,
            trim_blocks=True,
            autoescape=False,
            optimized=False,
            finalize=_printable,
        )
        self.globals = {"range": self.globals["range"]}
        self.filters = {name: self.filters[name] for name in _FILTERS}
        self.filters |= {"join": _join, "replace": _replace, _CHARGED: _charged, _COUNTED: _counted}

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        """Keys of plain data are found before this is asked; of objects, only ``loop`` may be looked at."""
        return isinstance(obj, LoopContext) and super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Context, operator: str, left: object, right: object) -> object:
        """Arithmetic for numbers of a sane size, and ``+`` for texts and lists."""
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        if not numbers and operator != "+":
            raise SecurityError(f"'{operator}' works on numbers only")
        for side in (left, right):
            _charged(context, side)
        result: object = super().call_binop(context, operator, left, right)
        if isinstance(result, int | float) and not abs(result) <= NUMBER_LIMIT:
            raise SecurityError(f"'{operator}' comes to a number that is too large")
        return result


def _printable(value: object) -> object:
    if isinstance(value, str | int | float | Undefined):
        return value
    raise SecurityError(
        "only text and numbers can be printed; join a list first, as in {{ list|join(', ') }}"
    )


@pass_context
def _charged(context: Context, value: object) -> object:
    if not isinstance(value, Undefined):
        cast(_Budget, context[_BUDGET]).charge(value)
    return value


@pass_context
def _counted(context: Context, items: Iterable[object], body: int) -> Iterator[object]:
    budget = cast(_Budget, context[_BUDGET])
    for item in items:
        budget.spend(body)
        budget.charge(item)
        yield item


@pass_context
def _join(context: Context, items: Iterable[object], separator: str = "") -> str:
    texts = [str(_printable(_charged(context, item))) for item in items]
    cast(_Budget, context[_BUDGET]).spend(len(separator) * len(texts))
    return separator.join(texts)


@pass_context
def _replace(context: Context, text: str, old: str, new: str) -> str:
    cast(_Budget, context[_BUDGET]).spend(text.count(old) * len(new))
    return text.replace(old, new)


class _Charging(NodeTransformer):
    """Puts the budget into a template: at loops, bindings, filters and joined texts."""

    def visit_For(self, node: nodes.For) -> nodes.For:
        self.generic_visit(node)
        body = sum(1 for part in node.body for _ in part.find_all(nodes.Node))
        node.iter = _filter(cast(nodes.Expr, node.iter), _COUNTED, nodes.Const(body + 1))
        return node

    def visit_Filter(self, node: nodes.Filter) -> nodes.Filter:
        self.generic_visit(node)
        if node.node is not None:
            node.node = _filter(node.node, _CHARGED)
        return _filter(node, _CHARGED)

    def visit_Concat(self, node: nodes.Concat) -> nodes.Concat:
        self.generic_visit(node)
        node.nodes = [_filter(part, _CHARGED) for part in node.nodes]
        return node

    def visit_Assign(self, node: nodes.Assign) -> nodes.Assign:
        self.generic_visit(node)
        node.node = _filter(cast(nodes.Expr, node.node), _CHARGED)
        return node


def _filter(node: nodes.Expr, name: str, *arguments: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(node, name, list(arguments), [], None, None, lineno=node.lineno)


def parse(text: str) -> nodes.Template:
    """The syntax tree of a template.

    Raises:
        TemplateSyntaxError: where the text is no template, or uses what prompts do not have. Other ``FAULTS`` for texts
            that overwhelm the parser.
    """
    tree = LANGUAGE.parse(text)
    for node in tree.find_all(nodes.Node):
        if (refusal := _refusal(node)) is not None:
            raise TemplateSyntaxError(refusal, node.lineno)
    return tree


def _refusal(node: nodes.Node) -> str | None:
    match node:
        case nodes.Call(
            node=nodes.Name(name="range") | nodes.Getattr(node=nodes.Name(name="loop"))
        ):
            return None
        case nodes.Call():
            return "only range() can be called here; use a filter, as in {{ name|upper }}"
        case nodes.Filter() if node.node is None or node.name not in LANGUAGE.filters:
            return f"no filter named '{node.name}'; there are: {', '.join(sorted((*_FILTERS, 'join', 'replace')))}"
        case nodes.Test() if node.name not in LANGUAGE.tests:
            return f"no test named '{node.name}'"
        case nodes.For() if node.recursive:
            return "recursive loops are not available in prompts"
        case _ if type(node) not in _NODES:
            return f"{type(node).__name__.lower()} is not available in prompts"
    return None


@lru_cache(maxsize=512)
def compiled(text: str, name: str) -> Template:
    """The template, ready to render; the same text is compiled once.

    Raises:
        FAULTS: as ``parse``, and where the text overwhelms the compiler.
    """
    tree = _Charging().visit(parse(text))
    tree.set_environment(LANGUAGE)
    code = LANGUAGE.compile(tree, name, name)
    return Template.from_code(LANGUAGE, code, LANGUAGE.make_globals(None))


def chunks(template: Template, variables: dict[str, object]) -> Iterator[str]:
    """The rendering, piece by piece, within its budget of work and of output.

    Raises:
        FAULTS: whatever the template runs into.
    """
    length = 0
    for chunk in template.generate({**variables, _BUDGET: _Budget()}):
        length += len(chunk)
        if length > OUTPUT_LIMIT:
            raise SecurityError(f"it comes to more than {OUTPUT_LIMIT:,} characters")
        yield chunk


LANGUAGE = PromptLanguage()
"""The one environment; it holds no state of any rendering."""
