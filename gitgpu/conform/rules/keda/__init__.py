"""KEDA: ScaledObject, ScaledJob and the operator."""
