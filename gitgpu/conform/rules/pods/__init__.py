"""Pods: what is wrong with a pod template on its own."""
