"""AKS features that are previews."""

from typing import NamedTuple

from gitgpu.model.catalog import Catalog, Facts


class Preview(NamedTuple):
    """A preview, and the feature that has to be registered in the subscription; "" if there is none."""

    title: str
    feature: str

    @property
    def message(self) -> str:
        """The message of a finding about its use."""
        return f"{self.title} are a preview without a service level agreement"

    def remedy(self, code: str) -> str:
        """What to do about a finding with this code."""
        register = f"register {self.feature}, as the runbook shows, and " if self.feature else ""
        return f"{register}suppress {code} with a reason"


def preview(name: str, catalog: Catalog) -> Preview | None:
    """The prerequisite with this name, or None if it is not a preview."""
    row = catalog.must("prerequisites", name)
    return Preview(row["what"], row.get("feature", "")) if row.get("preview") else None


def title(row: Facts) -> str:
    """The title of a prerequisite, for messages."""
    return f"{row['what']} (preview)" if row.get("preview") else str(row["what"])
