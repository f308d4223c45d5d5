"""GPU software on a node: device plugin, exporter, feature discovery, one of each."""
