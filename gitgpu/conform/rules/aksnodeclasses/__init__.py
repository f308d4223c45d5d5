"""AKSNodeClass."""
