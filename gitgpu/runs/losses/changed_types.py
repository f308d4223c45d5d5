"""AKS node pools that a build turns into pools of virtual machines, or back: AKS does not change the type of a pool.

https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/virtual-machines-node-pools.md
"""

import json
import re
from collections.abc import Iterator, Mapping
from posixpath import basename

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.read import listing, read_bytes
from gitgpu.runs.losses.removed_pools import Records
from gitgpu.source import Span
from gitgpu.write.file_texts import Texts

PAGES = ("runbook/node-pools.bicep", "runbook/node-pools.sh", "runbook/cluster.tf.json")
_OBJECT = "managedclustersagentpool-"
_NAME = re.compile(r"^  azureName: (\w+)$", re.MULTILINE)
_IN_MODULE = re.compile(r"^resource pool_(\w+) (.*?)^\}", re.MULTILINE | re.DOTALL)
_IN_SCRIPT = re.compile(r"^create (\w+) (.*?[^\\])$", re.MULTILINE | re.DOTALL)
_MACHINES = "VirtualMachines"


def changed_types(out: str, texts: Texts, old: Records, new: Records) -> Iterator[Diagnostic]:
    """A warning for each pool whose type in the existing overlays is different."""
    for cluster in sorted(old.keys() & new.keys()):
        paths = [f"{cluster}/{page}" for page in PAGES]
        paths += (f"{cluster}/nodes/{file}" for file in listing(f"{out}/{cluster}/nodes") if file.startswith(_OBJECT))
        before = {path: read_bytes(f"{out}/{path}").decode("utf-8", "replace") for path in paths}
        after = {path: text for path, text in texts.items() if path in paths or _is_pool(path, cluster)}
        if before != after:
            was, now = dict(_types(before)), dict(_types(after))
            for name in sorted(was.keys() & now.keys()):
                if was[name][1] is not now[name][1]:
                    yield _fault(cluster, name, f"{out}/{was[name][0]}", machines=now[name][1])


def _is_pool(path: str, cluster: str) -> bool:
    return path.startswith(f"{cluster}/nodes/{_OBJECT}")


def _types(texts: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, bool]]]:
    """The name of each pool in Azure, with the file that has it, and whether it is of virtual machines."""
    for path, text in texts.items():
        for name, body in pools_in(path, text):
            yield name, (path, _MACHINES in body)


def pools_in(path: str, text: str) -> Iterator[tuple[str, str]]:
    """The name of each AKS node pool in Azure that a file creates, and the text that does it."""
    file = basename(path)
    if file.startswith(_OBJECT):
        yield from ((name, text) for name in _NAME.findall(text))
    elif file.endswith(".bicep"):
        yield from _IN_MODULE.findall(text)
    elif file.endswith(".sh"):
        yield from _IN_SCRIPT.findall(text)
    elif text:
        try:
            found = json.loads(text)["resource"].get("azapi_resource", {})
        except (ValueError, KeyError, TypeError, AttributeError):  # a file that was changed by hand
            return
        yield from ((key.removeprefix("pool_"), str(body)) for key, body in found.items() if key.startswith("pool_"))


def _fault(cluster: str, name: str, place: str, *, machines: bool) -> Diagnostic:
    change = "a scale set to virtual machines" if machines else "virtual machines to a scale set"
    message = (
        f"node pool {name} of {cluster} changes from {change}: AKS does not change the type of an existing pool, so "
        "no node changes"
    )
    remedy = "add a pool with a different name and the new type, and set retire: true on this one"
    return Diagnostic("OUT013", Severity.WARNING, message, remedy, Span(place))
