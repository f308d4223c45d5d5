"""Objects that gitgpu emits, as rules read them."""

from gitgpu.conform.objects import Given
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.source import SourceMap


def given(manifest: Manifest) -> Given:
    """A manifest with its places: what the user does not write is on the line of the spec that it comes from."""
    places = manifest.places or SourceMap.of(manifest.origin.span)
    return Given(manifest.body, places, manifest.role is Role.PATCH)
