"""Azure VM sizes of a pool."""
