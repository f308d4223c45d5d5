"""How the device plugin gets its configuration: files, keys, names and namespaces."""

from typing import Any

from gitgpu.load.parse.quick import mapping_in
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.rule import FAILED
from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, conformed, read, shared_norms

CONFIG = """
apiVersion: v1
kind: ConfigMap
metadata: {{name: sharing, namespace: {namespace}}}
data:
  any: |
    version: v1
    {body}
---
"""
OPERATOR = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: {chart}, namespace: gpu}}
spec:
  interval: 1h
  chart: {{spec: {{chart: {chart}, version: {version}, sourceRef: {{kind: HelmRepository, name: nvidia}}}}}}
  values: {values}
---
"""
PLUGIN = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: plugin, namespace: gpu}}
spec:
  selector: {{matchLabels: {{app: plugin}}}}
  template:
    metadata: {{labels: {{app: plugin}}}}
    spec:
      containers: [{{name: plugin, image: "{image}", {more}}}]
      volumes:
      - {{name: config, configMap: {{name: sharing}}}}
      - {{name: sockets, hostPath: {{path: /var/lib/kubelet/device-plugins}}}}
---
"""
IMAGE = "nvcr.io/nvidia/k8s-device-plugin:v0.20.0"
MPS = "sharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}"
SLICED = "sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}"


def reported(text: str, code: str) -> list[tuple[str, str]]:
    """The message and remedy of the findings of one rule."""
    return [
        (finding.message, finding.help)
        for finding in object_findings(read(text), KUBERNETES, shared_norms())
        if finding.code == code
    ]


def release(values: str, chart: str = "gpu-operator", version: str = "v26.7.0") -> str:
    """A HelmRelease with these values."""
    return OPERATOR.format(chart=chart, version=version, values=values)


def config(body: str, namespace: str = "gpu") -> str:
    """A ConfigMap with a configuration."""
    return CONFIG.format(body=body, namespace=namespace)


@for_each(
    ("body", "place", "remedy"),
    [
        ("{flags: {renameByDefault: true}, sharing: {timeSlicing: {resources: []}}}", "flags.renameByDefault",
         "move it to sharing.timeSlicing"),
        ("{flags: {failRequestsGreaterThanOne: true}, sharing: {mps: {resources: []}}}",
         "flags.failRequestsGreaterThanOne", "move it to sharing.mps"),
        ("{migStrategy: single, sharing: {mps: {}}}", "migStrategy", "move it to flags"),
        ("{flags: {deviceListStrategy: envvar, migStrategy: none}}", "flags.deviceListStrategy",
         "move it to flags.plugin"),
        ("{sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replica: 4}]}}}",
         "sharing.timeSlicing.resources[0].replica", "use replicas"),
        ("{sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4, renameByDefault: true}]}}}",
         "sharing.timeSlicing.resources[0].renameByDefault", "move it to sharing.timeSlicing"),
        ("{sharing: {timeSlicing: {replicas: 4, resources: []}}}", "sharing.timeSlicing.replicas",
         "move it into an entry of resources"),
        ("{flags: {timeSlicing: {resources: []}}}", "flags.timeSlicing", "rename it to sharing.timeSlicing"),
        ("{flags: {sharing: {timeSlicing: {resources: []}}}}", "flags.sharing", "move it to the top level"),
        ("{flags: {plugin: {sharing: {mps: {resources: []}}}}}", "flags.plugin.sharing", "move it to the top level"),
        ("{flags: {Plugin: {sharing: {mps: {resources: []}}}}}", "flags.plugin.sharing", "move it to the top level"),
    ],
)  # fmt: skip
def test_a_key_in_the_wrong_place(body: str, place: str, remedy: str) -> None:
    text = config("").replace("version: v1\n    ", body)
    assert reported(text, "SHR017") == [(f"configuration any: the device plugin does not read {place}", remedy)]


@for_each(
    "body",
    [
        "{version: v1, flags: {MigStrategy: none, plugin: {deviceidstrategy: uuid}}, sharing: {timeSlicing: {}}}",
        "{flags: {migStrategy: none, gfd: {oneshot: false}}, imex: {required: true}}",
        "{sharing: {mps: {failRequestsGreaterThanOne: false, resources: [{name: a, devices: all, replicas: 2}]}}}",
        "{sharing: 3, flags: [], mps: }",
    ],
)
def test_keys_in_any_case_and_odd_shapes_are_not_reported(body: str) -> None:
    text = config("").replace("version: v1\n    ", body)
    assert [finding for finding in reported(text, "SHR017") if "mps" not in finding[0]] == []


def plugin(more: str, image: str = IMAGE) -> str:
    """A DaemonSet with a device plugin."""
    return PLUGIN.format(image=image, more=more)


@for_each(
    ("more", "body", "count"),
    [
        ("env: [{name: CONFIG_FILE, value: /config/any}]", MPS, 1),
        ("env: [{name: MPS_ROOT, value: /run/nvidia/mps}]", MPS, 0),
        ("args: [--mps-root=/run/nvidia/mps]", MPS, 0),
        ("envFrom: [{configMapRef: {name: other}}]", MPS, 0),
        ("env: []", SLICED, 0),
        ("env: []", "{flags: {mpsRoot: /mps}, " + MPS + "}", 0),
        ("env: []", MPS.replace("replicas: 4", "replicas: 1"), 0),
    ],
)
def test_mps_needs_its_root(more: str, body: str, count: int) -> None:
    text = config(body) if not body.startswith("{") else config("").replace("version: v1\n    ", body)
    assert len(reported(text + plugin(more), "SHR018")) == count


def test_the_container_that_selects_the_configuration_does_not_need_the_root() -> None:
    picks = f'      initContainers: [{{name: config-manager-init, image: "{IMAGE}"}}]\n      containers:'
    text = plugin("env: [{name: MPS_ROOT, value: /run/nvidia/mps}]").replace("      containers:", picks)
    assert reported(config(MPS) + text, "SHR018") == []


def test_a_plugin_that_mounts_nothing_shares_nothing() -> None:
    assert reported(config(MPS, namespace="elsewhere") + plugin("env: []"), "SHR018") == []


@for_each(
    ("more", "count"),
    [
        ("envFrom: [{configMapRef: {name: sharing}}]", 1),
        ("env: [{name: CONFIG, valueFrom: {configMapKeyRef: {name: sharing, key: any}}}]", 1),
        ("envFrom: [{configMapRef: {name: proxy}}, {secretRef: {name: sharing}}]", 0),
        ("args: [--config-file=/config/any]", 0),
    ],
)
def test_a_configuration_has_to_be_mounted_as_a_file(more: str, count: int) -> None:
    assert len(reported(config(SLICED) + plugin(more), "SHR019")) == count


@for_each(
    ("values", "chart", "expected"),
    [
        ("{config: {default: a}}", "nvidia-device-plugin", ["config.default is 'a'"]),
        ("{config: {default: a, name: sharing}}", "nvidia-device-plugin", []),
        ("{config: {default: a, map: {a: 'version: v1'}}}", "nvidia-device-plugin", []),
        ("{devicePlugin: {config: {default: a}}}", "gpu-operator", ["devicePlugin.config.default is 'a'"]),
        ("{devicePlugin: {config: {name: sharing, default: a, data: {a: 'version: v1'}}}}", "gpu-operator",
         ["devicePlugin.config.data does not create a ConfigMap"]),
        ("{devicePlugin: {config: {name: sharing, create: true, data: {a: 'version: v1'}}}}", "gpu-operator", []),
        ("{migManager: {config: {name: x, data: {config.yaml: ''}}}}", "gpu-operator",
         ["migManager.config.data does not create a ConfigMap"]),
    ],
)  # fmt: skip
def test_a_default_needs_a_name(values: str, chart: str, expected: list[str]) -> None:
    findings = reported(release(values, chart, "0.20.0" if chart == "nvidia-device-plugin" else "v26.7.0"), "SHR020")
    assert [message.startswith(start) for (message, _), start in zip(findings, expected, strict=True)] == [True] * len(
        findings
    )


def test_a_generated_name_is_not_the_name_of_a_configuration() -> None:
    generated = config(SLICED).replace("name: sharing,", "generateName: sharing-,")
    text = generated + release("{devicePlugin: {config: {default: other}}}")
    assert [fault.code for fault in conformed(text)] == ["SHR020"]


@for_each(
    ("namespaces", "values", "count"),
    [
        (["kube-system"], "{devicePlugin: {config: {name: sharing}}}", 1),
        (["kube-system", "gpu"], "{devicePlugin: {config: {name: sharing}}}", 0),
        ([], "{devicePlugin: {config: {name: sharing}}}", 0),  # the ConfigMap may be elsewhere
        (["kube-system"], "{devicePlugin: {config: {name: sharing, create: true, data: {a: b}}}}", 0),
        (["kube-system"], "{driver: {licensingConfig: {configMapName: sharing}}}", 1),
        (['""'], "{devicePlugin: {config: {name: sharing}}}", 0),
    ],
)
def test_a_config_map_is_in_the_namespace_of_its_pods(namespaces: list[str], values: str, count: int) -> None:
    maps = [config(SLICED, namespace) for namespace in namespaces]
    assert len(reported("".join(maps) + release(values), "STK035")) == count


@for_each(
    ("values", "device_class", "count"),
    [
        ("{resources: {gpus: {enabled: false}}}", "gpu.nvidia.com", 1),
        ("{resources: {gpus: {enabled: false}}}", "mig.nvidia.com", 1),
        ("{resources: {gpus: {enabled: false}}}", "compute-domain-default-channel.nvidia.com", 0),
        ("{gpuResourcesEnabledOverride: true}", "gpu.nvidia.com", 0),
    ],
)
@for_each("chart", [("dra-driver-nvidia-gpu", "0.4.1"), ("nvidia-dra-driver-gpu", "25.12.0")], ids=lambda pair: pair[0])
def test_claims_where_gpus_are_not_published(chart: Any, values: str, device_class: str, count: int) -> None:
    claim = f"""
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: gpu, namespace: research}}
spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: {device_class}}}}}]}}}}
---
"""
    assert len(reported(claim + release(values, *chart), "RSC008")) == count


@for_each(
    ("text", "expected"),
    [
        ("a: 1", {"a": 1}),
        ("8080: 1", {"8080": 1}),
        ("a: 1\na: 2", {}),
        ("a: 1\n---\nb: 2", {}),
        ("[a]", {}),
        ("{{ tpl }}", {}),
        (None, {}),
    ],
)
def test_the_content_of_a_text(text: Any, expected: dict[str, Any]) -> None:
    assert mapping_in(text) == expected


def test_a_daemon_that_looks_its_configuration_up_may_mount_nothing() -> None:
    text, _, _ = plugin(f"env: [{{name: NODE_LABEL, value: {DEVICE_PLUGIN_CONFIG_LABEL}}}]").partition("      volumes:")
    assert FAILED not in {fault.code for fault in conformed(text)}
