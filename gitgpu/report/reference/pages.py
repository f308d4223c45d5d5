"""The addresses of the documentation of codes."""

from functools import cache

from gitgpu.report.reference.faults import faults

HOME = "https://gitgpu.dev"
_REFERENCE = f"{HOME}/docs/reference"
FAULTS = f"{_REFERENCE}/faults.md"


def rule_page(code: str) -> str:
    """The page of a rule."""
    return f"{_REFERENCE}/rules/{code}.md"


def page_of(code: str) -> str:
    """The page of a rule, or the page that lists the codes of other faults."""
    return FAULTS if code in _fault_codes() else rule_page(code)


@cache
def _fault_codes() -> frozenset[str]:
    return frozenset(fault.code for fault in faults())
