"""Checks Kubernetes quantities, such as 500m or 16Gi."""

from gitgpu.diagnostic import Problem
from gitgpu.model.syntax.quantity import quantity


def syntax_fault(amount: str | int) -> Problem | None:
    """The message and the remedy for an amount that is not a quantity; None if it is one."""
    try:
        quantity(amount)
    except ValueError:
        return Problem(
            f"'{amount}' is not a valid quantity", "use a number with an optional suffix, such as 500m, 16Gi or 8"
        )
    return None
