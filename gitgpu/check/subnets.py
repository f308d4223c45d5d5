"""The parts of a subnet's ARM ID, in lower case: Azure ignores case."""


def network(subnet_id: str) -> str:
    """The resource group and the virtual network, as group/network; empty parts for an empty ID."""
    return f"{_part(subnet_id, 'resourcegroups')}/{_part(subnet_id, 'virtualnetworks')}"


def whole_network(subnet_id: str) -> str:
    """The ID of the virtual network, "" for an empty ID."""
    return subnet_id.lower().partition("/subnets/")[0]


def subnet(subnet_id: str) -> str:
    """The name of the subnet."""
    return _part(subnet_id, "subnets")


def _part(subnet_id: str, after: str) -> str:
    return subnet_id.lower().partition(f"/{after}/")[2].partition("/")[0]
