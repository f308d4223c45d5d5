"""Keys of mappings that are not text, such as `on:` and `1:`: the text for them, or why they are rejected."""

from gitgpu.diagnostic import Diagnostic, Severity, fault
from gitgpu.load.parse.scalars import INTEGER
from gitgpu.source import Span

_KINDS = {bool: "true or false", int: "a number", float: "a number", type(None): "null"}  # of scalars that are not text


def text_key(key: object, shown: str | None, span: Span, *, as_json: bool) -> tuple[str | None, Diagnostic | None]:
    """The text for such a key, or None if it is rejected; and the fault, if any.

    `shown` is the key as written, or None if it is not a scalar. With `as_json`, it becomes the key in JSON.
    """
    if type(key) is int and shown is not None and not INTEGER.match(shown.replace("_", "")):
        key = float(key)  # only as a value is 2.0 the same as 2
    become = json_key(key) if as_json else None
    if become is not None and become == shown:
        return become, None
    remedy = f'quote it: "{shown}"' if shown is not None else "use a plain text key"
    if become is not None:
        warning = fault("YML003", f'key {shown} becomes "{become}"', remedy, span)
        return become, warning._replace(severity=Severity.WARNING)
    message = f"key {shown} is read as {_KINDS[type(key)]}, not as text" if shown is not None else "a key must be text"
    return None, fault("YML003", message, remedy, span)


def json_key(key: object) -> str | None:
    """The text of a key in JSON; None for null, lists and mappings, which cannot be keys in JSON."""
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, float):
        return f"{key:.8g}"  # as short as float32 allows: convertToJSONableObject of sigs.k8s.io/yaml
    return str(key) if isinstance(key, int | str) else None
