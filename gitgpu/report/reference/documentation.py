"""Where the documentation of a code is."""

HOME = "https://gitgpu.dev"


def rule_page(code: str) -> str:
    """The page of a rule."""
    return f"{HOME}/docs/reference/rules/{code}.md"


def fault_page() -> str:
    """The page of all codes that are not rules."""
    return f"{HOME}/docs/reference/faults.md"
