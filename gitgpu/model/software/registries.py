"""Registries of images: the public ones, and those of Azure."""

from gitgpu.model.catalog import Catalog


def public_hosts(catalog: Catalog) -> frozenset[str]:
    """The hosts of public registries."""
    hosts: set[str] = set()
    for name, row in catalog.rows("registries").items():
        hosts |= {name, *row["also"]}
    return frozenset(hosts)


def azure_name(reference: str, catalog: Catalog) -> str:
    """The name in Azure of the registry at the start of a reference, "" for any other registry."""
    host = reference.partition("/")[0]
    ends = tuple(row["registry"] for row in catalog.rows("clouds").values())
    # With a domain name label, the host is the name, a dash and a hash; the name itself has no dash.
    return host.partition(".")[0].partition("-")[0] if host.endswith(ends) else ""
