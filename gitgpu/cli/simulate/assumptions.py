"""What a simulation assumes: prices of spot nodes, overhead of nodes, and the region."""

from decimal import Decimal
from math import inf, nan

import click

from gitgpu.cli.input.pairs import pair
from gitgpu.cli.simulate.arguments import Arguments
from gitgpu.model.syntax.quantity import quantity
from gitgpu.runs.simulate import Assumptions

# Resources that Kubernetes names itself. Others, such as nvidia.com/gpu, have the name of a vendor before a "/".
_OVERHEAD = ("cpu", "memory", "ephemeral-storage", "pods")


def assumptions_of(arguments: Arguments) -> Assumptions:
    """The assumptions that the command line names. Raises click.BadParameter for a wrong price or amount."""
    spot: dict[str, float] = {}
    for entry in arguments.spot:
        size, price = pair(entry, "--spot-price", "SIZE=USD")
        spot[size] = _number(price)
    overhead: dict[str, Decimal] = {}
    for entry in filter(None, arguments.overhead.split(",")):
        name, amount = pair(entry, "--node-overhead", "RESOURCE=AMOUNT")
        overhead[name] = _quantity(name, amount)
    return Assumptions(spot, overhead, arguments.region, "")


def _number(text: str) -> float:
    try:
        price = float(text)
    except ValueError:
        price = nan
    if not 0 <= price < inf:
        raise click.BadParameter(f"'{text}' is not a price", param_hint="--spot-price")
    return price


def _quantity(name: str, text: str) -> Decimal:
    if name not in _OVERHEAD and "/" not in name:
        message = f"'{name}' is not a resource: use {', '.join(_OVERHEAD)}, or one with a '/'"
        raise click.BadParameter(message, param_hint="--node-overhead")
    try:
        amount = quantity(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--node-overhead") from None
    if amount < 0:
        raise click.BadParameter(f"{name} must not be negative; found {text}", param_hint="--node-overhead")
    return amount
