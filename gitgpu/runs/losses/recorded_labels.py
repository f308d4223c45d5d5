"""The labels of a pool's running nodes, from the text in the existing overlays that creates them.

That is its object, with its node class, or its part of a page of the runbook or of the Terraform configuration. All of
them write a label and its value next to each other.
"""

import re
from collections.abc import Collection, Iterator

from gitgpu.load.read import listing, read_bytes
from gitgpu.model.driver_owner import MANAGED_TAG
from gitgpu.model.names.labels import INSTANCE_TYPE_LABEL, MANAGED_GPU_LABEL, NODEPOOL_LABEL
from gitgpu.model.names.prefixes import NFD_PREFIX
from gitgpu.runs.losses.changed_types import PAGES, pools_in

_MANAGED = re.compile(rf"""{MANAGED_TAG}\W+true\b|managementMode\W+Managed\b""", re.IGNORECASE)
_BY_API = re.compile(r"^cat >.*/(\w+)-pool\.json.*?\n(.*?)^END$", re.MULTILINE | re.DOTALL)


def recorded_label(key: str, text: str) -> Collection[str] | None:
    """The values of a label in the text that creates a pool's nodes; () without the label, None if it is unknown."""
    if key == INSTANCE_TYPE_LABEL or key.startswith(NFD_PREFIX):
        return None
    if key == MANAGED_GPU_LABEL:
        return ("enabled",) if _MANAGED.search(text) else ()
    found = re.search(rf"(?<![\w./-]){re.escape(key)}['\"]?[:=]\s*['\"]?([\w.-]+)", text)
    return (found[1],) if found else ()


def creating_text(out: str, cluster: str, nodes: str) -> str:
    """The text that creates the nodes with a label, KEY=VALUE, which only those of one pool have."""
    key, _, name = nodes.partition("=")
    if key == NODEPOOL_LABEL:
        return "".join(text_of(f"{out}/{cluster}/nodes/{kind}-{name}.yaml") for kind in ("nodepool", "aksnodeclass"))
    return next((text for azure_name, text in _agent_pools(f"{out}/{cluster}") if azure_name == name), "")


def _agent_pools(folder: str) -> Iterator[tuple[str, str]]:
    """The name of each AKS node pool in Azure, and the text that creates it."""
    paths = (*PAGES, *(f"nodes/{file}" for file in listing(f"{folder}/nodes")))
    for path in paths:
        text = text_of(f"{folder}/{path}")
        yield from pools_in(path, text)
        yield from _BY_API.findall(text)


def text_of(path: str) -> str:
    """The text of a file; "" if it cannot be read."""
    return read_bytes(path).decode("utf-8", "replace")
