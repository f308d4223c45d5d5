"""A text file."""

from typing import NamedTuple


class Text(NamedTuple):
    """The content of a file. `name` is shown to users; `label` is shown in generated headers, and never absolute."""

    name: str
    content: str
    label: str
