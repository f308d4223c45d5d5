"""Image registries: the public ones, and Azure's."""

from gitgpu.model.catalog import Catalog


def public_hosts(catalog: Catalog) -> frozenset[str]:
    """The hosts of public registries."""
    hosts: set[str] = set()
    for name, row in catalog.rows("registries").items():
        hosts |= {name, *row["also"]}
    return frozenset(hosts)


def azure_name(reference: str, catalog: Catalog) -> str:
    """The name of the Azure registry at the start of a reference; "" for other registries."""
    host = reference.partition("/")[0]
    ends = tuple(row["registry"] for row in catalog.rows("clouds").values())
    # With a domain name label, the host starts with the name, a dash and a hash. The name itself has no dash.
    return host.partition(".")[0].partition("-")[0] if host.endswith(ends) else ""
