"""Objects with one thing changed, and whether a real API server takes them."""
