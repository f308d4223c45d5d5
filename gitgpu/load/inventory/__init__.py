"""What runs already, read from documents: manifests, and what az, Terraform, ARM and Helm print."""
