"""The addresses of servers that answer PromQL."""

# MetricsQL and LogQL have much that PromQL has not, and are asked under the same paths.
_OTHERS = ("victoria", "vmselect", "vmsingle", "vmauth", ":8428", ":8481", "/select/", "loki")


def speaks_promql(address: str) -> bool:
    """Is the language that a server takes PromQL, as far as its address tells?"""
    return not any(name in address.lower() for name in _OTHERS)
