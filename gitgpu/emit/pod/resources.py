"""The CPU and memory of containers that run on every GPU node.

There is no CPU limit: a plugin that is throttled registers late. A memory limit is far above what was measured, so that
only a leak reaches it.
"""

from collections.abc import Mapping

from gitgpu.emit.emitter import Body


def resources(cpu: str, memory: Mapping[str, str] | None) -> Body:
    """Requests and limits; without `memory`, whose need is then not known, only the request of CPU."""
    if not memory:
        return {"requests": {"cpu": cpu}}
    return {"requests": {"cpu": cpu, "memory": memory["requests"]}, "limits": {"memory": memory["limits"]}}


def small() -> Body:
    """Those of a program that mostly waits, such as a shell, or watches one object."""
    return resources("10m", {"requests": "32Mi", "limits": "512Mi"})
