"""Examples at the limits of rules about size, which are too large for the files of their examples."""

from collections.abc import Iterable, Iterator

ANNOTATIONS, DATA = 256 * 1024, 1024 * 1024  # bytes that the API server allows
NAMESPACE = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: serving, annotations: {"gitgpu.dev/spec": %s}}\n'
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: models, namespace: serving}\ndata: {key: %s}\n"
ENCODED = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: models, namespace: serving}\nbinaryData: {key: %s}\n"
_KEY = len("gitgpu.dev/spec")
_CHARACTERS = DATA // 3 * 4  # four characters of base64 are three bytes
# Each as a text, a character and how often it is repeated, so that no process keeps megabytes of them.
BAD = {
    "CNF005": ((NAMESPACE, "x", ANNOTATIONS - _KEY + 1), (NAMESPACE, "é", ANNOTATIONS // 2)),
    "NAM008": ((CONFIG, "x", DATA + 1), (ENCODED, "A", _CHARACTERS + 4)),
}
NEAR_MISSES = {
    "CNF005": ((NAMESPACE, "x", ANNOTATIONS - _KEY),),  # exactly 256 KiB together with the key
    "NAM008": ((CONFIG, "x", DATA), (ENCODED, "A", _CHARACTERS)),  # exactly 1 MiB, and one byte less
}


def written(examples: Iterable[tuple[str, str, int]]) -> Iterator[str]:
    """The texts of some examples."""
    return (text % (character * number) for text, character, number in examples)
