"""Text with variables that another program replaces."""


def is_template(text: str) -> bool:
    """Does the text contain a variable of Helm, Flux or a shell?"""
    return any(mark in text for mark in ("{{", "${", "$("))
