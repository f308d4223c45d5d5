"""Objects with one change, and whether a real API server accepts them."""
