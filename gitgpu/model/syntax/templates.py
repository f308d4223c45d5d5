"""Text that something fills in before it is used."""


def is_template(text: str) -> bool:
    """Is it filled in later, by Helm, Flux or a shell?"""
    return any(mark in text for mark in ("{{", "${", "$("))
