"""Node pools that Azure Service Operator hands over to another form of what is in Azure, or Terraform does.

An object of the operator that is deleted deletes its node pool, unless the annotation reconcile-policy prevents that:
https://azure.github.io/azure-service-operator/guide/annotations/. Terraform deletes a node pool that is no longer in
its configuration, unless it is removed from its state.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gitgpu.access import mapping_at, text_at
from gitgpu.compare.effects import Effect
from gitgpu.compare.sides import Sides
from gitgpu.compare.snapshot import PAGE, OverlayObject
from gitgpu.model.names.annotations import RECONCILE_POLICY_ANNOTATION
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL

SCRIPT, MODULE, CONFIGURATION = "node-pools.sh", "node-pools.bicep", "cluster.tf.json"
PAGES = (SCRIPT, MODULE, CONFIGURATION)
_IN_SCRIPT = re.compile(r"^(?:create|put|retire|elsewhere) (\w+)", re.MULTILINE)
_IN_MODULE = re.compile(r"^resource pool_(\w+) ", re.MULTILINE)
_RESOURCE = "azapi_resource"
_POOL = "pool_"


class Owners(NamedTuple):
    """What describes the node pools of one side, by their names in Azure: objects of the operator, and pages."""

    objects: Mapping[str, OverlayObject]
    pages: Mapping[str, tuple[str, ...]]

    @property
    def names(self) -> set[str]:
        """The names of all node pools."""
        return self.objects.keys() | self.pages.keys()


def owners(objects: Iterable[OverlayObject]) -> Owners:
    """What describes each node pool."""
    by_operator: dict[str, OverlayObject] = {}
    pages: dict[str, tuple[str, ...]] = {}
    for obj in objects:
        if obj.identity.kind == MANAGED_CLUSTERS_AGENT_POOL.kind:
            by_operator[text_at(obj.body, "spec", "azureName")] = obj
        elif obj.identity.kind == PAGE:
            for name in _pools(obj.identity.name, str(obj.body["text"])):
                pages[name] = (*pages.get(name, ()), obj.identity.name)
    return Owners(by_operator, pages)


def new_owner(was: OverlayObject, after: Owners) -> str:
    """The page that describes the node pool of an object of the operator from now on; "" if nothing does."""
    name = text_at(was.body, "spec", "azureName")
    if was.identity.kind != MANAGED_CLUSTERS_AGENT_POOL.kind or name in after.objects:
        return ""
    return next(iter(after.pages.get(name, ())), "")


def how_to_detach(was: OverlayObject) -> str:
    """What to do before an object of the operator is deleted, so that its node pool stays."""
    own = was.identity
    target = f"kubectl annotate {own.kind.lower()} {own.name} --namespace {own.namespace} --overwrite"
    return (
        f"first run {target} {RECONCILE_POLICY_ANNOTATION}=skip: with it, the operator neither changes the node pool "
        "back nor deletes it together with the object; then delete the object"
    )


def was_in_page(now: OverlayObject, before: Owners) -> bool:
    """Whether the node pool of an object of the operator was in a page before."""
    is_of_operator = now.identity.kind == MANAGED_CLUSTERS_AGENT_POOL.kind
    return is_of_operator and text_at(now.body, "spec", "azureName") in before.pages


def handover_effects(sides: Sides[Owners]) -> Iterator[Effect]:
    """The effects on node pools that Terraform had and has no more, and that only pages begin or cease to describe."""
    before, after = sides
    yield from _left_by_terraform(before, after)
    for name, pages in after.pages.items():
        if name not in before.names | after.objects.keys():
            yield Effect(f"node pool {name}", f"it is new: create it with {' or '.join(pages)}, unless it exists")
    for name, pages in before.pages.items():
        if name not in before.objects.keys() | after.names and CONFIGURATION not in pages:
            text = "it is removed from the runbook, and stays in Azure: drain its nodes, then delete it there"
            yield Effect(f"node pool {name}", text)


def _left_by_terraform(before: Owners, after: Owners) -> Iterator[Effect]:
    for name, pages in before.pages.items():
        if CONFIGURATION not in pages or CONFIGURATION in after.pages.get(name, ()):
            continue
        state = f"terraform state rm {_RESOURCE}.{_POOL}{name} (after the name of its module, if it has one)"
        obj, others = after.objects.get(name), after.pages.get(name, ())
        if obj or others:
            by = obj.name if obj else others[0]
            text = f"{by} describes it from now on: first run {state}, or Terraform deletes it with its nodes"
        else:
            text = f"Terraform deletes it with its nodes when you apply {CONFIGURATION}; to keep it, run {state}"
        yield Effect(f"node pool {name}", text)


def _pools(page: str, text: str) -> Iterator[str]:
    if page == CONFIGURATION:
        resources = mapping_at(json.loads(text), "resource", _RESOURCE)
        yield from (key.removeprefix(_POOL) for key in resources if key.startswith(_POOL))
    elif page in (SCRIPT, MODULE):
        yield from (_IN_SCRIPT if page == SCRIPT else _IN_MODULE).findall(text)
