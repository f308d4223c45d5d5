"""What a rule is: a value with its own reason, sources and examples. Fleet rules and object rules share it."""

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.source import Span

Subject = TypeVar("Subject")
Finding = TypeVar("Finding")


class Rule(NamedTuple, Generic[Subject, Finding]):
    """A rule is named after what it forbids. `bad` and `good` are YAML, used by its tests and on its page.

    `variants` are more bad examples, for findings that cannot be in `bad` together with its own. `near_misses` are
    examples that this rule must not report: values at a limit, and what looks like `bad` but works.

    `rejects` says that the API server or an admission webhook rejects the object (or each object that is made from it),
    so it never exists. `never_ready` says that it exists, but its controller cannot use it, so it has no effect. `twin`
    is the code of the rule with the same name on the other side: of the fleet, or of objects.

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
    bad: str
    good: str
    variants: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    near_misses: tuple[str, ...] = ()
    rejects: bool = False
    never_ready: bool = False
    twin: str = ""

    @property
    def bad_examples(self) -> tuple[str, ...]:
        """Every example that breaks the rule: together they give each of its findings."""
        return (self.bad, *self.variants)

    @property
    def good_examples(self) -> tuple[str, ...]:
        """Every example that the rule must not report."""
        return (self.good, *self.near_misses)


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
