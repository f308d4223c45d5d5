"""skopeo and helm commands that copy the images and charts."""

from shlex import join

from gitgpu.report.copying import copies, script
from gitgpu.report.findings import Style
from gitgpu.report.images import ImageFormat, ImageList


def _render(image_list: ImageList, _style: Style) -> str:
    """Copies all architectures, with the digests that the manifests use."""
    commands = (
        join(["skopeo", "copy", "--all", "--preserve-digests", f"docker://{source}", f"docker://{target}"])
        for source, target in copies(image_list.needed.images)
    )
    return script(commands, image_list.needed.charts)


FORMAT = ImageFormat("skopeo", _render)
