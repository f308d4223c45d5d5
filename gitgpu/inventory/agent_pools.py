"""AKS node pools as Azure Service Operator's ManagedClustersAgentPool, from any of Azure's spellings of properties.

Properties that only Azure writes (provisioningState, nodeImageVersion, ...) are omitted. A property that the contract
does not have stays as written, so that it can be reported.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.diagnostic import Places
from gitgpu.inventory.names_of_azure import Moved, Renaming, Spelling
from gitgpu.inventory.observed import DELETING, FAILED, Observed, Owner
from gitgpu.inventory.secrets import secret_places, without
from gitgpu.load.schemas import Schemas
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.model.names.labels import SCALE_SET_PRIORITY_LABEL
from gitgpu.source import Pointer

STATES: Mapping[str, str] = {"deleting": DELETING, "failed": FAILED, "canceled": FAILED}  # by provisioningState
_STATE, _IMAGE = "provisioningstate", "nodeimageversion"
_CONTRACT = "containerservice.azure.com_managedclustersagentpool"
_WRITTEN_BY_AZURE = frozenset({
    "currentorchestratorversion", "etag", "id", "name", "nodeimageversion", "provisioningstate", "resourcegroup",
    "status", "systemdata", "virtualmachinenodesstatus",
})  # fmt: skip


class PoolSource(NamedTuple):
    """Where a pool was read: the format, the places of the document, and the pointer to the pool's properties in it.

    `label` is the name of the pool in the document, and `owner` what applies it. `live` says that Azure printed it,
    and `whole` is False if the document computes some of its values.
    """

    name: str
    places: Places
    pointer: Pointer
    label: str = ""
    owner: Owner = Owner()
    live: bool = False
    whole: bool = True


def agent_pool(
    name: str, properties: Mapping[str, Any], cluster: str, source: PoolSource, *, spell: Spelling = str.lower
) -> Observed:
    """A pool of the cluster with this resource ID ("" if unknown), from its properties.

    `spell` returns Azure's name of a property in lower case, if the source has names of its own.
    """
    contract = Schemas().contract(_CONTRACT) or {}
    kept = {key: value for key, value in properties.items() if spell(key) not in _WRITTEN_BY_AZURE}
    renaming = Renaming(contract, spell, {})
    spec = _without_marks(renaming.value(kept, contract["properties"]["spec"], source.pointer, ("spec",)))
    owner = {"owner": {"armId": cluster}} if cluster else {}
    body = {
        "apiVersion": contract["properties"]["apiVersion"]["const"],
        "kind": MANAGED_CLUSTERS_AGENT_POOL.kind,
        "metadata": {"name": name},
        "spec": {"azureName": name, **owner, **spec},
    }
    origins = {(): source.pointer, **renaming.origins}
    places, label = Moved(source.places, origins), source.label or f"node pool {name}"
    hidden = secret_places(body)
    read = without(body, hidden)
    observed = Observed(read, places, label, source.name, source.owner, source.live, source.whole)
    # Azure has the state Canceled for an operation that was stopped, which can leave half of the nodes.
    state = STATES.get(_text(properties, _STATE, spell).lower(), "")
    return observed._replace(state=state, hidden=tuple(hidden), image=_text(properties, _IMAGE, spell))


def _text(properties: Mapping[str, Any], name: str, spell: Spelling) -> str:
    """The text of a property, or ""."""
    for key, value in properties.items():
        if spell(key) == name and isinstance(value, str):
            return value
    return ""


def _without_marks(spec: dict[str, Any]) -> dict[str, Any]:
    """The properties without the label of spot pools, which only AKS may set."""
    labels = spec.get("nodeLabels")
    if spec.get("scaleSetPriority") != "Spot" or not isinstance(labels, dict) or SCALE_SET_PRIORITY_LABEL not in labels:
        return spec
    left = {key: value for key, value in labels.items() if key != SCALE_SET_PRIORITY_LABEL}
    rest = {key: value for key, value in spec.items() if key != "nodeLabels"}
    return {**rest, "nodeLabels": left} if left else rest
