"""The syntax of names, labels and annotations that the API server requires (apimachinery's validation rules)."""

import re
from functools import lru_cache

# ASCII only, and `\Z` instead of `$`, which would accept a line break at the end.
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\Z", re.ASCII)
# The lengths follow DNS (RFC 1123): 63 characters for a label, 253 for a name.
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?\Z", re.ASCII)
_NAME_PART = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\Z", re.ASCII)


# All of these are remembered, because the objects of a fleet have the same names and labels again and again.
@lru_cache(4096)
def is_dns_subdomain(text: str) -> bool:
    """Whether it is an RFC 1123 subdomain, such as "a.b-c"."""
    return len(text) <= 253 and _SUBDOMAIN.match(text) is not None


@lru_cache(4096)
def is_dns_label(text: str) -> bool:
    """Whether it is an RFC 1123 label, such as "b-c"."""
    return len(text) <= 63 and _LABEL.match(text) is not None


@lru_cache(4096)
def is_path_segment(text: str) -> bool:
    """Whether it can be a segment of a URL's path, between two slashes."""
    return text not in ("", ".", "..") and "/" not in text and "%" not in text


@lru_cache(4096)
def is_qualified_name(text: str) -> bool:
    """Whether it is a valid key of a label, annotation or taint: an optional DNS prefix, a slash, a name."""
    prefix, slash, name = text.rpartition("/")
    return len(name) <= 63 and _NAME_PART.match(name) is not None and (not slash or is_dns_subdomain(prefix))


@lru_cache(4096)
def is_label_value(text: str) -> bool:
    """Whether it is a valid label value: empty, or at most 63 characters."""
    return not text or (len(text) <= 63 and _NAME_PART.match(text) is not None)
