"""Whose a label key is."""

from collections.abc import Mapping
from typing import Any


def closed_domain(key: str, row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The domain that the key is in and that does not open it to NodePools, of the catalog's row on Karpenter's labels.

    Karpenter looks at how the text before the slash ends, so example-karpenter.sh/x is caught as well.
    """
    before = key.partition("/")[0]
    return next((one for one in row["domains"] if before.endswith(one["domain"]) and key not in one["allowed"]), None)
