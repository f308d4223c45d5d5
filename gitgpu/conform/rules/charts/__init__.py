"""Helm charts: versions, names and values of HelmReleases and Applications."""
