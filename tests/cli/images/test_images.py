"""The list that `gitgpu images` prints, and its commands for copying."""

import json
import re
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Run
from tests.cli.fleets import SOUND, write

REGISTRY = "registry: {mirror: contoso.azurecr.io/mirror, charts: oci://contoso.azurecr.io/charts}"
TEXT = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso-ai}
spec:
  delivery: {repository: https://github.com/contoso/gpu-fleet}
  REGISTRY
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {driver: operator}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-eus}
spec: {region: eastus, kubernetesVersion: "1.33"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [prod-swc, prod-eus], sku: Standard_NC16as_T4_v3, limits: {gpus: 4}}
"""
TUNED = """T4_v3, limits: {gpus: 4}, image: {osDiskGB: 256}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: tone, namespace: serving}
spec:
  pools: [t4]
  tuning:
    preset: phi-4-mini-instruct
    method: qlora
    input: {urls: [https://example.com/data.parquet]}
    output: {image: contoso.azurecr.io/tone:1, pushSecret: registry}
"""
PLAIN = TEXT.replace("  REGISTRY\n", "")
MIRRORED = TEXT.replace("REGISTRY", REGISTRY)


def listed(run: Run, *words: str) -> dict[str, Any]:
    ran = run("images", *words, "-o", "json")
    assert (ran.code, ran.err) == (0, "")
    return {image["repository"]: image for image in json.loads(ran.out)["images"]}


@pytest.mark.parametrize("form", ["text", "json", "az-import", "skopeo"])
def test_a_fleet_in_each_format(run: Run, snapshot: SnapshotAssertion, form: str) -> None:
    write(MIRRORED)
    ran = run("images", "-o", form)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == snapshot


def test_the_same_images_with_and_without_a_registry(run: Run) -> None:
    write(PLAIN)
    plain = listed(run)
    write(MIRRORED)
    copied = listed(run)
    assert {name: image["image"] for name, image in plain.items()} == {
        name: image["image"] for name, image in copied.items()
    }
    assert {image["copy"] for image in plain.values()} == {None}
    assert all(image["copy"].endswith(image["image"]) for image in copied.values())


def test_a_driver_is_for_the_systems_of_the_nodes(run: Run) -> None:
    write(PLAIN.replace('"1.33"}', '"1.33", stack: {driver: operator}}'))
    listed_images = json.loads(run("images", "-o", "json").out)["images"]
    tags = {
        image["tag"]: image["usedBy"][0]["cluster"]
        for image in listed_images
        if image["repository"] == "nvcr.io/nvidia/driver"
    }
    assert {tag.rpartition("-")[2]: name for tag, name in tags.items()} == {
        "ubuntu22.04": "prod-eus",
        "ubuntu24.04": "prod-swc",
    }


def test_values_set_by_the_user_take_precedence(run: Run) -> None:
    parts = "dcgmExporter: {enabled: false}, toolkit: {version: v1.0.0}, gfd: {repository: a.io/b}"
    write(PLAIN.replace("driver: operator", f"driver: operator, values: {{gpu-operator: {{{parts}}}}}"))
    images = listed(run, "--cluster", "prod-swc")
    assert "nvcr.io/nvidia/k8s/dcgm-exporter" not in images
    toolkit = images["nvcr.io/nvidia/k8s/container-toolkit"]
    assert (toolkit["tag"], toolkit["digest"]) == ("v1.0.0", None)
    assert images["a.io/b/k8s-device-plugin"]["copy"] is None


def test_names_and_digests_of_the_user_are_listed(run: Run) -> None:
    digest = f"sha256:{'1' * 64}"
    operator = (
        f'operator: {{image: ours}}, toolkit: {{version: "{digest}"}}, devicePlugin: {{repository: a.io/b, image: c}}'
    )
    keda = "keda: {image: {keda: {repository: a/keda, tag: t1}, metricsApiServer: {registry: a.io, repository: b/m}}}"
    values = f"keda: helm, values: {{gpu-operator: {{{operator}}}, {keda}}}"
    write(PLAIN.replace("driver: operator", f"driver: operator, {values}"))
    images = listed(run, "--cluster", "prod-swc")
    assert {"nvcr.io/nvidia/ours", "a.io/b/c", "ghcr.io/a/keda", "a.io/b/m"} <= images.keys()
    assert {"ghcr.io/kedacore/keda", "ghcr.io/kedacore/keda-metrics-apiserver"}.isdisjoint(images)
    assert images["ghcr.io/a/keda"]["tag"] == "t1"
    toolkit = images["nvcr.io/nvidia/k8s/container-toolkit"]
    assert (toolkit["tag"], toolkit["digest"]) == (None, digest)


def test_an_image_of_a_patch_is_listed(run: Run) -> None:
    patch = """, patches: [{target: {kind: DaemonSet, name: nvidia-device-plugin}, patch: {spec: {template: {spec: {
      initContainers: [{name: config-init, image: "busybox:1"}]}}}}}]}"""
    write(PLAIN.replace('"1.33"}', f'"1.33"{patch}'))
    assert listed(run)["docker.io/library/busybox"]["tag"] == "1"


def test_a_registry_of_the_command_line(run: Run) -> None:
    write(PLAIN)
    ran = run("images", "-o", "skopeo", "--mirror", "harbor.contoso.com/m", "--charts", "oci://harbor.contoso.com/c")
    assert "docker://harbor.contoso.com/m/nvcr.io/nvidia/driver:" in ran.out
    assert "oci://harbor.contoso.com/c\n" in ran.out
    assert listed(run, "--mirror", "harbor.contoso.com/m")["nvcr.io/nvidia/driver"]["copy"].startswith("harbor.")


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (PLAIN, ("-o", "az-import"), "-o az-import needs a registry"),
        (PLAIN, ("-o", "az-import", "--mirror", "harbor.contoso.com"), "harbor.contoso.com is not an Azure container"),
        (
            PLAIN,
            ("--mirror", "https://contoso.azurecr.io"),
            "'https://contoso.azurecr.io' is not a registry and a path",
        ),
        (PLAIN, ("--charts", "contoso.azurecr.io"), "'contoso.azurecr.io' is not an oci:// URL"),
        (PLAIN, ("--cluster", "nope"), "no cluster matches nope"),
        (PLAIN.replace("sku:", "skus:"), (), "unknown key 'skus'"),
    ],
)
def test_requests_that_cannot_be_answered(run: Run, text: str, words: tuple[str, ...], message: str) -> None:
    write(text)
    ran = run("images", *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_an_empty_fleet_needs_nothing(run: Run) -> None:
    write(PLAIN.partition("---")[0])
    assert run("images").out == "No images.\n"


def test_a_copy_that_the_user_names_is_copied_from_its_source(run: Run) -> None:
    copy = "contoso.azurecr.io/mirror/nvcr.io/nvidia"
    write(
        MIRRORED.replace(
            "driver: operator", f"driver: operator, values: {{gpu-operator: {{gfd: {{repository: {copy}}}}}}}"
        )
    )
    image = listed(run)["nvcr.io/nvidia/k8s-device-plugin"]
    assert image["copy"].startswith(f"{copy}/k8s-device-plugin:")


def test_the_versions_that_a_cluster_pins(run: Run) -> None:
    pins = "stack: {driver: aks, versions: {nvidia-device-plugin: v0.19.3}}"
    write(PLAIN.replace('"1.33"}', f'"1.33", {pins}}}'))
    assert listed(run, "--cluster", "prod-eus")["nvcr.io/nvidia/k8s-device-plugin"]["tag"] == "v0.19.3"


def test_a_tuned_model_needs_the_images_of_kaito(run: Run) -> None:
    write(
        MIRRORED.replace("{driver: operator}", "{kaito: helm}")
        .replace('"1.33"', '"1.34", stack: {kaito: helm}')
        .replace("T4_v3, limits: {gpus: 4}}\n", TUNED)
        .replace("NC16as_T4_v3", "NC24ads_A100_v4")
    )
    images = listed(run, "--cluster", "prod-swc")
    assert images["mcr.microsoft.com/aks/kaito/kaito-phi-4-mini-instruct"]["tag"] == "0.2.0"
    assert images["mcr.microsoft.com/aks/kaito/kaito-base"]["copy"]
    assert images["ghcr.io/oras-project/oras"]["copy"] is None
    assert "mcr.microsoft.com/aks/skopeo" not in images
    assert "contoso.azurecr.io/tone" not in images


def test_where_a_registry_is_written_is_shown(run: Run) -> None:
    own = "registry: {mirror: eu.azurecr.io}"
    write(MIRRORED.replace('"1.33"}', f'"1.33", {own}}}'))
    shown = run("explain", "--effective", "cluster/prod-eus").out
    assert re.search(r"mirror: eu.azurecr.io +# fleet.yaml:16", shown)
    assert re.search(r"charts: oci://contoso.azurecr.io/charts +# fleet.yaml:6", shown)
    assert listed(run, "--cluster", "prod-eus")["nvcr.io/nvidia/k8s-device-plugin"]["copy"].startswith("eu.azurecr.io/")


def test_the_list_can_have_colours(run: Run) -> None:
    write(SOUND)
    assert "\x1b[" in run("images", "--color", "always").out
    assert "\x1b[" not in run("images").out
