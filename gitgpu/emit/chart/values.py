"""Values of the Helm charts that must differ from the defaults of the chart: the same for Flux and for Argo CD."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.emit.chart.counters import config_map_name, csv, settings
from gitgpu.emit.chart.discovery import feature_discovery, own_discovery
from gitgpu.emit.chart.drivers import settings as driver_settings
from gitgpu.emit.chart.kueue import kueue_values
from gitgpu.emit.chart.mig_layouts import mig_values
from gitgpu.emit.chart.sharing import plugin_configs
from gitgpu.emit.emitter import Body, environment, on_pools, tolerations
from gitgpu.plan.decided.charts import Adapter, AdapterRule, Chart
from gitgpu.plan.decided.claims import DraDriver
from gitgpu.plan.decided.cluster import ClusterPlan, Operator

# The node installs AMD's driver itself, and gitgpu writes the DeviceConfig. So there are no kernel modules to manage
# (only that needs cert-manager). Karpenter replaces unhealthy nodes, so no workflow engine has to repair them.
AMD: Body = {
    "crds": {"defaultCR": {"install": False}},
    "kmm": {"enabled": False, "watch": False},
    "remediation": {"enabled": False, "installCRDs": False},
}


def charts(plan: ClusterPlan) -> Iterator[tuple[Chart, Body]]:
    """The charts of a cluster and their values."""
    yield from _gpu_charts(plan)
    yield from _workload_charts(plan)


def _gpu_charts(plan: ClusterPlan) -> Iterator[tuple[Chart, Body]]:
    if plan.operator:
        yield plan.operator.chart, _operator(plan.operator) | feature_discovery(plan, plan.operator.chart)
    if plan.amd:
        yield plan.amd.chart, AMD | feature_discovery(plan, plan.amd.chart)
    if plan.fabric:
        yield plan.fabric.chart, feature_discovery(plan, plan.fabric.chart)
    yield from own_discovery(plan)
    if plan.dra:
        yield plan.dra.chart, _dra(plan.dra)


def _workload_charts(plan: ClusterPlan) -> Iterator[tuple[Chart, Body]]:
    if plan.keda:
        yield plan.keda, _keda(plan)
    if plan.queues.chart:
        yield plan.queues.chart, kueue_values(plan.queues)
    if plan.adapter:
        yield plan.adapter.chart, _adapter(plan.adapter)
    if plan.serving.charts:
        yield plan.serving.charts.workspace, _kaito(plan.cluster.name)
        for chart in (plan.serving.charts.ragengine, plan.serving.charts.scaler):
            if chart:
                yield chart, {}


def _kaito(cluster: str) -> Body:
    """KAITO creates no nodes and advertises no GPUs; labels of the pools replace GPU Feature Discovery."""
    return {
        "clusterName": cluster,
        "nodeProvisioner": "byo",
        "featureGates": {"disableNodeAutoProvisioning": True},
        "nvidiaDevicePlugin": {"enabled": False},
        "gpu-feature-discovery": {"nfd": {"enabled": False}, "gfd": {"enabled": False}},
        # KAITO uses local disks only if it knows the size of the node, and it knows only nodes that it has created.
        "localCSIDriver": {"useLocalCSIDriver": False},
    }


def _keda(plan: ClusterPlan) -> Body:
    """Workload identity, if a trigger uses one. Each trigger names its identity; the chart sets the default."""
    reader = plan.cluster.stack.metrics.reader
    if reader:
        return {"podIdentity": {"azureWorkload": {"enabled": True, "clientId": reader}}}
    triggers = chain.from_iterable(workload.triggers for workload in plan.workloads)
    if any(trigger.identity for trigger in triggers):
        return {"podIdentity": {"azureWorkload": {"enabled": True}}}
    return {}


def _adapter(adapter: Adapter) -> Body:
    """The URL includes the port. The default rules of the chart are off: they would query metrics of all containers."""
    rules = list(map(_adapter_rule, adapter.rules))
    return {"prometheus": {"url": adapter.server, "port": ""}, "rules": {"default": False, "custom": rules}}


def _adapter_rule(rule: AdapterRule) -> Body:
    overrides = {name: {"resource": name} for name in ("namespace", "pod")}
    return {
        "seriesQuery": rule.series,
        "resources": {"overrides": overrides},
        "name": {"as": rule.name},
        "metricsQuery": rule.query,
    }


def _operator(operator: Operator) -> Body:
    values: Body = {
        "daemonsets": {"tolerations": tolerations(operator.placement.tolerations)},
        "dcgmExporter": _exporter(operator),
        "toolkit": {"env": environment(operator.toolkit)},
    }
    driver = driver_settings(direct=operator.direct, claimed=operator.claimed)
    if operator.partitioning:
        values |= mig_values(operator.partitioning)
    if operator.driver_objects:
        driver["nvidiaDriverCRD"] = {"enabled": True, **({} if operator.fallback else {"deployDefaultCR": False})}
    if operator.claimed:
        values["devicePlugin"] = {"enabled": False}
    elif operator.configs:
        values["devicePlugin"] = {
            "config": {
                "name": "device-plugin-config",
                "create": True,
                "default": "default",
                "data": plugin_configs(operator.configs),
            }
        }
    return values | ({"driver": driver} if driver else {})


def _dra(driver: DraDriver) -> Body:
    """The values of the DRA driver; affinity to the pools replaces the chart's, which needs Node Feature Discovery."""
    plugin: Body = {
        "affinity": on_pools(driver.placement.pools),
        "tolerations": tolerations(driver.placement.tolerations),
    }
    if driver.labels:
        plugin["nodeSelector"] = dict(driver.labels)
    return {
        "nvidiaDriverRoot": driver.root,
        "gpuResourcesEnabledOverride": True,
        "resources": {"gpus": {"enabled": True}, "computeDomains": {"enabled": driver.compute_domains}},
        "kubeletPlugin": plugin,
    }


def _exporter(operator: Operator) -> Body:
    if not operator.counters:
        return {"enabled": False}
    config = {
        "name": config_map_name("gpu-counters", operator.counters),
        "create": True,
        "data": csv(operator.counters),
    }
    env = environment(settings(operator.interval, shared=operator.shared))
    return {"config": config, "env": env, "serviceMonitor": {"enabled": False}}
