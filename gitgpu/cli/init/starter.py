"""The files of a starter fleet."""

from gitgpu.load.read import data_text
from gitgpu.write.git_attributes import NAME as GIT_ATTRIBUTES
from gitgpu.write.git_attributes import attributes

FLEET_SCHEMA, CONFIG_SCHEMA = ".gitgpu/fleet.schema.json", ".gitgpu/config.schema.json"
MODELINE = f"# yaml-language-server: $schema={FLEET_SCHEMA}\n"  # applies to one document, so each has it
_NAMESPACE = "    namespace: gitops  # AKS Automatic lets only AKS write to flux-system\n"
_SKU = "  sku: automatic\n"
_DRIVER = "  driver: managed  # AKS Automatic refuses the privileged DaemonSets of other drivers\n"
STARTER = f"""\
{MODELINE}# A fleet with one cluster and one GPU pool. `gitgpu build` turns it into overlays/.
# `gitgpu explain GpuPool.spec` lists all keys; `gitgpu sku list` shows the sizes.
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata:
  name: my-fleet
spec:
  delivery:
    engine: flux
    repository: https://github.com/example/gpu-fleet
---
{MODELINE}apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata:
  name: my-cluster
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
---
{MODELINE}apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata:
  name: t4
spec:
  clusters: [my-cluster]
  sku: Standard_NC16as_T4_v3
  limits: {{gpus: 2}}
---
{MODELINE}apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata:
  name: hello-gpu
  namespace: default
spec:
  pools: [t4]
  target: {{kind: Job, name: hello-gpu}}
"""
HELLO_GPU = """\
# Proves that a pod gets a GPU: kubectl apply -f hello-gpu
# Its log is the table of nvidia-smi and the result of NVIDIA's sample, which adds two vectors on the GPU.
apiVersion: batch/v1
kind: Job
metadata:
  name: hello-gpu
  namespace: default
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      tolerations:
      - {key: sku, operator: Equal, value: gpu, effect: NoSchedule}  # the taint of GPU nodes
      containers:
      - name: hello-gpu
        image: nvcr.io/nvidia/k8s/cuda-sample:vectoradd-cuda12.5.0
        command: [sh, -c, nvidia-smi && /cuda-samples/vectorAdd]
        resources:
          requests: {cpu: 100m, memory: 256Mi}
          limits: {nvidia.com/gpu: 1}
"""
CONFIG = f"""\
# yaml-language-server: $schema={CONFIG_SCHEMA}
apiVersion: gitgpu.dev/v1alpha1
kind: Config
fleet: [fleet.yaml]
out: overlays
"""
SETTINGS = ".vscode/settings.json"
YAML_SCHEMAS = f"""\
  "yaml.schemas": {{
    "{FLEET_SCHEMA}": ["fleet.yaml", "fleet/**/*.yaml", "fleet/**/*.yml"],
    "{CONFIG_SCHEMA}": ".gitgpu.yaml"
  }}
"""


def _for_automatic(starter: str) -> str:
    """The same fleet on an AKS Automatic cluster."""
    engine, version, limits = "    engine: flux\n", '  kubernetesVersion: "1.36"\n', "  limits: {gpus: 2}\n"
    changed = starter.replace(engine, engine + _NAMESPACE).replace(version, version + _SKU)
    return changed.replace(limits, _DRIVER + limits)


def starter_files(*, automatic: bool, has_settings: bool, has_attributes: bool) -> dict[str, str]:
    """The files of a starter fleet by name, without editor settings and Git attributes that already exist."""
    files = {
        "fleet.yaml": _for_automatic(STARTER) if automatic else STARTER,
        ".gitgpu.yaml": CONFIG,
        "hello-gpu/job.yaml": HELLO_GPU,
        FLEET_SCHEMA: data_text("schemas/fleet.schema.json"),
        CONFIG_SCHEMA: data_text("schemas/config.schema.json"),
    }
    if not has_settings:
        files[SETTINGS] = f"{{\n{YAML_SCHEMAS}}}\n"
    if not has_attributes:
        files[GIT_ATTRIBUTES] = attributes()
    return files
