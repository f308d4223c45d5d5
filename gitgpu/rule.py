"""What a rule is: a value with its own reason, sources and examples. Fleet rules and object rules share it."""

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.examples import Example, examples_of
from gitgpu.source import Span

Subject = TypeVar("Subject")
Finding = TypeVar("Finding")


class Rule(NamedTuple, Generic[Subject, Finding]):
    """A rule is named after what it forbids. Its examples are in a YAML file next to its module: `examples.py`.

    `rejects` says that the API server or an admission webhook rejects the object (or each object that is made from it),
    so it never exists. `never_ready` says that it exists, but its controller cannot use it, so it has no effect.
    `of_running_nodes` says that the error is about fields of nodes or of their cluster: an import keeps them, because
    other values would replace nodes that run. `fixable` says that `--fix` corrects findings of it. `twin` is the code
    of the rule with the same name on the other side: of the fleet, or of objects.

    `facts` are the rows of the catalog that its findings rest on: one row such as triggers/keda, the newest row of a
    kind such as kaito/*, or, for a kind such as skus, the rows that a message names. If they are old at `--today`, the
    finding says so. A finding has the row that only it rests on.

    `code` is permanent. `replaces` are the codes of rules that this one has replaced; users can keep using them for
    `code`. `help` says why the rule exists; `sources` are the links that prove it. `check` yields the findings, each
    with its place, what is wrong and what to do.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    help: str
    sources: tuple[str, ...]
    check: Callable[[Subject], Iterable[Finding]]
    replaces: tuple[str, ...] = ()
    rejects: bool = False
    never_ready: bool = False
    of_running_nodes: bool = False
    fixable: bool = False
    twin: str = ""
    facts: tuple[str, ...] = ()

    @property
    def examples(self) -> tuple[Example, ...]:
        """Its examples, which are its tests and part of its page. They are read when something asks for them."""
        return examples_of(self.check.__module__)

    @property
    def bad(self) -> str:
        """The example that breaks the rule and causes no other error."""
        return self.bad_examples[0]

    @property
    def good(self) -> str:
        """The example that breaks no rule."""
        return self.good_examples[0]

    @property
    def bad_examples(self) -> tuple[str, ...]:
        """Every example that breaks the rule: together they give each of its findings."""
        return tuple(example.text for example in self.examples if example.role.is_bad)

    @property
    def good_examples(self) -> tuple[str, ...]:
        """Every example that the rule must not report: the good one, and its near misses."""
        return tuple(example.text for example in self.examples if not example.role.is_bad)


AnyRule: TypeAlias = Rule[Any, Any]

FAILED = "INT001"
_NOWHERE, _NOTHING = Span(""), ObjectRef()


def failure(any_rule: AnyRule, error: Exception, span: Span = _NOWHERE, ref: ObjectRef = _NOTHING) -> Diagnostic:
    """The fault that a rule raised an exception, which is a bug in gitgpu. Other rules are not affected."""
    where = _raised_at(error.__traceback__)
    message = f"rule {any_rule.code} failed here: {type(error).__name__}: {error} ({where})"
    remedy = "this is a bug in gitgpu: report it with the object; all other rules were checked"
    return Diagnostic(FAILED, Severity.ERROR, message, remedy, span, "", ref)


def _raised_at(trace: TracebackType | None) -> str:
    """The module and line that raised. Importing `traceback` for this would slow down every run."""
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return ""
    module = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/gitgpu/")[2]
    return f"{module}:{trace.tb_lineno}"
