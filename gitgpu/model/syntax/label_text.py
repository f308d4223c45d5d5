"""Labels in messages, as YAML writes them."""


def label_text(key: str, value: str) -> str:
    """A label with its value, which may be empty."""
    return f"{key}: {value}" if value else f'{key}: ""'
