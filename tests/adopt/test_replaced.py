"""Running software in whose place the overlays have other objects: what an import says about the handover."""

import json

import pytest

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.adopt.first_build.software_change import Effect
from gitgpu.adopt.replaced import Replaced
from gitgpu.report.findings import Style
from gitgpu.report.import_formats import render_import
from gitgpu.runs.import_ import import_fleet
from tests.adopt.inventories import inventory

NODES = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: gpu}
spec: {imageFamily: Ubuntu2204, osDiskSizeGB: 256}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  limits: {"nvidia.com/gpu": "8"}
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements:
      - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
"""
OPTED_OUT = NODES.replace(
    "template:\n", 'template:\n    metadata: {labels: {nvidia.com/gpu.deploy.operands: "false"}}\n'
)
PLUGIN = """
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: PLUGIN, namespace: kube-system}
spec:
  selector: {matchLabels: {name: plugin}}
  template:
    metadata: {labels: {name: plugin}}
    spec:
      tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]
      containers:
      - name: ctr
        image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
        volumeMounts: [{name: dp, mountPath: /var/lib/kubelet/device-plugins}]
      volumes: [{name: dp, hostPath: {path: /var/lib/kubelet/device-plugins}}]
"""
KEDA = """
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: keda, namespace: keda}
spec:
  interval: 1h
  chart: {spec: {chart: keda, version: 2.20.2, sourceRef: {kind: HelmRepository, name: kedacore}}}
"""
APPLICATION = """
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: keda, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://kedacore.github.io/charts", chart: keda, targetRevision: 2.20.2}
  destination: {name: prod, namespace: keda}
"""


def replaced(text: str) -> tuple[Replaced, ...]:
    """What the import of a cluster replaces."""
    options = ClusterOptions(region="swedencentral")
    return import_fleet(inventory({"prod": OPTED_OUT + text}), options, (), "fleet").replaced


def test_a_device_plugin_under_another_name_is_removed_first() -> None:
    [entry] = replaced(PLUGIN)
    assert entry.by == "DaemonSet/gpu-resources/nvidia-device-plugin"
    remove, apply = entry.steps
    assert remove.endswith("kubectl delete daemonset PLUGIN --namespace kube-system")
    assert "running pods keep their GPUs" in apply


def test_several_daemon_sets_replace_one_on_pools_without_a_label_in_common() -> None:
    pools = NODES.replace('    metadata: {labels: {nvidia.com/gpu.deploy.operands: "false"}}\n', "")
    other = pools.partition("---\n")[2].replace("name: a100", "name: other")
    read = inventory({"prod": f"{pools}---\n{other}{PLUGIN}"})
    [entry] = import_fleet(read, ClusterOptions(region="swedencentral"), (), "fleet").replaced
    own = "DaemonSet/gpu-resources/nvidia-device-plugin-pool"
    assert entry.by == f"{own}-a100 and {own}-other"


def test_an_object_that_keeps_its_name_is_not_replaced() -> None:
    named = PLUGIN.replace("PLUGIN", "nvidia-device-plugin").replace("kube-system", "gpu-resources")
    named = named.replace("{name: plugin}", "{app.kubernetes.io/name: nvidia-device-plugin}")
    assert replaced(named) == ()
    assert (
        replaced(
            KEDA.replace("namespace: keda}", "namespace: flux-system}\n").replace(
                "spec:\n", "spec:\n  releaseName: keda\n  targetNamespace: keda\n  storageNamespace: keda\n"
            )
        )
        == ()
    )


def test_a_helm_release_is_suspended_before_it_is_deleted() -> None:
    """Deleted at once, it uninstalls the release that the new object upgrades."""
    [entry] = replaced(KEDA)
    assert entry.by == "HelmRelease/flux-system/keda"
    suspend, delete, apply = entry.steps
    assert (
        """kubectl patch helmrelease keda --namespace keda --type merge --patch '{"spec":{"suspend":true}}'"""
        in suspend
    )
    assert "kubectl delete helmrelease keda --namespace keda" in delete
    assert "the same release of Helm" in apply


@pytest.mark.parametrize("change", ["releaseName: scaler", "targetNamespace: scalers\n  storageNamespace: scalers"])
def test_another_release_of_helm_is_uninstalled(change: str) -> None:
    text = NODES + KEDA.replace("  interval", f"  {change}\n  interval")
    made = import_fleet(inventory({"prod": text}), ClusterOptions(region="swedencentral"), (), "fleet")
    [entry] = made.replaced
    assert [each.effect for each in made.software if each.title == "HelmRelease/keda"] == [Effect.REPLACED]
    uninstall, apply = entry.steps
    assert uninstall.endswith("kubectl delete helmrelease keda --namespace keda")
    assert "install release keda in namespace keda" in apply


def test_an_application_is_deleted_without_its_objects() -> None:
    [entry] = replaced(APPLICATION)
    assert any("--cascade=false" in step for step in entry.steps)


def test_an_application_with_several_sources_is_replaced_by_that_of_its_chart() -> None:
    """And not by the Application of the fleet, which installs no chart."""
    _, marker, after = APPLICATION.partition("  source: ")
    assert marker
    source = after.partition("\n")[0]
    values = "{repoURL: https://github.com/contoso/values, ref: values, targetRevision: main}"
    several = APPLICATION.replace(f"  source: {source}", f"  sources: [{values}, {source}]")
    [entry] = replaced(several)
    assert entry == replaced(APPLICATION)[0]._replace(observed=entry.observed)


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_every_report_has_the_steps(form: str) -> None:
    options = ClusterOptions(region="swedencentral")
    report = import_fleet(inventory({"prod": NODES + KEDA}), options, (), "fleet").report()
    text = render_import(report, form, Style(colour=False))
    assert "kubectl delete helmrelease keda" in text
    if form == "json":
        assert [entry["by"] for entry in json.loads(text)["replaced"]] == ["HelmRelease/flux-system/keda"]
    else:
        assert "Replaced: remove these" in text


@pytest.mark.parametrize("label", ["name", "app.kubernetes.io/name"])
def test_a_daemonset_of_the_same_name_with_another_selector_is_removed_first(label: str) -> None:
    """The API server rejects an update of a selector, so the layer would never be applied."""
    own = "nvidia-device-plugin"
    text = OPTED_OUT + PLUGIN.replace("PLUGIN", own).replace("kube-system", "gpu-resources")
    text = text.replace("{name: plugin}", f"{{{label}: {own}}}")
    made = import_fleet(inventory({"prod": text}), ClusterOptions(region="swedencentral"), (), "fleet")
    changes = [change for change in made.software if change.title.endswith(f"/{own}") or change.title.endswith(own)]
    if label != "name":
        assert made.replaced == ()
        assert [change.effect for change in changes] != [Effect.REPLACED]
        return
    [entry] = made.replaced
    assert entry.by == f"DaemonSet/gpu-resources/{own} with another selector"
    assert entry.steps[0].endswith(f"kubectl delete daemonset {own} --namespace gpu-resources")
    assert entry.steps[1].startswith("apply the overlays immediately; running pods keep their GPUs")
    assert [change.effect for change in changes] == [Effect.REPLACED]
    assert "the API server does not change its selector" in changes[0].reason


def test_what_several_clusters_remove_is_shown_once() -> None:
    text = OPTED_OUT + PLUGIN
    made = import_fleet(inventory({"east": text, "west": text}), ClusterOptions(region="swedencentral"), (), "fleet")
    shown = render_import(made.report(), "text", Style())
    assert shown.count("kubectl delete daemonset PLUGIN --namespace kube-system") == 1
    assert "DaemonSet/gpu-resources/nvidia-device-plugin takes its place, on each of 2 clusters\n" in shown
