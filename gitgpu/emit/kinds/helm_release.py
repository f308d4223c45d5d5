"""Charts as Flux installs them: a source and a release, pinned to one version."""

from collections.abc import Iterator

from gitgpu.emit.chart.releases import releases, with_values
from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.groups import FLUX_SOURCE_V1
from gitgpu.model.names.kinds import HELM_RELEASE, HELM_REPOSITORY, OCI_REPOSITORY
from gitgpu.model.spec.delivery import Delivery
from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.registry import Registry

VALUES = ("spec", "values")


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """A source and a HelmRelease for each chart of a cluster that Flux serves."""
    delivery, unwaited = plan.cluster.delivery, _node_releases(plan)
    if delivery.engine != "flux":
        return
    for planned in releases(plan):
        chart = planned.chart
        release = _release(chart, planned.values, delivery, waits=chart.release not in unwaited)
        if plan.discovery and chart.release in plan.discovery.others:  # the chart's rules for it need its kinds
            release["spec"]["dependsOn"] = [{"name": plan.discovery.release}]
        for body in (_source(chart, delivery, plan.registry), release):
            manifest = Manifest(plan.cluster.name, Layer.CONTROLLERS, body, plan.mark, rows=chart.rows)
            yield with_values(manifest, planned, VALUES) if body is release else manifest


def _node_releases(plan: ClusterPlan) -> set[str]:
    """The releases with a DaemonSet on GPU nodes, or with the GPU Operator's policy, which is Ready when these are."""
    # Waiting for a release means waiting for each node: Flux would roll back an upgrade because of one unhealthy node.
    # The policy may even wait for the InfiniBand driver of the next layer. Their webhooks are off, so the objects
    # of the next layer do not need their pods.
    names = {plan.discovery.release} if plan.discovery else set()
    return names | {dra_driver.chart.release for dra_driver in (plan.dra, plan.operator) if dra_driver}


def _source(chart: Chart, delivery: Delivery, registry: Registry) -> Body:
    meta = {"name": chart.release, "namespace": delivery.namespace}
    if not chart.oci:
        spec: Body = {"interval": "24h", "url": chart.repository}
        return {"apiVersion": FLUX_SOURCE_V1, "kind": HELM_REPOSITORY.kind, "metadata": meta, "spec": spec}
    # helm-controller expects the chart as an archive, so Flux must not extract it.
    layer = {"mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip", "operation": "copy"}
    url = f"{chart.repository}/{chart.name}"
    spec = {"interval": "24h", "url": url, "ref": {"tag": chart.version}, "layerSelector": layer}
    if registry.charts:
        spec |= _credentials(registry)
    return {"apiVersion": FLUX_SOURCE_V1, "kind": OCI_REPOSITORY.kind, "metadata": meta, "spec": spec}


def _credentials(registry: Registry) -> Body:
    if registry.secret:
        return {"secretRef": {"name": registry.secret}}
    return {"provider": registry.provider} if registry.provider else {}


def _release(chart: Chart, values: Body, delivery: Delivery, *, waits: bool) -> Body:
    kind = OCI_REPOSITORY.kind if chart.oci else HELM_REPOSITORY.kind
    ref = {"kind": kind, "name": chart.release, "namespace": delivery.namespace}
    pinned = {"chart": chart.name, "version": chart.version, "sourceRef": ref}
    source: Body = {"chartRef": ref} if chart.oci else {"chart": {"spec": pinned}}
    patience: Body = {} if waits else {"disableWait": True}
    rollback: Body = {} if waits else {"rollback": patience}
    # A choice. By default, Flux does not retry: a release that fails once stays failed until it is changed.
    retry = {**patience, "remediation": {"retries": 3}}
    return {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": HELM_RELEASE.kind,
        "metadata": {"name": chart.release, "namespace": delivery.namespace},
        "spec": {
            "interval": "1h",
            "timeout": "15m",  # A choice: three times the default of Flux, for large images
            "releaseName": chart.helm_release,
            "targetNamespace": chart.namespace,
            "storageNamespace": chart.namespace,
            **source,
            "install": {"crds": "Create" if chart.definitions else "Skip", **retry},
            # Helm itself never upgrades CRDs.
            "upgrade": {"crds": "CreateReplace" if chart.definitions else "Skip", **retry},
            **rollback,
            "driftDetection": {"mode": "warn"},
            "values": values,
        },
    }


EMITTER = Emitter(HELM_RELEASE.kind, emit)
