"""For programs: every image and chart with its users, in the versioned envelope."""

from typing import Any

from gitgpu.mirror import Chart, Image, User
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Style
from gitgpu.report.images import ImageFormat, ImageList


def _render(image_list: ImageList, _style: Style) -> str:
    images, charts = map(_image, image_list.needed.images), map(_chart, image_list.needed.charts)
    return envelope("ImageList", {"images": list(images), "charts": list(charts)})


def _image(image: Image) -> dict[str, Any]:
    reference = image.reference
    return {
        "image": reference.text,
        "repository": reference.repository,
        "tag": reference.tag or None,
        "digest": reference.digest or None,
        "copy": reference._replace(repository=image.copy).text if image.is_copied else None,
        "usedBy": [_user(user) for user in image.users],
    }


def _chart(chart: Chart) -> dict[str, Any]:
    return {
        "chart": chart.name,
        "version": chart.version,
        "repository": chart.repository,
        "copy": chart.copy or None,
        "usedBy": [_user(user) for user in chart.users],
    }


def _user(user: User) -> dict[str, Any]:
    return {"cluster": user.cluster, "object": {"kind": user.kind, "namespace": user.namespace, "name": user.name}}


FORMAT = ImageFormat("json", _render)
