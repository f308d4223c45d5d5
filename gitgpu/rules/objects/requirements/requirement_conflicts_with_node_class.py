"""A NodePool that requires a different operating system or FIPS mode than its AKSNodeClass has."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import FIPS_LABEL, OS_SKU_LABEL
from gitgpu.model.software.node_images import fips_families
from gitgpu.model.syntax.requirement import ABSENT
from gitgpu.objects.node.label_values import known_values
from gitgpu.objects.node.node_pools import NodePool, node_class, node_pools, terms
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        named = node_class(pool, objects)
        if named:
            yield from _system(pool, named, objects)
            yield from _fips(pool, named, objects)


def _system(pool: NodePool, named: Item, objects: Objects) -> Iterator[Finding]:
    family = terms(named, objects.catalog).image_family
    required, image = pool.together.get(OS_SKU_LABEL), objects.catalog.facts("images", family)
    if not (required and image):
        return
    others = known_values(objects)[OS_SKU_LABEL]
    # The label has no version: nodes with the osSku Ubuntu2204 have the label Ubuntu.
    system = next((name for name in others if image["osSku"].startswith(name)), image["osSku"])
    # NPL006 reports a value that no node has.
    if not required.takes(system) and any(required.takes(other) for other in others):
        message = f"AKSNodeClass '{named.identity.name}' has imageFamily {family}, so its nodes have os-sku {system}"
        yield Finding(pool.item, _place(pool, OS_SKU_LABEL), message, f"require {system}, or use another AKSNodeClass")


def _fips(pool: NodePool, named: Item, objects: Objects) -> Iterator[Finding]:
    required, name = pool.together.get(FIPS_LABEL), named.identity.name
    if not required:
        return
    asked = terms(named, objects.catalog)
    # NotIn also takes nodes without the label.
    if not asked.fips and required.operator in ("In", "Exists") and required.takes("true"):
        message = f"AKSNodeClass '{name}' does not set fipsMode: FIPS, so no node has {FIPS_LABEL}"
        families = fips_families(objects.catalog)
        family = "" if asked.image_family in families else f", and spec.imageFamily: {' or '.join(families)}"
        remedy = f"set spec.fipsMode: FIPS{family}, in AKSNodeClass '{name}'"
        yield Finding(pool.item, _place(pool, FIPS_LABEL), message, remedy)
    if asked.fips and not required.takes("true") and required.operator in ABSENT:
        message = f"AKSNodeClass '{name}' has fipsMode: FIPS, so all its nodes have {FIPS_LABEL}"
        yield Finding(
            pool.item, _place(pool, FIPS_LABEL), message, "remove the requirement, or use another AKSNodeClass"
        )


def _place(pool: NodePool, key: str) -> Pointer:
    return [demand.place for demand in pool.label_requirements if demand.key == key][-1]


RULE = Rule(
    code="NPL020",
    name="requirement-conflicts-with-node-class",
    severity=Severity.ERROR,
    summary="A NodePool requires a label value that its AKSNodeClass does not give.",
    help="The label os-sku follows imageFamily, and nodes have fips_enabled only with fipsMode: FIPS. When NodePool "
    "and AKSNodeClass disagree, no size fits, and pods stay Pending.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/labels.go",
    ),
    facts=("images", "labels/karpenter"),
    check=_check,
)
