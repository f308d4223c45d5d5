"""Commands that edit the spec: what they change, what a plan says of that, and the files that are written."""
