"""Names of files and folders of a spec."""

FLEET, CLUSTERS = "fleet.yaml", "clusters"
