"""Remedies where something around the finding differs from the example of its rule, such as taints or fractions."""

from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Run
from tests.cli.fleets import write

POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: a100}}
spec:
  disruption: {{consolidationPolicy: WhenEmpty, consolidateAfter: 10m}}
  limits: {{nvidia.com/gpu: {limit}}}
  template:
    spec:
      nodeClassRef: {{group: karpenter.azure.com, kind: AKSNodeClass, name: default}}
      requirements: [{{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}}]
      taints: [{taint}]
"""
PLUGIN = """\
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: nvidia-device-plugin, namespace: gpu}
spec:
  interval: 1h
  chart: {spec: {chart: nvidia-device-plugin, version: 0.20.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
"""


def codes(run: Run, *arguments: str) -> set[str]:
    """The codes that lint prints."""
    out = run("lint", "a.yaml", *arguments).out
    return {word.split("[")[1].split("]")[0] for word in out.split() if word.startswith(("error[", "warning["))}


@pytest.mark.parametrize(
    "taint",
    [
        '{key: nvidia.com/gpu, value: "true", effect: NoSchedule}',
        "{key: nvidia.com/gpu, value: present, effect: NoSchedule}",
        "{key: nvidia.com/gpu, effect: NoSchedule}",
        "{key: nvidia.com/gpu, value: present, effect: NoExecute}",
        "{key: sku, value: gpu, effect: NoSchedule}",
    ],
)
def test_the_values_of_a_remedy_fit_the_taints(run: Run, taint: str) -> None:
    """The worker of Node Feature Discovery in the chart tolerates only nvidia.com/gpu=present:NoSchedule."""
    objects = POOL.format(limit='"8"', taint=taint) + PLUGIN
    values: dict[str, object] = {}
    for _ in range(3):
        write(f"{objects}  values: {values}\n" if values else objects, "a.yaml")
        helps = [line.partition("help: ")[2] for line in run("lint", "a.yaml").out.splitlines() if "help: set " in line]
        if not helps:
            break
        for remedy in helps:
            for step in remedy.partition(", or add the label")[0].removeprefix("set ").split(" and "):
                path, _, value = step.removesuffix(" in HelmRelease nvidia-device-plugin").partition(": ")
                below = values
                *above, last = path.split(".")
                for key in above:
                    below = below.setdefault(key, {})  # type: ignore[assignment]
                below[last] = yaml.load(value, yaml.CSafeLoader)
    assert codes(run) == set()
    assert values["gfd"] == {"enabled": True}


def test_half_a_device_is_not_quoted(run: Run) -> None:
    taint = "{key: nvidia.com/gpu, effect: NoSchedule}"
    write(POOL.format(limit="0.5", taint=taint), "a.yaml")
    before = Path("a.yaml").read_text()
    assert "use a whole number" in run("lint", "a.yaml", "--fix").out
    assert Path("a.yaml").read_text() == before
    write(POOL.format(limit="4, cpu: 0.5", taint=taint), "a.yaml")
    assert "CNF001" not in run("lint", "a.yaml", "--fix").out
    assert 'cpu: "0.5"' in Path("a.yaml").read_text()


def test_an_unknown_key_names_the_release_of_the_schema(run: Run) -> None:
    """A newer release may have it. A misspelled or misplaced key is an error in any case."""
    head = "apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {name: a}\nspec:\n"
    write(f"{head}  nodePublicIP: {{enabled: true}}\n", "a.yaml")
    ran = run("lint", "a.yaml")
    assert (ran.code, "warning[CNF001]" in ran.out) == (0, True)
    assert "unknown key 'nodePublicIP': Karpenter 1." in ran.out
    assert "--crds" in ran.out
    write(f"{head}  imageFamilyy: Ubuntu\n", "a.yaml")
    assert "error[CNF001]" in run("lint", "a.yaml").out


@pytest.mark.parametrize("kind", ["ScaledObject", "ScaledJob"])
def test_no_replicas_are_allowed_before_keda_2_20(run: Run, kind: str) -> None:
    target = (
        "scaleTargetRef: {name: a}"
        if kind == "ScaledObject"
        else "jobTargetRef: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: 'x:1'}]}}}"
    )
    trigger = '{type: cron, metadata: {timezone: UTC, start: 0 6 * * *, end: 0 7 * * *, desiredReplicas: "1"}}'
    spec = f"spec: {{{target}, minReplicaCount: 0, maxReplicaCount: %s, triggers: [{trigger}]}}\n"
    head = f"apiVersion: keda.sh/v1alpha1\nkind: {kind}\nmetadata: {{name: a, namespace: b}}\n"
    write(head + spec % 0, "a.yaml")
    ran = run("lint", "a.yaml")
    assert ran.code == 0
    assert "warning[CNF023] must be a whole number, at least 1; found 0; accepted only before KEDA 2.20" in ran.out
    assert "error[CNF001]" in run("lint", "a.yaml", "--versions", "keda=2.20").out
    write(head + spec % 1, "a.yaml")
    assert run("lint", "a.yaml", "--versions", "keda=2.20", "--select", "CNF").out == ""


def test_a_finding_about_an_agent_pool_is_at_the_key_that_causes_it(run: Run) -> None:
    """Even if the pool has settings in `agentPool`, which have nothing to do with it."""
    cluster = (
        "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg/providers/Microsoft.ContainerService"
    )
    write(
        f"""\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {{name: f}}
spec: {{delivery: {{repository: https://github.com/c/p}}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: c1}}
spec:
  region: eastus
  kubernetesVersion: "1.36"
  provisioner: cluster-autoscaler
  resourceId: {cluster}/managedClusters/c1
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: gb}}
spec:
  clusters: [c1]
  sku: Standard_ND128isr_NDR_GB200_v6
  limits: {{gpus: 8}}
  nodes: {{min: 1}}
  image: {{family: Ubuntu2204, fips: true}}
  agentPool: {{scaleDownMode: Deallocate}}
""",
        "fleet.yaml",
    )
    assert "fleet.yaml:23:37: error[DRV013] the FIPS image of Ubuntu2204 is for amd64 only" in run("build").out


@pytest.mark.parametrize(
    ("spec", "code", "remedy"),
    [
        (
            "tolerations: [{key: kubernetes.azure.com/scaleSetPriority, value: x, effect: NoSchedule}]",
            "POD038",
            "set key: kubernetes.azure.com/scalesetpriority and value: spot",
        ),
        ("volumes: [{name: a, configMap: {}}]", "POD033", "set name in configMap"),
    ],
)
def test_a_remedy_names_everything_that_is_wrong(run: Run, spec: str, code: str, remedy: str) -> None:
    containers = "containers: [{name: main, image: 'x:1', resources: {limits: {nvidia.com/gpu: 1}}}]"
    write(f"apiVersion: v1\nkind: Pod\nmetadata: {{name: a, namespace: b}}\nspec: {{{spec}, {containers}}}\n", "a.yaml")
    out = run("lint", "a.yaml").out
    assert f"[{code}]" in out
    assert f"= help: {remedy}\n" in out


def test_a_fix_does_not_write_a_taint_twice(run: Run) -> None:
    head = "apiVersion: containerservice.azure.com/v1api20250801\nkind: ManagedClustersAgentPool\n"
    spec = "owner: {name: c}, vmSize: Standard_NC24ads_A100_v4, mode: User, count: 1"
    taints = '["sku=gpu:NoSchedule", "sku=gpu:noschedule", "a=b:noexecute"]'
    write(f"{head}metadata: {{name: gpu, namespace: b}}\nspec: {{{spec}, nodeTaints: {taints}}}\n", "a.yaml")
    out = run("lint", "a.yaml", "--fix").out
    assert '"sku=gpu:noschedule", "a=b:NoExecute"' in Path("a.yaml").read_text()
    assert "remove it: the taint is already in the list" in out
