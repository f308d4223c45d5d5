"""A cluster or node pool with a Kubernetes version that AKS no longer supports."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.dates import over
from gitgpu.model.syntax.version import NUMBERS, minor, version
from gitgpu.objects.node.agent_pools import clusters, pools_of
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.inputs.kubernetes import ends_soon, forced_upgrade, is_past_end_of_life, life_cycles
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_LONG_TERM = "AKSLongTermSupport"


def _check(objects: Objects) -> Iterator[Finding]:
    for cluster in clusters(objects):
        has_long_term_support = reach(cluster.body, "spec", "supportPlan") == _LONG_TERM
        for item, place, written in _versions(cluster, objects):
            if NUMBERS.match(written) and (message := _end(minor(written), objects, long=has_long_term_support)):
                yield Finding(item, place, message, "upgrade to a version that AKS supports")


def _end(written: str, objects: Objects, *, long: bool) -> str:
    """What has ended, or ends within 30 days of a given date; "" if nothing, or it may be newer than the catalog."""
    by_version = life_cycles(objects.catalog)
    life = by_version.get(written)
    if life is None:
        is_older = all(version(written) < version(known) for known in by_version)
        forced = forced_upgrade(objects.catalog, objects.today)
        return f"AKS no longer supports Kubernetes {written}; {forced}" if is_older else ""
    last_day = life["ltsEndOfLife"]
    is_over = is_past_end_of_life(life, objects.today)
    if not is_over or (long and last_day and not over(last_day, objects.today)):
        end = last_day if long and last_day else life["endOfLife"]
        forced = forced_upgrade(objects.catalog, objects.today)
        return f"AKS support for Kubernetes {written} ends on {end}; {forced}" if ends_soon(end, objects.today) else ""
    longer = f" (long-term support: {last_day})" if last_day else ""
    forced = forced_upgrade(objects.catalog, objects.today)
    return f"AKS support for Kubernetes {written} ended on {life['endOfLife']}{longer}; {forced}"


def _versions(cluster: Item, objects: Objects) -> Iterator[tuple[Item, Pointer, str]]:
    if cluster_version := reach(cluster.body, "spec", "kubernetesVersion"):
        yield cluster, ("spec", "kubernetesVersion"), str(cluster_version)
    for pool in pools_of(cluster, objects):
        if pool_version := pool.spec.get("orchestratorVersion"):
            yield pool.item, pool.place("orchestratorVersion"), str(pool_version)


RULE = Rule(
    code="APL100",
    name="kubernetes-past-end-of-life",
    twin="CLU003",
    severity=Severity.WARNING,
    summary="The Kubernetes version of a cluster or of a node pool is past its end of life on AKS, or ends soon.",
    help="After that date AKS ships no fixes and may upgrade the cluster automatically, which replaces every node. "
    "Long-term support requires the Premium tier. A forced upgrade begins after 60 days of grace without platform "
    "support. It ignores maintenance windows and deprecated APIs in use, and can override PodDisruptionBudgets. "
    "With --today, a version that ends within 30 days is reported too.",
    sources=(
        "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",
        "https://learn.microsoft.com/azure/aks/platform-initiated-upgrades",
    ),
    facts=("kubernetes/*", "upgrades/aks"),
    check=_check,
)
