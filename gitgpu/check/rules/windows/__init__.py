"""Windows pools."""
