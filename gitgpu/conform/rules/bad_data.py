"""Data of a ConfigMap or Secret that the API server refuses."""

import binascii
import re
from collections.abc import Iterator

from gitgpu.conform.objects import Item, Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.source import Pointer

_KEY = re.compile(r"(?!\.\.)(?!\.\Z)[-._a-zA-Z0-9]{1,253}\Z", re.ASCII)
_MOST = 1024 * 1024  # bytes of all values together
_FIELDS = {"ConfigMap": ("data", "binaryData"), "Secret": ("data", "stringData")}
_ENCODED = {("ConfigMap", "binaryData"), ("Secret", "data")}
_FILLED_LATER = "$<{["  # signs of a placeholder that something fills in before the object is applied


def _check(objects: Objects) -> Iterator[Finding]:
    for kind in _FIELDS:
        for item in objects.of("", kind):
            yield from (Finding(item, *fault) for fault in _faults(item, kind))


def _faults(item: Item, kind: str) -> Iterator[tuple[Pointer, str, str]]:
    size = 0
    for field in _FIELDS[kind]:
        for key, value in (item.body.get(field) or {}).items():
            if not _KEY.match(key):
                yield (field, key), f"'{key}' is no valid key", "use at most 253 letters, digits, '-', '_' and '.'"
            text = value if isinstance(value, str) else ""
            if (kind, field) in _ENCODED and not _is_base64(text):
                yield (field, key), f"the value of {key} is no base64", _remedy(kind)
            size += len(text.encode()) if (kind, field) not in _ENCODED else len(text) * 3 // 4
    if size > _MOST:
        message = f"the {kind} holds {size} bytes, more than 1 MiB"
        yield (_FIELDS[kind][0],), message, "split it, or keep the data in a volume"


def _remedy(kind: str) -> str:
    return "write it under stringData as it is" if kind == "Secret" else "write it under data as it is"


def _is_base64(text: str) -> bool:
    if any(sign in text for sign in _FILLED_LATER):
        return True
    try:
        binascii.a2b_base64("".join(text.split()), strict_mode=True)
    except ValueError:
        return False
    return True


RULE = Rule(
    code="NAM008",
    name="bad-data",
    severity=Severity.ERROR,
    summary="A ConfigMap or Secret has a key that is no file name, a value that is no base64, or too much data.",
    help="Keys become names of files; values of a Secret's data are base64, and plain text belongs in stringData.",
    sources=(
        "https://kubernetes.io/docs/concepts/configuration/configmap/",
        "https://kubernetes.io/docs/concepts/configuration/secret/",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/core/validation/validation.go",
    ),
    check=_check,
    bad="""
apiVersion: v1
kind: Secret
metadata: {name: hugging-face, namespace: serving}
data: {HF_TOKEN: hf_example}
""",
    good="""
apiVersion: v1
kind: Secret
metadata: {name: hugging-face, namespace: serving}
stringData: {HF_TOKEN: hf_example}
""",
)
