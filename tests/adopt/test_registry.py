"""The registry of a running cluster: inferred if all images come from one mirror, otherwise reported."""

import json
import re
from collections.abc import Iterator
from typing import Any

from gitgpu.adopt.adoption import Destination, Fate, Outcome
from gitgpu.adopt.registry import registry_of
from gitgpu.adopt.stack import stack
from gitgpu.adopt.stack.view import bare_view
from gitgpu.plan.decided.registry import WHOLE_NAME, Registry
from tests.adopt.clusters import adopted, built, of_text
from tests.adopt.test_stack import CATALOG, NODES, helm
from tests.adopt.test_stack import PLUGIN as DEVICE_PLUGIN
from tests.helping.cases import for_each
from tests.rules.fleet.examples import inputs_of

MIRROR = "contoso.azurecr.io/mirror"
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: example}
spec:
  delivery: {engine: ENGINE, repository: https://github.com/contoso/gpu-fleet}
  registry: {REGISTRY}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.34", stack: {driver: DRIVER, keda: helm, health: npd}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [prod-swc], sku: Standard_NC16as_T4_v3, limits: {gpus: 8}}
"""
REGISTRIES = {
    "mirror": {"mirror": MIRROR},
    "port": {"mirror": "harbor.contoso.com:5000/proxy/gpu"},
    "without the host": {"mirror": MIRROR, "name": "{repository}"},
    "host in a folder": {"mirror": "contoso.azurecr.io", "name": "cached-{registry}/gpu/{repository}"},
    "all": {"mirror": MIRROR, "pullSecret": "pull", "charts": "oci://contoso.azurecr.io/charts"},
}


def fleet(registry: dict[str, str], driver: str = "aks", engine: str = "flux") -> Any:
    """A running cluster with images from a registry."""
    text = FLEET.replace("DRIVER", driver).replace("ENGINE", engine)
    inputs = inputs_of(text.replace("{REGISTRY}", json.dumps(registry)))
    return built(inputs, inputs.clusters[0])


def registry_keys(made: Registry) -> dict[str, str]:
    """The registry keys of the Cluster."""
    name = "" if made.name == WHOLE_NAME else made.name
    keys = {"mirror": made.mirror, "name": name, "pullSecret": made.secret, "charts": made.charts}
    return {key: value for key, value in keys.items() if value}


@for_each("registry", REGISTRIES)
@for_each(("driver", "engine"), [("aks", "flux"), ("operator", "flux"), ("operator", "argocd")])
def test_the_registry_is_inferred_from_emitted_objects(registry: str, driver: str, engine: str) -> None:
    cluster = fleet(REGISTRIES[registry], driver, engine)
    view = bare_view(cluster, CATALOG)
    made, (outcome,) = registry_of(view)
    assert registry_keys(made) == REGISTRIES[registry]
    assert (outcome.fate, outcome.into) == (Fate.INFERRED, Destination("Cluster", "prod-swc", ("spec", "registry")))
    assert "values" not in stack(view._replace(registry=made), adopted(cluster)).stack


def test_no_registry_is_inferred_from_public_images() -> None:
    assert registry_of(bare_view(fleet({}), CATALOG)) == (Registry(), [])
    assert registry_of(bare_view(of_text(NODES, "lab"), CATALOG)) == (Registry(), [])


def daemon(*images: str) -> Iterator[str]:
    """DaemonSets with these images."""
    for number, image in enumerate(images):
        meta = {"name": f"d{number}"}
        spec = {
            "selector": {"matchLabels": meta},
            "template": {"metadata": {"labels": meta}, "spec": {"containers": [{"name": "c", "image": image}]}},
        }
        yield json.dumps({"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": meta, "spec": spec}) + "\n"


PLUGIN, EXPORTER = "nvcr.io/nvidia/k8s-device-plugin", "nvcr.io/nvidia/k8s/dcgm-exporter"


@for_each(
    ("images", "mirror", "reported"),
    [
        ((f"{MIRROR}/{PLUGIN}:v0.17.1", f"{MIRROR}/{EXPORTER}@sha256:{'0' * 64}"), MIRROR, 0),
        ((f"{MIRROR}/{PLUGIN}:v0.17.1", f"{EXPORTER}:4.5.3-4.8.2-distroless"), "", 1),
        ((f"{MIRROR}/{PLUGIN}:v0.17.1", f"contoso.azurecr.io/other/{EXPORTER}:1"), "", 2),
        (("contoso.azurecr.io/nvidia/k8s-device-plugin:v0.17.1",), "contoso.azurecr.io", 0),
        (("contoso.azurecr.io/nvidia/k8s-device-plugin:v1", f"contoso.azurecr.io/{EXPORTER}:1"), "", 2),
        (("contoso.azurecr.io/gpu-plugin:v0.17.1",), "", 0),
        (("contoso.azurecr.io/team/app:1",), "", 0),
        ((f"{MIRROR}/{PLUGIN}:v0.17.1", "contoso.azurecr.io/team/app:1", "busybox"), MIRROR, 0),
        (("mcr.microsoft.com/oss/v2/nvidia/k8s-device-plugin:v0.18.2-12",), "", 0),
        ((f"{PLUGIN}:v0.17.1", "not an image"), "", 0),
    ],
)
def test_other_names_are_not_mirrors(images: tuple[str, ...], mirror: str, reported: int) -> None:
    made, outcomes = registry_of(bare_view(of_text("---\n".join((NODES, *daemon(*images))), "lab"), CATALOG))
    assert made.mirror == mirror
    inexpressible = [outcome for outcome in outcomes if outcome.fate is not Fate.INFERRED]
    assert [outcome.fate for outcome in inexpressible] == [Fate.INEXPRESSIBLE] * reported
    own = "your own registry needs it as <mirror>/[^ ]+, or as registry.name says"
    reason = f"but gitgpu pulls it from [^ ]+: {own}, with all other images below the same mirror"
    assert all(re.search(reason, outcome.reason) for outcome in inexpressible)


def test_a_chart_with_public_images_makes_the_mirror_uncertain() -> None:
    texts = ("---\n".join((NODES, *daemon(f"{MIRROR}/{PLUGIN}:v0.17.1"))), helm("keda"))
    made, outcomes = registry_of(bare_view(of_text("---\n".join(texts), "lab"), CATALOG))
    assert made == Registry()
    uncertain: list[Outcome] = outcomes
    assert [each.observed.name for each in uncertain] == ["DaemonSet d0"]
    assert f"gitgpu pulls it from {PLUGIN}" in uncertain[0].reason


def test_a_name_is_an_image_only_where_an_object_names_its_image() -> None:
    plain = json.loads(next(daemon(f"{MIRROR}/{PLUGIN}:v0.17.1")))
    container = plain["spec"]["template"]["spec"]["containers"][0]
    container["args"] = [f"contoso.azurecr.io/other/{EXPORTER}:1"]
    container["env"] = [{"name": "NEXT", "value": f"contoso.azurecr.io/other/{EXPORTER}:1"}]
    plain["spec"]["image"] = {"note": f"contoso.azurecr.io/other/{EXPORTER}:1"}
    view = bare_view(of_text(f"{NODES}---\n{json.dumps(plain)}", "lab"), CATALOG)
    assert registry_of(view)[0].mirror == MIRROR


def test_charts_come_from_the_source_that_their_release_names() -> None:
    cluster = fleet(REGISTRIES["all"])
    unused = []
    for each in cluster.objects:
        if each.body["kind"] == "OCIRepository":
            name = each.body["metadata"]["name"]
            spec = {**each.body["spec"], "url": each.body["spec"]["url"].replace("contoso", "fabrikam")}
            unused.append(each._replace(body={**each.body, "metadata": {"name": f"other-{name}"}, "spec": spec}))
            unused.append(each._replace(body={**each.body, "kind": "HelmRepository", "spec": spec}))
    assert unused
    made, _ = registry_of(bare_view(cluster._replace(objects=(*unused, *cluster.objects)), CATALOG))
    assert made.charts == REGISTRIES["all"]["charts"]


@for_each(
    ("image", "why"),
    [
        ("contoso.azurecr.io/k8s-device-plugin", "contoso.azurecr.io/k8s-device-plugin"),
        ("contoso.azurecr.io/gpu/nvidia-k8s-device-plugin", "contoso.azurecr.io/gpu/nvidia-k8s-device-plugin"),
        ("harbor.contoso.com/cache/nvidia/k8s-device-plugin", ""),
        (f"{MIRROR}/{PLUGIN}", ""),
        ("mcr.microsoft.com/oss/v2/nvidia/k8s-device-plugin", ""),
        (PLUGIN, ""),
    ],
)
def test_a_copy_whose_name_cannot_be_written_stays(image: str, why: str) -> None:
    """A build would pull another image, which nodes without access to public registries do not get."""
    running = DEVICE_PLUGIN.replace("mcr.microsoft.com/oss/v2/nvidia/k8s-device-plugin:v0.18.2-12", f"{image}:v0.18.2")
    cluster = of_text(NODES + running, "lab", kubernetes="1.36")
    part = stack(bare_view(cluster, CATALOG), adopted(cluster))
    assert part.stack.get("driver") == ("aks-only" if why else None)
    reasons = [outcome.reason for outcome in part.outcomes if "registry.name cannot express" in outcome.reason]
    assert all(f"the name of its image, {why}, and a build would pull {PLUGIN}" in reason for reason in reasons)
    assert bool(reasons) is bool(why)
