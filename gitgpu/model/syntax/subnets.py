"""The parts of a subnet's ARM ID, in lower case: Azure ignores case."""

# AKS's names for what it creates: the node resource group, the network (before eight digits), and its only subnet.
_GROUP, _NETWORK, _SUBNET = "mc_", "aks-vnet-", "aks-subnet"


def network(subnet_id: str) -> str:
    """The resource group and the virtual network, as group/network; empty parts for an empty ID."""
    return f"{_part(subnet_id, 'resourcegroups')}/{_part(subnet_id, 'virtualnetworks')}"


def whole_network(subnet_id: str) -> str:
    """The ID of the virtual network; "" for an empty ID."""
    return subnet_id.lower().partition("/subnets/")[0]


def subnet(subnet_id: str) -> str:
    """The name of the subnet."""
    return _part(subnet_id, "subnets")


def managed_network(subnet_id: str) -> str:
    """The virtual network that AKS manages, if the subnet is not its subnet for nodes; "" for other networks."""
    group, _, name = network(subnet_id).partition("/")
    number = name.removeprefix(_NETWORK)
    is_managed = group.startswith(_GROUP) and name.startswith(_NETWORK) and len(number) == 8 and number.isdigit()
    return name if is_managed and subnet(subnet_id) != _SUBNET else ""


def _part(subnet_id: str, after: str) -> str:
    return subnet_id.lower().partition(f"/{after}/")[2].partition("/")[0]
