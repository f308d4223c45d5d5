"""What Azure and Helm repositories answer about sizes, prices, quotas and versions, as the files that users saved."""
