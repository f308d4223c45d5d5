"""The delivery of overlays to a cluster."""

from typing import NamedTuple

AZ, BICEP, TERRAFORM = "az", "bicep", "terraform"


class Delivery(NamedTuple):
    """How overlays reach a cluster. `namespaces` says whether they contain those of workloads: none or create.

    `azure` is the only form of what is in Azure (az, bicep or terraform); None for all but terraform, and for objects.
    """

    engine: str
    repository: str
    revision: str
    path: str
    namespace: str
    interval: str
    secret: str | None
    destination: str | None
    namespaces: str
    azure: str | None = None

    def has(self, form: str) -> bool:
        """Whether something in Azure has this form: az or bicep, which it has without a setting, or terraform."""
        return form == self.azure or (self.azure is None and form != TERRAFORM)
