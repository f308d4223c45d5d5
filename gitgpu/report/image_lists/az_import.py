"""az and helm commands that copy the images and charts to an Azure container registry."""

from shlex import join

from gitgpu.report.copying import copies, script
from gitgpu.report.findings import Style
from gitgpu.report.images import ImageFormat, ImageList


def _render(image_list: ImageList, _style: Style) -> str:
    """Azure copies the images from registry to registry, with all architectures."""
    images, charts = image_list.needed
    commands = (_command(image_list, source, *target.split("/", 1)) for source, target in copies(images))
    return script(commands, charts)


def _command(image_list: ImageList, source: str, host: str, path: str) -> str:
    untagged = "@" in path
    # --force replaces a tag that exists, so that the script can be run again.
    # Only --repository accepts a target without a tag.
    target = ["--repository", path.partition("@")[0]] if untagged else ["--image", path]
    return join(["az", "acr", "import", "--name", image_list.azure[host], "--source", source, *target, "--force"])


FORMAT = ImageFormat("az-import", _render)
