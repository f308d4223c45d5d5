"""The addresses of servers that answer PromQL."""

import re

# The paths of the query API of Prometheus, which KEDA adds itself.
_QUERY = re.compile(r"/api/v1/query(?:_range)?/*\Z")
# These speak MetricsQL or LogQL, which have more than PromQL, and their servers use the same paths.
_OTHERS = ("victoria", "vmselect", "vmsingle", "vmauth", ":8428", ":8481", "/select/", "loki")


def speaks_promql(address: str) -> bool:
    """Whether a server understands PromQL, judging by its address."""
    return not any(name in address.lower() for name in _OTHERS)


def base_of(address: str) -> str:
    """The address of a server without the path of its query API, which clients add."""
    match = _QUERY.search(address)
    return address[: match.start()] if match else address
