"""Links to the documentation of codes."""

HOME = "https://gitgpu.dev"


def rule_page(code: str) -> str:
    """The URL of a rule's page."""
    return f"{HOME}/docs/reference/rules/{code}.md"


def fault_page() -> str:
    """The URL of the page with all codes that are not rules."""
    return f"{HOME}/docs/reference/faults.md"
