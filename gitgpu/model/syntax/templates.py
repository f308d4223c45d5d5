"""Text with variables that another program replaces."""


def is_template(text: str) -> bool:
    """Whether the text contains a variable of Helm, Flux or a shell."""
    return any(mark in text for mark in ("{{", "${", "$("))
