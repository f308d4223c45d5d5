"""Resources of Terraform: those of a state and of a plan, to clusters, pools, releases and objects."""
