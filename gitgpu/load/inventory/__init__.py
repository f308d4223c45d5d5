"""What runs already, read from anybody's documents: manifests, answers of az, Terraform, ARM, Helm values."""
