"""Names of AKS node pools."""

import re

# AKS allows lowercase letters and digits, a letter first.
_FORM = re.compile(r"[a-z][a-z0-9]*\Z", re.ASCII)


def is_valid_name(name: str, longest: int) -> bool:
    """Whether AKS accepts the name. Windows allows fewer characters than Linux."""
    return bool(_FORM.match(name)) and len(name) <= longest
