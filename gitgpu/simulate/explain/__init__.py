"""Explains a packing: verdicts, costs, why a pod is unschedulable, what is uncertain."""
