"""What a fleet needs from other registries: all images and charts in its output, what uses them, and their copies."""

from typing import Any

import pytest

from gitgpu.mirror import Needed, needed_artifacts, with_registry
from gitgpu.mirror.objects import object_images
from gitgpu.model.spec.registry import Registry
from tests.patch.fleets import Result, compiled

MINE = "  registry: {mirror: contoso.azurecr.io/images, charts: oci://contoso.azurecr.io/charts}"


def needs(result: Result) -> Needed:
    """The images and charts that the fleet of a build needs."""
    inputs = result.made.checked.inputs
    assert inputs is not None
    return needed_artifacts(inputs, inputs.clusters)


def named(result: Result) -> set[str]:
    """The repositories of the images that objects of the output name."""
    images: set[str] = set()
    for path, text in result.files.items():
        if path.endswith(".yaml") and "\nkind: " in text:
            body: Any = result.body(path)
            images |= {image.repository for image in object_images(body)}
    return images


@pytest.mark.parametrize("driver", ["aks", "operator"])
def test_every_image_that_the_output_names_is_listed(driver: str) -> None:
    public, mirrored = compiled(driver=driver), compiled(cluster=MINE, driver=driver)
    assert named(public) <= {image.reference.repository for image in needs(public).images}
    listed = {image.reference.repository: image for image in needs(mirrored).images}
    assert {*listed} == {image.reference.repository for image in needs(public).images}
    copies = {image.copy for image in listed.values()}
    assert named(mirrored) <= copies
    assert all(copy.startswith("contoso.azurecr.io/images/") for copy in copies)
    assert all(image.is_copied for image in listed.values())


def test_the_image_of_the_driver_has_the_operating_system_in_its_tag() -> None:
    images = needs(compiled(driver="operator")).images
    [driver] = [image.reference for image in images if image.reference.repository == "nvcr.io/nvidia/driver"]
    assert driver.tag.endswith("-ubuntu24.04")


def test_images_of_objects_and_of_charts_have_their_users() -> None:
    mirrored = needs(compiled())
    users = {image.reference.repository: [tuple(user) for user in image.users] for image in mirrored.images}
    assert users["nvcr.io/nvidia/k8s-device-plugin"] == [("prod", "DaemonSet", "gpu-resources", "nvidia-device-plugin")]
    assert users["ghcr.io/kedacore/keda"] == [("prod", "Chart", "keda", "keda")]
    assert all(image.copy == image.reference.repository for image in mirrored.images)
    [keda] = mirrored.charts
    assert (keda.name, keda.copy, [tuple(user) for user in keda.users]) == (
        "keda",
        "",
        [("prod", "Chart", "keda", "keda")],
    )


def test_a_registry_can_be_given_for_all_clusters() -> None:
    inputs = compiled().made.checked.inputs
    assert inputs is not None
    other = with_registry(inputs, Registry(mirror="other.io/x"))
    mirrored = needed_artifacts(other, other.clusters)
    assert {image.copy.partition("/x/")[0] for image in mirrored.images} == {"other.io"}
    assert [chart.copy for chart in mirrored.charts] == [""]
