"""AKS features that are previews."""

from typing import NamedTuple

from gitgpu.model.catalog import Catalog, Facts


class Preview(NamedTuple):
    """A preview, and the feature that has to be registered in the subscription; "" if there is none.

    It is not `certain` if the catalog does not know whether it still is one.
    """

    title: str
    feature: str
    certain: bool = True

    @property
    def message(self) -> str:
        """The message of a finding about its use."""
        if self.certain:
            return f"{self.title} are a preview without a service level agreement"
        return f"whether {self.title} are still a preview is not known"

    def remedy(self, code: str) -> str:
        """What to do about a finding with this code."""
        register = f"register {self.feature}, as the runbook shows, and " if self.feature else ""
        return f"{register}suppress {code} with a reason"


def preview(name: str, catalog: Catalog) -> Preview | None:
    """The prerequisite with this name, or None if it is not a preview."""
    row = catalog.must("prerequisites", name)
    if "preview" not in row:
        return None
    return Preview(row["what"], row.get("feature", ""), certain=row["preview"] is True)


def title(row: Facts) -> str:
    """The title of a prerequisite, for messages."""
    return f"{row['what']} (preview)" if "preview" in row else str(row["what"])
