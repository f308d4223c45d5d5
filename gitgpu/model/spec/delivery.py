"""The delivery of overlays to a cluster."""

from typing import NamedTuple


class Delivery(NamedTuple):
    """How overlays reach a cluster. `namespaces` says whether they contain those of workloads: none or create."""

    engine: str
    repository: str
    revision: str
    path: str
    namespace: str
    interval: str
    secret: str | None
    destination: str | None
    namespaces: str
