"""Drivers: ClusterPolicy, NVIDIADriver and AKS-managed GPU nodes."""
