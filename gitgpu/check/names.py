"""Names in a sentence."""

from collections.abc import Collection
from itertools import islice

MOST = 3


def join_names(names: Collection[object]) -> str:
    """Names as people list them: "a", "a and b", "a, b, c and 4 more"."""
    shown = [str(name) for name in islice(names, MOST)]
    if len(names) > MOST:
        return f"{', '.join(shown)} and {len(names) - MOST} more"
    return " and ".join([", ".join(shown[:-1]), *shown[-1:]] if len(shown) > 1 else shown)
