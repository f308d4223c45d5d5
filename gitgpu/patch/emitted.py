"""Objects that gitgpu emits, as rules read them."""

from gitgpu.emit.manifest import Manifest, Role
from gitgpu.objects.objects import Given
from gitgpu.source import SourceMap


def as_given(manifest: Manifest) -> Given:
    """A manifest with its places.

    A value that the user does not set is at the line in the spec from which it is derived.
    """
    places = manifest.places or SourceMap.of(manifest.origin.span)
    return Given(manifest.body, places, manifest.role is Role.PATCH)
