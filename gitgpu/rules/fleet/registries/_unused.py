"""Keys of `registry` that nothing uses."""

from collections.abc import Callable, Iterator

from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.rules.inputs.registries import registry_place


def unused_places(
    inputs: Inputs, key: str, has: Callable[[Cluster], object], uses: Callable[[Cluster], bool]
) -> Iterator[SpecPlace]:
    """Each place of a key, if none of the clusters that have the value there uses it."""
    places = {}
    used = set()
    for cluster in inputs.clusters:
        if has(cluster):
            place = registry_place(inputs, cluster, key)
            at = place.origin.place(place.pointer)
            places[at] = place
            used |= {at} if uses(cluster) else set()
    return (place for at, place in places.items() if at not in used)
