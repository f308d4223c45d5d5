"""The Applications of Argo CD: one for all layers, and one for each chart.

All layers are sources of one Application, because sync waves only order objects within an Application. Health checks of
kinds that Argo CD does not know are a component for the owner of argocd-cm.
"""

from collections.abc import Collection, Iterator

from gitgpu.emit.chart.releases import releases, with_values
from gitgpu.emit.delivery.argo_health import SCRIPTS
from gitgpu.emit.delivery.layers import layers
from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest, Role
from gitgpu.model.names.annotations import COMPARE_OPTIONS_ANNOTATION
from gitgpu.model.names.groups import API_EXTENSIONS_GROUP
from gitgpu.model.names.kinds import APPLICATION, CUSTOM_RESOURCE_DEFINITION
from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.cluster import ClusterPlan

API = "argoproj.io/v1alpha1"
VALUES = ("spec", "source", "helm", "valuesObject")
# A CRD of a chart can be too large for the annotation of a client-side apply. On a new cluster, the kinds that charts
# define do not exist yet when Argo CD checks all objects in a dry run.
OPTIONS = ["ServerSideApply=true", "SkipDryRunOnMissingResource=true"]
# What Argo CD and its owner write into a definition; the rest is its name.
IGNORED = ["/metadata/annotations", "/metadata/labels", "/spec"]
# The definition of ClusterPolicy adds a default that the chart omits. Argo CD can show it as a difference.
COMPARED_ON_SERVER = {COMPARE_OPTIONS_ANNOTATION: "ServerSideDiff=true"}


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The Applications of a cluster that Argo CD serves."""
    if plan.cluster.delivery.engine == "argocd" and layers(plan):  # it rejects an Application without sources
        yield Manifest(plan.cluster.name, Layer.SYNC, _layers(plan), plan.mark)
        charts = {release.chart.name for release in releases(plan)}
        for release in releases(plan):
            body = _chart(plan, release.chart, release.values)
            _leave_to_owners(body, release.chart, charts)
            manifest = Manifest(plan.cluster.name, Layer.SYNC, body, plan.mark, rows=release.chart.rows)
            yield with_values(manifest, release, VALUES)
        yield Manifest(plan.cluster.name, Layer.SYNC, _health(), plan.mark, Role.PATCH, "argocd-cm")


def _layers(plan: ClusterPlan) -> Body:
    delivery = plan.cluster.delivery
    folder = f"{delivery.path}/{plan.cluster.name}"
    source = {"repoURL": delivery.repository, "targetRevision": delivery.revision}
    sources = [{**source, "path": f"{folder}/{layer}"} for layer in layers(plan)]
    return _application(plan, f"{plan.fleet}-{plan.cluster.name}", "", {"sources": sources})


def _chart(plan: ClusterPlan, chart: Chart, values: Body) -> Body:
    """The name contains a dot, which no name of a cluster does, so no other cluster's Application can have it."""
    helm: Body = {"releaseName": chart.helm_release, "valuesObject": values}
    if not chart.definitions:
        helm["skipCrds"] = True
    source = {
        "repoURL": chart.repository.removeprefix("oci://"),
        "chart": chart.name,
        "targetRevision": chart.version,
        "helm": helm,
    }
    body = _application(plan, f"{plan.fleet}-{plan.cluster.name}.{chart.release}", chart.namespace, {"source": source})
    if plan.operator and chart.release == plan.operator.chart.release:
        body["metadata"]["annotations"] = COMPARED_ON_SERVER
    return body


def _leave_to_owners(body: Body, chart: Chart, charts: Collection[str]) -> None:
    """Ignores differences in definitions that the Application of another chart owns.

    Two Applications with different copies of a definition else overwrite each other forever. Without the definition in
    one of them, Argo CD could prune it, and with it all objects of the kind.
    """
    names = [definition for definition, owner in chart.shared.items() if owner in charts]
    if names:
        definition = {"group": API_EXTENSIONS_GROUP, "kind": CUSTOM_RESOURCE_DEFINITION.kind}
        body["spec"]["ignoreDifferences"] = [{**definition, "name": name, "jsonPointers": IGNORED} for name in names]
        body["spec"]["syncPolicy"]["syncOptions"] = [*OPTIONS, "RespectIgnoreDifferences=true"]


def _application(plan: ClusterPlan, name: str, namespace: str, sources: Body) -> Body:
    delivery = plan.cluster.delivery
    destination = {"name": delivery.destination or plan.cluster.name}
    if namespace:
        destination["namespace"] = namespace
    spec = {"project": "default", **sources, "destination": destination, "syncPolicy": _sync_policy()}
    return {
        "apiVersion": API,
        "kind": APPLICATION.kind,
        "metadata": {"name": name, "namespace": delivery.namespace},
        "spec": spec,
    }


def _sync_policy() -> Body:
    return {
        "automated": {"prune": True, "selfHeal": True},
        "syncOptions": OPTIONS,
        "retry": {
            # With the delays below, the tenth retry is 65 minutes after the first failure. The fifth is after 15, when
            # controllers may still be starting. After the last, Argo CD waits for another commit.
            "limit": 10,
            "refresh": True,  # else every retry applies the revision that failed, and a fix has to wait for the last
            "backoff": {"duration": "30s", "factor": 2, "maxDuration": "10m"},
        },
    }


def _health() -> Body:
    """Without a namespace, as in Argo CD's own manifests: a patch with a namespace would not match them."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "argocd-cm"}, "data": dict(SCRIPTS)}


EMITTER = Emitter("Argo CD", emit)
