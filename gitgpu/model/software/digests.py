"""Versions of images by digest, for objects that name an image by its digest alone."""

from gitgpu.model.catalog import Catalog


def version_of_digest(software: str, digest: str, catalog: Catalog) -> str:
    """The version whose image has this digest, sha256:...; "" where the catalog has none."""
    rows = ((name, version.facts.get("containers")) for name, version in catalog.versions(software).items())
    return next((name for name, row in rows if row and row["digest"] == digest), "")
