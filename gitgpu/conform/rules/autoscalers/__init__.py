"""Autoscalers: what holds for an HPA and for KEDA alike."""
