"""Requirements of a NodePool."""
