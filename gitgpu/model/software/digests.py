"""Versions of images by digest, for objects that name an image only by its digest."""

from gitgpu.model.catalog import Catalog


def version_of_digest(software: str, digest: str, catalog: Catalog) -> str:
    """The version whose image has this digest, such as sha256:...; "" if the catalog has none."""
    rows = ((name, version.facts.get("containers")) for name, version in catalog.versions(software).items())
    return next((name for name, row in rows if row and row["digest"] == digest), "")
