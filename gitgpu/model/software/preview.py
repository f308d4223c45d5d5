"""Features of AKS that are previews."""

from typing import NamedTuple

from gitgpu.model.catalog import Catalog, Facts


class Preview(NamedTuple):
    """A preview: what it is, and the feature that the subscription registers."""

    title: str
    feature: str

    @property
    def message(self) -> str:
        """What a finding about its use says."""
        return f"{self.title} are a preview without a service level agreement"

    def remedy(self, code: str) -> str:
        """What to do about a finding with this code."""
        return f"register {self.feature}, as the runbook shows, and suppress {code} with a reason"


def preview(name: str, catalog: Catalog) -> Preview | None:
    """The prerequisite of this name, if the catalog says that it is a preview."""
    row = catalog.must("prerequisites", name)
    return Preview(row["what"], row["feature"]) if row.get("preview") else None


def title(row: Facts) -> str:
    """What a prerequisite is, for people."""
    return f"{row['what']} (preview)" if row.get("preview") else str(row["what"])
