"""What runs already to documents of a spec that keep it as it is."""
