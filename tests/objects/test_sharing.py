"""Whether all nodes of a cluster share their GPUs in the same way, and in which."""

from gitgpu.objects.items import gather, item_of
from gitgpu.objects.software.sharing import sharing
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

SHARED = """
            version: v1
            sharing: {WAY: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}
"""
PLUGIN = f"""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: nvidia-device-plugin, namespace: gpu}}
spec:
  interval: 1h
  chart: {{spec: {{chart: nvidia-device-plugin, version: 0.20.0, sourceRef: {{kind: HelmRepository, name: nvidia}}}}}}
  values:
    config:
      map:
        shared: |{SHARED.replace("WAY", "timeSlicing").rstrip()}
"""
OTHER = f"""        other: |{SHARED.replace("WAY", "mps")}"""
OPERATOR = f"""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: gpu-operator, namespace: gpu-operator}}
spec:
  interval: 1h
  chart: {{spec: {{chart: gpu-operator, version: v26.7.0, sourceRef: {{kind: HelmRepository, name: nvidia}}}}}}
  values:
    devicePlugin:
      config:
        create: true
        name: plugin
        data:
          shared: |{SHARED.replace("WAY", "mps").rstrip()}
"""
DEFAULT = OPERATOR.replace("        name: plugin\n", "        name: plugin\n        default: shared\n")
WITHOUT_CONFIG = OPERATOR.partition("  values:")[0]
OWN_CONFIG = f"""
apiVersion: v1
kind: ConfigMap
metadata: {{name: own, namespace: gpu-operator}}
data:
  shared: |{SHARED.replace("WAY", "mps").rstrip()}
"""
KAITO = """---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kaito-workspace, namespace: kaito}
spec:
  interval: 1h
  chart: {spec: {chart: workspace, version: 0.12.0, sourceRef: {kind: HelmRepository, name: kaito}}}
"""
MANAGED = """---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: managed}
spec: {tags: {EnableManagedGPUExperience: "true"}}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: managed}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: managed}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC16as_T4_v3]}]
"""


@for_each(
    ("text", "ways"),
    [
        (PLUGIN, ["timeSlicing"]),
        (PLUGIN + OTHER, []),  # nodes choose by label, and there is no default
        (PLUGIN.replace("      map:\n", "      default: other\n      map:\n") + OTHER, ["mps", "timeSlicing"]),
        (PLUGIN.replace("nvidia.com/gpu,", "nvidia.com/mig-1g.10gb,"), []),
        (PLUGIN.replace("sharing: {timeSlicing:", "other: {timeSlicing:"), []),
        (PLUGIN.replace("}]}}", "}]}, mps: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}"), []),
        (OPERATOR, []),  # nodes without the label share nothing
        (DEFAULT, ["mps"]),
        (f"{PLUGIN}---{DEFAULT}", []),
        (f"{PLUGIN}---{WITHOUT_CONFIG}", []),
        (
            f"{DEFAULT.partition('        create:')[0]}        name: own\n        default: shared\n---{OWN_CONFIG}",
            ["mps"],
        ),
        (PLUGIN + KAITO, []),
        (PLUGIN + MANAGED, []),
    ],
)
def test_the_one_way_in_which_gpus_are_shared(text: str, ways: list[str]) -> None:
    items = [item_of(given, KUBERNETES, shared_norms())[0] for given in read(text)]
    assert [way for way, _ in sharing(gather(items, KUBERNETES, shared_norms(), closed=True))] == ways
