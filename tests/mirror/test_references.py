"""The parts of image references in objects and charts."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gitgpu.mirror.chart_images import chart_image
from gitgpu.mirror.needed import Image, User, unite
from gitgpu.mirror.objects import object_images
from gitgpu.model.syntax.reference import Reference, reference
from gitgpu.plan.decided.charts import ChartImage
from tests.helping.cases import for_each

DIGEST = "sha256:" + "a" * 64
REPOSITORIES = st.sampled_from(("nvcr.io/nvidia/driver", "docker.io/library/busybox", "localhost:5000/a", "a.b/c/d"))
REFERENCES = st.builds(
    Reference, REPOSITORIES, st.sampled_from(("", "1", "v1.2-rc.1")), st.sampled_from(("", DIGEST))
).filter(lambda drawn: drawn.tag or drawn.digest)


@given(REFERENCES)
def test_the_parts_make_the_reference(image: Reference) -> None:
    assert reference(image.text) == image


@for_each(
    ("text", "whole"),
    [
        ("busybox", "docker.io/library/busybox:latest"),
        ("rocm/k8s-device-plugin:1", "docker.io/rocm/k8s-device-plugin:1"),
        ("docker.io/busybox:1", "docker.io/library/busybox:1"),
        ("localhost:5000/a", "localhost:5000/a:latest"),
        (f"ghcr.io/a@{DIGEST}", f"ghcr.io/a@{DIGEST}"),
    ],
)
def test_what_a_short_reference_means(text: str, whole: str) -> None:
    assert reference(text).text == whole


def test_a_tool_gets_the_digest_or_the_tag() -> None:
    assert reference(f"ghcr.io/a:1@{DIGEST}").source == f"ghcr.io/a@{DIGEST}"
    assert reference("ghcr.io/a:1").source == "ghcr.io/a:1"


@for_each(
    ("body", "images"),
    [
        (
            {"kind": "Pod", "spec": {"containers": [{"image": "ghcr.io/a:1"}, {"image": "not an image"}]}},
            ["ghcr.io/a:1"],
        ),
        (
            {"kind": "NVIDIADriver", "spec": {"repository": "nvcr.io/nvidia", "image": "driver", "version": "580"}},
            ["nvcr.io/nvidia/driver:580"],
        ),
        ({"kind": "X", "a": {"repository": "nvcr.io/n", "image": "d", "version": DIGEST}}, [f"nvcr.io/n/d@{DIGEST}"]),
        (
            {"kind": "Workspace", "tuning": {"output": {"image": "a.io/out:1"}, "input": {"image": "a.io/in:1"}}},
            ["a.io/in:1"],
        ),
        ({"kind": "X", "repository": "a.io/n:2", "b": {"image": "a.io/a:1"}}, ["a.io/n:2", "a.io/a:1"]),
        ({"kind": "X", "a": [[{"image": "ghcr.io/a:1"}], {"image": 5}]}, ["ghcr.io/a:1"]),
        (
            {"kind": "X", "name": "nginx", "command": ["nginx"], "a": {"image": "a.io/a:1", "b": "c.io/d:1"}},
            ["a.io/a:1"],
        ),
        ({"kind": "Application", "image": "ghcr.io/a:1"}, []),
        ({"kind": "HelmRelease", "spec": {"values": {"image": "ghcr.io/a:1"}}}, []),
    ],
)
def test_the_images_of_an_object(body: dict[str, Any], images: list[str]) -> None:
    assert [image.text for image in object_images(body)] == images


DRIVER = ChartImage(
    "nvcr.io/nvidia/driver",
    "595",
    "",
    DIGEST,
    {"driver.repository": "nvcr.io/nvidia"},
    "",
    "driver.version",
    {},
    {},
    "",
)
NAMED = DRIVER._replace(named_at="driver.image")
WHOLE = DRIVER._replace(registries={"image": "nvcr.io/nvidia/driver:595"}, at="")


@for_each(
    ("image", "values", "expected"),
    [
        (DRIVER, {}, f"nvcr.io/nvidia/driver:595-os@{DIGEST}"),
        (DRIVER, {"driver": {"version": "580"}}, "nvcr.io/nvidia/driver:580-os"),
        (DRIVER, {"driver": {"version": ""}}, f"nvcr.io/nvidia/driver:595-os@{DIGEST}"),
        (DRIVER, {"driver": {"repository": "a.io/b"}}, "a.io/b/driver:595-os"),
        (DRIVER, {"driver": {"repository": "nvcr.io/nvidia"}}, f"nvcr.io/nvidia/driver:595-os@{DIGEST}"),
        (DRIVER, {"driver": {"version": "595"}}, f"nvcr.io/nvidia/driver:595-os@{DIGEST}"),
        (DRIVER, {"driver": {"version": DIGEST}}, f"nvcr.io/nvidia/driver@{DIGEST}"),
        (NAMED, {"driver": {"image": "own"}}, "nvcr.io/nvidia/own:595-os"),
        (NAMED, {"driver": {"image": "own", "repository": "a.io/b"}}, "a.io/b/own:595-os"),
        (NAMED, {}, f"nvcr.io/nvidia/driver:595-os@{DIGEST}"),
        (WHOLE, {}, f"nvcr.io/nvidia/driver:595-os@{DIGEST}"),
        (WHOLE, {"image": "a.io/b:2"}, "a.io/b:2-os"),
    ],
)
def test_the_image_that_values_make(image: ChartImage, values: dict[str, Any], expected: str) -> None:
    assert chart_image(image, values, "-os").text == expected


@given(st.lists(st.tuples(REFERENCES, st.sampled_from("abc")), max_size=6))
def test_each_image_is_listed_once_with_all_its_users(listed: list[tuple[Reference, str]]) -> None:
    images = [Image(image, "", (User(name, "Pod", "", "x"),)) for image, name in listed]
    united = unite(images)
    assert [image.reference for image in united] == sorted({image for image, _ in listed})
    assert {(image.reference, user.cluster) for image in united for user in image.users} == set(listed)
