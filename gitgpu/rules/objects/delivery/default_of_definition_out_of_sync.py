"""An Application that may stay OutOfSync because of a default in the definition of ClusterPolicy."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import COMPARE_OPTIONS_ANNOTATION
from gitgpu.model.names.kinds import CLUSTER_POLICY
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.objects.gitops.applications import applications
from gitgpu.objects.gitops.chart_values import OPERATOR, effective_value
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule

_FIELD = "cdi"


def _check(objects: Objects) -> Iterator[Finding]:
    specs = {id(item): spec for item, spec in applications(objects)}
    since = objects.catalog.must("features", "policy-without-cdi-default")["since"]
    if _compares_by_default(objects):
        return
    for release in releases(objects, OPERATOR):
        spec = specs.get(id(release.item))
        deploys = effective_value(release, objects, "clusterPolicy", "deployCR") is not False
        if spec is None or not deploys or not _leaves_out(release.version, since) or _compares(release.item, spec):
            continue
        if "ServerSideApply=true" not in list_at(spec, "syncPolicy", "syncOptions"):
            continue  # without it, Argo CD compares with what it applied last
        message = (
            "Argo CD before 3.6 can report ClusterPolicy as OutOfSync indefinitely: its definition sets "
            "spec.cdi.default, which the chart omits"
        )
        remedy = (
            f"annotate the Application with {COMPARE_OPTIONS_ANNOTATION}: ServerSideDiff=true, or ignore "
            "/spec/cdi/default"
        )
        yield Finding(release.item, ("metadata", "name"), message, remedy)


def _compares_by_default(objects: Objects) -> bool:
    """Whether the cluster is known to have a release that compares on the server with server-side apply."""
    since = objects.catalog.must("features", "server-side-diff")["since"]
    running = objects.versions("argo-cd")
    return bool(running) and all(version(number)[:2] >= version(since)[:2] for number in running)


def _leaves_out(chart: str, since: str) -> bool:
    return NUMBERS.match(chart) is not None and version(chart) >= version(since)


def _compares(item: Item, spec: Mapping[str, Any]) -> bool:
    """Whether the Application compares on the server, or ignores a part of ClusterPolicy."""
    notes = (("metadata", "annotations"), ("spec", "template", "metadata", "annotations"))
    is_server_side = any(
        "ServerSideDiff=true" in str(reach(item.body, *at, COMPARE_OPTIONS_ANNOTATION)) for at in notes
    )
    entries = (mapping_at(entry) for entry in list_at(spec, "ignoreDifferences"))
    ignores = any(entry.get("kind") in ("*", CLUSTER_POLICY.kind) and _FIELD in str(entry) for entry in entries)
    return is_server_side or ignores


RULE = Rule(
    code="GIT020",
    name="default-of-definition-out-of-sync",
    severity=Severity.INFO,
    summary="An Application of the GPU Operator compares ClusterPolicy regardless of a default of its definition.",
    help="With ServerSideApply=true, Argo CD before 3.6 compares by the owners of fields, regardless of defaults in "
    "definitions. The API server adds cdi.default: false to every ClusterPolicy, and the chart no longer writes "
    "it. Argo CD was reported to show the difference indefinitely. NVIDIA keeps the default, and recommends to "
    "compare on the server, which does not depend on who set the field.",
    sources=(
        "https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/",
        "https://github.com/argoproj/argo-cd/blob/v3.6.1/docs/operator-manual/upgrading/3.5-3.6.md",
        "https://github.com/NVIDIA/gpu-operator/issues/2795",
        "https://github.com/NVIDIA/gpu-operator/pull/2866",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/api/nvidia/v1/clusterpolicy_types.go",
    ),
    facts=("features/policy-without-cdi-default", "features/server-side-diff"),
    check=_check,
)
