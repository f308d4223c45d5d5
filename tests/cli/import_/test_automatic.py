"""An AKS Automatic cluster: its fleet has only what the cluster accepts, or says what is left to fill in."""

import json
from pathlib import Path

from tests.cli.conftest import KNOWN, Run
from tests.cli.import_.test_exports_of_one_cluster import ID, show
from tests.runs.test_import import POOL

SPEC = Path("fleet/clusters/prod-swc/cluster.yaml")
MANAGED = "  tags: {EnableManagedGPUExperience: 'true'}\n"
FLUX = """apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: %s}
spec: {interval: 1m, url: https://github.com/acme/platform}
"""


def automatic(pools: str = POOL, flux: str = "") -> None:
    """The output of az aks show and NodePools, in the current directory."""
    body = json.loads(show("prod-swc", "Auto")) | {"sku": {"name": "Automatic", "tier": "Standard"}}
    Path("show.json").write_text(json.dumps(body | {"agentPoolProfiles": []}), encoding="utf-8")
    Path("pools.yaml").write_text(pools + (f"---\n{FLUX % flux}" if flux else ""), encoding="utf-8")


def filled_in(fill_in: dict[str, tuple[str, str]]) -> None:
    """Removes each TODO of the Cluster, and writes a value in place of that on the next line if there is one."""
    lines = SPEC.read_text(encoding="utf-8").splitlines(keepends=True)
    for words, (old, new) in fill_in.items():
        [number] = [number for number, line in enumerate(lines) if "# TODO: " in line and words in line]
        del lines[number]
        assert old in "".join(lines[number:]), old
        lines[number:] = "".join(lines[number:]).replace(old, new, 1).splitlines(keepends=True)
    SPEC.write_text("".join(lines), encoding="utf-8")


NAMESPACE = ("namespace: gitops", "namespace: delivery")


def safeguards(*namespaces: str) -> str:
    """The output of `az aks safeguards show`."""
    own = f"{ID}/providers/Microsoft.ContainerService/deploymentSafeguards/default"
    properties = {"level": "Enforce", "systemExcludedNamespaces": ["kube-system"]}
    properties |= {"excludedNamespaces": [*namespaces]} if namespaces else {}
    kind = "Microsoft.ContainerService/deploymentSafeguards"
    return json.dumps({"id": own, "name": "default", "type": kind, "properties": properties})


def excluded(*namespaces: str) -> None:
    Path("safeguards.json").write_text(safeguards(*namespaces), encoding="utf-8")


def plugin(namespace: str) -> str:
    """The end of a file: a DaemonSet that runs NVIDIA's device plugin."""
    return f"""---
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: plugin, namespace: {namespace}}}
spec:
  selector: {{matchLabels: {{app: plugin}}}}
  template:
    metadata: {{labels: {{app: plugin}}}}
    spec:
      tolerations: [{{operator: Exists}}]
      containers: [{{name: plugin, image: "nvcr.io/nvidia/k8s-device-plugin:v0.19.3"}}]
      volumes: [{{name: sockets, hostPath: {{path: /var/lib/kubelet/device-plugins}}}}]
"""


def operated() -> str:
    """A pool without AKS's driver, and the GPU Operator."""
    return f"""{POOL.replace("  osDiskSizeGB", "  gpu: {mode: None}" + chr(10) + "  osDiskSizeGB", 1)}---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {{name: nvidia, namespace: gpu-operator}}
spec: {{url: "https://helm.ngc.nvidia.com/nvidia"}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: gpu-operator, namespace: gpu-operator}}
spec:
  interval: 1h
  chart: {{spec: {{chart: gpu-operator, version: v26.7.0, sourceRef: {{kind: HelmRepository, name: nvidia}}}}}}
  values: {{daemonsets: {{tolerations: [{{operator: Exists}}]}}}}
"""


def todos() -> list[str]:
    lines = SPEC.read_text(encoding="utf-8").splitlines()
    return [line.partition("the input does not contain ")[2].partition(":")[0] for line in lines if "# TODO: " in line]


def test_an_unknown_owner_of_the_gpu_software_has_to_be_filled_in(run: Run) -> None:
    automatic()
    ran = run("import", ".", *KNOWN)
    assert ran.code == 1
    assert "another owner" not in ran.out
    head, _, rest = ran.out.partition("Fill in:")[2].partition("Adopted:")
    assert rest
    assert "a namespace that AKS Automatic lets Flux write to" in head
    assert "Cluster prod-swc spec.stack.driver: the input does not contain the owner of the GPU software: " in head
    assert "spec.stack.driver" not in rest
    assert todos() == ["a namespace that AKS Automatic lets Flux write to", "the owner of the GPU software"]
    assert "AUT0" not in ran.out + ran.err
    built = run("build", "fleet")
    assert built.code == 0
    assert "warning[IMP014] a namespace that AKS Automatic lets Flux write to is a placeholder" in built.out
    assert "warning[IMP014] the owner of the GPU software is a placeholder" in built.out
    filled_in({"lets Flux write": NAMESPACE, "the owner": ("driver: aks-only", "driver: managed")})
    built = run("build", "fleet")
    assert built.code == 0
    assert "IMP014" not in built.out


def test_the_unknown_owner_of_a_single_pool_has_to_be_filled_in(run: Run) -> None:
    managed = POOL.replace("  osDiskSizeGB", f"{MANAGED}  osDiskSizeGB", 1)
    more = managed.partition("---")[0].replace("name: gpu", "name: more")
    own = POOL.replace("name: gpu", "name: own").replace("name: shared", "name: plain")
    automatic(f"{managed}---\n{more}---\n{own}")
    ran = run("import", ".", *KNOWN)
    text = Path("fleet/clusters/prod-swc/pools/own.yaml").read_text(encoding="utf-8")
    assert "  # TODO: the input does not contain the owner of the GPU software: " in text
    assert "driver: aks-only" in text
    assert "GpuPool own spec.driver: the input does not contain the owner" in ran.out
    assert todos() == ["a namespace that AKS Automatic lets Flux write to"]


def test_a_device_plugin_is_the_owner(run: Run) -> None:
    automatic(POOL + plugin("nvidia"))
    ran = run("import", ".", *KNOWN)
    assert "driver: aks-only" in SPEC.read_text(encoding="utf-8")
    assert todos() == ["a namespace that AKS Automatic lets Flux write to"]
    assert "DaemonSet plugin advertises the GPUs, and AKS Automatic rejects gitgpu's device plugin" in ran.out


def test_a_device_plugin_in_the_namespace_of_gitgpu_shows_that_it_is_excluded(run: Run) -> None:
    automatic(POOL + plugin("gpu-resources"))
    run("import", ".", *KNOWN)
    text = SPEC.read_text(encoding="utf-8")
    assert "driver:" not in text
    assert "  safeguards:\n    excludedNamespaces: [gpu-resources]" in text
    assert todos() == ["the excluded namespaces", "a namespace that AKS Automatic lets Flux write to"]
    same = ("gpu-resources", "gpu-resources")
    filled_in({"lets Flux write": NAMESPACE, "the excluded namespaces": same})
    built = run("build", "fleet")
    assert built.code == 0
    assert "IMP014" not in built.out


def test_excluded_namespaces_are_read(run: Run) -> None:
    automatic(POOL + plugin("gpu-resources"))
    excluded("gpu-resources", "team-a")
    run("import", ".", *KNOWN)
    text = SPEC.read_text(encoding="utf-8")
    assert "  safeguards:\n    excludedNamespaces: [gpu-resources, team-a]" in text
    assert "driver:" not in text
    assert todos() == ["a namespace that AKS Automatic lets Flux write to"]
    assert run("build", "fleet").code == 0


def test_no_excluded_namespace(run: Run) -> None:
    automatic(POOL + plugin("gpu-resources"))
    excluded()
    run("import", ".", *KNOWN)
    assert "driver: aks-only" in SPEC.read_text(encoding="utf-8")
    assert "safeguards:" not in SPEC.read_text(encoding="utf-8")
    assert run("build", "fleet").code == 0


def test_the_gpu_operator_needs_an_excluded_namespace(run: Run) -> None:
    automatic(operated())
    ran = run("import", ".", *KNOWN)
    text = SPEC.read_text(encoding="utf-8")
    assert "driver: operator" in text
    assert "  safeguards:\n    excludedNamespaces: [gpu-operator" in text
    assert todos() == ["the excluded namespaces", "a namespace that AKS Automatic lets Flux write to"]
    assert "AKS Automatic accepts the operator for the GPUs" in ran.out
    filled_in({"lets Flux write": NAMESPACE, "the excluded namespaces": ("[gpu-operator", "[gpu-operator")})
    built = run("build", "fleet")
    assert built.code == 0, built.out
    assert "IMP014" not in built.out


def test_the_gpu_operator_in_an_excluded_namespace(run: Run) -> None:
    automatic(operated())
    excluded("gpu-operator", "gpu-resources")
    run("import", ".", *KNOWN)
    assert "driver: operator" in SPEC.read_text(encoding="utf-8")
    assert todos() == ["a namespace that AKS Automatic lets Flux write to"]
    assert run("build", "fleet").code == 0


def test_a_gpu_operator_that_cannot_run_stays_as_it_is(run: Run) -> None:
    automatic(operated())
    excluded("team-a")
    ran = run("import", ".", *KNOWN)
    text = SPEC.read_text(encoding="utf-8")
    assert "driver: none" in text
    assert "AKS Automatic rejects the pods of" in ran.out
    assert "gpu-operator is not excluded from its safeguards" in ran.out
    assert run("build", "fleet").code == 0


def test_the_namespace_of_flux_objects_in_the_input(run: Run) -> None:
    automatic(flux="delivery")
    assert "a namespace that" not in run("import", ".", *KNOWN).out
    assert "namespace: delivery" in SPEC.read_text(encoding="utf-8")
    assert run("build", "fleet").code == 0


def test_a_protected_namespace_is_not_kept(run: Run) -> None:
    automatic(flux="flux-system")
    assert "a namespace that AKS Automatic lets Flux write to" in run("import", ".", *KNOWN).out


def test_nodes_that_aks_manages(run: Run) -> None:
    automatic(POOL.replace("  osDiskSizeGB", f"{MANAGED}  osDiskSizeGB", 1))
    run("import", ".", *KNOWN)
    text = SPEC.read_text(encoding="utf-8")
    assert "driver: managed" in text
    assert "aks-only" not in text
    assert run("build", "fleet").code == 0
