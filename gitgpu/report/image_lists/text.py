"""For people: a line for each image and each chart."""

from collections.abc import Sequence

from gitgpu.mirror import User
from gitgpu.report.findings import Style
from gitgpu.report.images import ImageFormat, ImageList
from gitgpu.report.table import table
from gitgpu.spelling import comma_separated

_DIGITS = len("sha256:") + 12  # as much of a digest as distinguishes two
_NAMED = 2  # the most users or clusters that a line names


def _render(image_list: ImageList, style: Style) -> str:
    images, charts = image_list.needed
    rows = [
        (image.reference._replace(digest="").text, image.reference.digest[:_DIGITS] or None, *_users(image.users))
        for image in images
    ]
    image_table = table(("IMAGE", "DIGEST", "CLUSTERS", "USED BY"), rows, style) if rows else "No images.\n"
    lines = [(chart.name, chart.version, chart.repository, _clusters(chart.users)) for chart in charts]
    if not lines:
        return image_table
    return f"{image_table}\n{table(('CHART', 'VERSION', 'REPOSITORY', 'CLUSTERS'), lines, style)}"


def _users(users: Sequence[User]) -> tuple[str, str]:
    names = sorted({f"{user.kind}/{user.name}" for user in users})
    return _clusters(users), comma_separated(names, _NAMED)


def _clusters(users: Sequence[User]) -> str:
    return comma_separated(sorted({user.cluster for user in users}), _NAMED)


FORMAT = ImageFormat("text", _render)
