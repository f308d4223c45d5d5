"""What a change of the Bicep module, or of the Terraform configuration, does to node pools without an object.

AKS cannot change all their properties.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import MAPPING, reach
from gitgpu.compare.change import Change, Kind, effect
from gitgpu.compare.effects import Effect
from gitgpu.compare.snapshot import PAGE, OverlayObject
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.plan.fields.references import REFERENCES
from gitgpu.plan.placement import RETIRING
from gitgpu.schedule.taint import taint_text

_MODULE, _CONFIGURATION = "node-pools.bicep", "cluster.tf.json"
_APPLY = {_MODULE: f"deploy {_MODULE}", _CONFIGURATION: f"apply {_CONFIGURATION}"}
_POOL = re.compile(r"resource pool_(\w+) '[^']*' = \{\n(.*?)\n\}", re.DOTALL)
_LINE = re.compile(r"( +)(?:'((?:\\.|[^'\\])+)'|(\w+)): (.*)|( +)([^ ].*)")
_REFUSED = "AKS does not change {} of an existing node pool: "
_EFFECTS = {
    "refused": f"{_REFUSED}add a pool with a different name, and retire this one",
    "kept": f"{_REFUSED}keep it as it was until the pool has no nodes",
    "reimage": "AKS reimages its nodes for {}, once you {}",
    "in-place": "AKS changes {} without replacing nodes, once you {}",
    "later": "new nodes have {}, once you {}",
    "": "what AKS does with {} of an existing node pool is not known",
}


def bicep_pool_effects(
    changes: Iterable[Change], before: Iterable[OverlayObject], after: Iterable[OverlayObject], catalog: Catalog
) -> Iterator[Effect]:
    """The effects on pools that the module has on both sides, and Azure Service Operator at most on one."""
    module = next((change for change in changes if _is_module(change)), None)
    if module is None or not (module.before and module.after):
        return
    facts = catalog.must("edits", MANAGED_CLUSTERS_AGENT_POOL.kind.lower())
    name_of_page = module.object.identity.name
    was, now = (dict(_pools(name_of_page, str(obj.body["text"]))) for obj in (module.before, module.after))
    common_names = _names(before) & _names(after)
    for name in was.keys() & now.keys() - common_names:
        by_effect: dict[str, list[str]] = {}
        for path in sorted(was[name].keys() | now[name].keys()):
            if was[name].get(path) != now[name].get(path):
                field = ".".join(REFERENCES.get(part, part) for part in path.split("."))
                by_effect.setdefault(effect(f"spec.{field}", facts), []).append(path)
        retires = taint_text(RETIRING._asdict()) in now[name].get("nodeTaints", "")
        for what, paths in by_effect.items():
            words = _EFFECTS["kept" if retires and what == "refused" else what]
            yield Effect(f"node pool {name}", words.format(", ".join(paths), _APPLY[name_of_page]))


def _is_module(change: Change) -> bool:
    identity = change.object.identity
    return change.kind is Kind.CHANGED and identity.kind == PAGE and identity.name in _APPLY


def _names(objects: Iterable[OverlayObject]) -> set[str]:
    """The names in Azure of pools that are objects."""
    return {
        str(reach(obj.body, "spec", "azureName"))
        for obj in objects
        if obj.identity.kind == MANAGED_CLUSTERS_AGENT_POOL.kind
    }


def _pools(page: str, text: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The properties of each pool as gitgpu writes them, by path; a list is one value."""
    if page == _CONFIGURATION:
        for name, resource in json.loads(text)["resource"].get("azapi_resource", {}).items():
            if name.startswith("pool_"):
                yield name.removeprefix("pool_"), dict(_leaves(resource["body"]["properties"]))
        return
    for name, body in _POOL.findall(text):
        yield name, _properties(body.splitlines())


def _leaves(value: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, below in value.items():
        if isinstance(below, MAPPING):
            yield from _leaves(below, f"{above}{key}.")
        else:
            yield f"{above}{key}", json.dumps(below)


def _properties(lines: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    path: list[str] = []
    for line in lines:
        match = _LINE.fullmatch(line)
        if not match:
            continue
        depth = len(match[1] or match[5]) // 2 - 1
        if match[1]:
            path = [*path[:depth], match[2] or match[3]]
        value = match[4] or match[6]
        if path[0] == "properties" and value not in ("{", "}", "]"):
            place = ".".join(path[1:])
            found[place] = found.get(place, "") + value
    return found
