"""Examples at the limits of rules about size, which are too large for the files of their examples."""

ANNOTATIONS, DATA = 256 * 1024, 1024 * 1024  # bytes that the API server allows
NAMESPACE = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: serving, annotations: {"gitgpu.dev/spec": %s}}\n'
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: models, namespace: serving}\ndata: {key: %s}\n"
_KEY = len("gitgpu.dev/spec")
BAD = {
    "CNF005": (NAMESPACE % ("x" * (ANNOTATIONS - _KEY + 1)), NAMESPACE % ("é" * (ANNOTATIONS // 2))),
    "NAM008": (CONFIG % ("x" * (DATA + 1)),),
}
NEAR_MISSES = {
    "CNF005": NAMESPACE % ("x" * (ANNOTATIONS - _KEY)),  # exactly 256 KiB together with the key
    "NAM008": CONFIG % ("x" * DATA),  # exactly 1 MiB
}
