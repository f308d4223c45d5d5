"""Limits of pools and Azure quotas."""
