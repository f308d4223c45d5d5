"""The node image for GPUs that AKS has retired."""

from gitgpu.model.catalog import Catalog


def retired_image_text(catalog: Catalog) -> str:
    """The text that every finding about the image starts with."""
    return f"AKS retired its specialised GPU image on {catalog.must('pools', 'aks')['retiredImage']['since']}"
