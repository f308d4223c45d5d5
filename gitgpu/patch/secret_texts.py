"""Secrets in plain text, among values or in an object."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.source import Pointer

# The ends of names, without separators and in lower case. A name that ends in Secret usually has the name of an object.
_SECRET = re.compile(r"(password|passwd|passphrase|apikey|accesskey|secretkey|privatekey|clientsecret|token)\Z")
# A password in an address, such as amqp://user:password@host.
_CREDENTIALS = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s:@]*:[^/\s@]+@", re.IGNORECASE)
_FILLED_IN = ("$(", "${", "{{", "<")  # a variable or a template


def secret_texts(values: Any, above: Pointer = ()) -> Iterator[Pointer]:
    """The places of texts that are secrets: because of the name of their key or variable, or a password in a URL."""
    if isinstance(values, list):
        for index, entry in enumerate(values):
            yield from secret_texts(entry, (*above, index))
    elif isinstance(values, Mapping):
        named = values.get("name") if isinstance(values.get("name"), str) else ""
        for key, value in values.items():
            name = named if key == "value" else key
            if isinstance(value, str) and _is_secret(str(name), value):
                yield (*above, key)
            yield from secret_texts(value, (*above, key)) if isinstance(value, (list, dict)) else ()


def _is_secret(name: str, text: str) -> bool:
    if not text.strip() or any(mark in text for mark in _FILLED_IN):
        return False
    plain = name.lower().replace("-", "").replace("_", "")
    is_path = text.startswith("/")  # of a file with the secret
    return bool(_CREDENTIALS.match(text)) or (bool(_SECRET.search(plain)) and not is_path)
