"""Resources in a Terraform state or plan to clusters, pools, releases and objects."""
