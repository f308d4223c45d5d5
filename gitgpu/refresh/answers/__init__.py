"""Responses of Azure and Helm repositories about sizes, prices, quotas and versions, in files that users saved."""
