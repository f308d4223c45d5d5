"""Catalogs in reports: the facts that differ, a refresh, and what a newer catalog changes in a fleet."""
