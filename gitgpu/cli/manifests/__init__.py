"""What several commands need to check manifests."""
