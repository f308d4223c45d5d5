"""Whole numbers that are written as text, such as the values of annotations and environment variables."""

_MAX_DIGITS = 18  # every such number fits in 64 bits, as the fields of Kubernetes do


def whole_number(text: str) -> int | None:
    """The number that ASCII digits write; None for any other text, and for a number that no field can hold."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None
