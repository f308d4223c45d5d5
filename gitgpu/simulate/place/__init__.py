"""Placement: pods onto nodes, in the order and with the checks of Karpenter's scheduler."""
