"""Data of a ConfigMap or Secret that the API server rejects."""

import binascii
import re
from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.manifest.placeholders import VAULT
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# IsConfigMapKey of k8s.io/apimachinery: keys become file names, so "." and names that start with ".." are refused.
_KEY = re.compile(r"(?!\.\.)(?!\.\Z)[-._a-zA-Z0-9]{1,253}\Z", re.ASCII)
_MAX_BYTES = 1024 * 1024  # bytes of all values combined (MaxSecretSize of pkg/apis/core)
_FIELDS = {"ConfigMap": ("data", "binaryData"), "Secret": ("data", "stringData")}
_ENCODED = {("ConfigMap", "binaryData"), ("Secret", "data")}  # base64
# Values that are replaced before the object is applied.
_FILLED_LATER = re.compile(r"\$|\{\{|#\{|<(?:path|secret|vault):|<%|ENC\[|ref\+|__\w+__|@\w+@|%\w+%", re.ASCII)
# <a value to fill in>.
_PLACEHOLDER = re.compile(r"\s*<[^<>]*>\s*")


def _check(objects: Objects) -> Iterator[Finding]:
    for kind in _FIELDS:
        for item in objects.of("", kind):
            yield from (Finding(item, *fault) for fault in _faults(item, kind))


def _faults(item: Item, kind: str) -> Iterator[tuple[Pointer, str, str]]:
    size = 0
    for field in _FIELDS[kind]:
        for key, value in (item.body.get(field) or {}).items():
            if not _KEY.match(key):
                yield (field, key), f"'{key}' is not a valid key", "use at most 253 letters, digits, '-', '_' and '.'"
            # The API server reads null as an empty value.
            text = value if isinstance(value, str) else ""
            if (kind, field) in _ENCODED and not _is_base64(text) and not _is_filled(text, item):
                what = "a placeholder, not" if _PLACEHOLDER.fullmatch(text) else "not"
                yield (field, key), f"the value of {key} is {what} base64", _remedy(kind)
            # Four characters of base64 are three bytes.
            size += len(text.encode()) if (kind, field) not in _ENCODED else len(text) * 3 // 4
    if size > _MAX_BYTES:
        message = f"the {kind} has {size} bytes of data; at most 1 MiB is allowed"
        yield (_FIELDS[kind][0],), message, "split it, or use a volume for the data"


def _remedy(kind: str) -> str:
    return "move it unencoded to stringData" if kind == "Secret" else "move it unencoded to data"


def _is_filled(text: str, item: Item) -> bool:
    """Whether something replaces the value before the API server sees it."""
    noted = VAULT in (reach(item.body, "metadata", "annotations") or {})
    return bool(_FILLED_LATER.search(text) or (noted and _PLACEHOLDER.search(text)))


def _is_base64(text: str) -> bool:
    """Whether Go's encoding/base64 can read it. It ignores line breaks, but not spaces."""
    try:
        binascii.a2b_base64(text.replace("\n", "").replace("\r", ""), strict_mode=True)
    except ValueError:
        return False
    return True


RULE = Rule(
    code="NAM008",
    name="invalid-config-data",
    severity=Severity.ERROR,
    rejects=True,
    summary="A ConfigMap or Secret has an invalid key, a value that is not base64, or too much data.",
    help="Keys become file names. The data of a Secret is base64; plain text belongs in stringData. The API server "
    "rejects the object.",
    sources=(
        "https://kubernetes.io/docs/concepts/configuration/configmap/",
        "https://kubernetes.io/docs/concepts/configuration/secret/",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/core/validation/validation.go",
        "https://pkg.go.dev/encoding/json@go1.25.0#Unmarshal",
        "https://pkg.go.dev/encoding/base64@go1.25.0#Encoding.DecodeString",
    ),
    check=_check,
)
