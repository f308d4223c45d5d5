"""Azure VM sizes that a NodePool asks for."""
