"""Chart values of a group: for charts that kustomizations inflate, and in files that Argo CD reads."""

from collections.abc import Iterator

from gitgpu.load.helm_values import Values
from gitgpu.objects.delivery.release_values import application_values, applications, chart_releases
from gitgpu.objects.grouping.groups import Group, Grouping


def values_beside(group: Group, grouping: Grouping) -> Iterator[Values]:
    """The releases and the values files of a group. They are not cached: few groups have any."""
    yield from chart_releases(group.charts, grouping.tree)
    if grouping.world:
        names = (part.file for part in group.parts if not part.patch)
        yield from application_values(applications(names, grouping.tree), grouping.world.argo)
