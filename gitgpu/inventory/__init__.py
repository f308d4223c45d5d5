"""Running infrastructure, read from documents: manifests, and the output of az, Terraform, ARM and Helm."""
