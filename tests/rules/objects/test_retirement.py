"""Every rule uses the same retirement date for a size or tag."""

from dataclasses import replace

import pytest

from gitgpu.rules.object_findings import object_findings
from tests.rules.fleet.examples import CLOCK, findings
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

SIZE = "Standard_NC24s_v3"
AGENT_POOL = """
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: SIZE
  mode: User
  count: 1
  tags: {TAG: "true"}
"""
NODE_CLASS = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: v100}
spec: {tags: {TAG: "true"}}
"""
NODE_POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: v100}
spec:
  limits: {nodes: 4}
  template:
    spec:
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [SIZE]}]
"""
POD = """
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  nodeSelector: {node.kubernetes.io/instance-type: SIZE}
  containers: [{name: main, image: "registry.contoso.com/trainer:1.4.0"}]
"""
POOL = """apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: v100}
spec:
  clusters: [prod-swc]
  sku: SIZE
  limits: {gpus: 8}
  tags: {TAG: "true"}
"""
RETIREMENT_CODES = {"APL002", "APL010", "ANC007", "NPS003", "NPS004", "NPS020", "SCH022", "SKU001", "SKU003"}
EXCLUDED = "Standard_NV12hs_v3"  # excluded by Karpenter; Azure planned to retire it on 2026-09-30
each_object = pytest.mark.parametrize(
    ("text", "codes"),
    [
        (AGENT_POOL, {"APL002", "APL010"}),
        (NODE_CLASS, {"ANC007"}),
        (NODE_POOL, {"NPS003"}),
        (POD, {"NPS020"}),
    ],
    ids=["agent pool", "node class", "NodePool", "pod"],
)


def reported(text: str, today: str) -> set[str]:
    """The retirement codes that are reported about objects on a date."""
    manifests = text.replace("SIZE", SIZE).replace("TAG", "skipGPUDriverInstall")
    diagnostics = object_findings(read(manifests), KUBERNETES, replace(shared_norms(), today=today))
    return {fault.code for fault in diagnostics} & RETIREMENT_CODES


@each_object
def test_a_retired_size_or_tag_is_reported_from_its_date_on(text: str, codes: set[str]) -> None:
    assert reported(text, "2024-01-01") == set()
    assert reported(text, "2025-10-01") == codes
    assert reported(text, "") == codes


@pytest.mark.parametrize(("today", "codes"), [("2024-01-01", set()), ("2025-10-01", {"SKU001", "SCH022"})])
def test_a_fleet_agrees_with_its_objects(today: str, codes: set[str]) -> None:
    text = f"{CLOCK}{today}\n" + POOL.replace("SIZE", SIZE).replace("TAG", "skipGPUDriverInstall")
    assert {fault.code for fault in findings(text)} & RETIREMENT_CODES == codes


@pytest.mark.parametrize(("text", "code"), [(AGENT_POOL, "APL002"), (NODE_POOL, "NPS004"), (POD, "NPS020")])
def test_a_size_that_was_never_offered_is_reported_without_a_date(text: str, code: str) -> None:
    assert code in reported(text.replace("SIZE", "Standard_NCads_A100_v4"), "2024-01-01")


@pytest.mark.parametrize(
    ("today", "codes"), [("2026-01-01", {"SKU004", "NPS005"}), ("2026-10-01", {"SKU001", "NPS003"})]
)
def test_a_size_that_karpenter_excludes_is_reported_as_such_until_it_retires(today: str, codes: set[str]) -> None:
    objects = object_findings(
        read(NODE_POOL.replace("SIZE", EXCLUDED)), KUBERNETES, replace(shared_norms(), today=today)
    )
    fleet = findings(f"{CLOCK}{today}\n" + POOL.replace("SIZE", EXCLUDED).replace("TAG", "team"))
    reported_codes = {fault.code for fault in (*objects, *fleet)}
    assert reported_codes & {"SKU001", "SKU004", "NPS003", "NPS005"} == codes
