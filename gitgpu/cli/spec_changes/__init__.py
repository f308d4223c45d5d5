"""Parts of commands that edit the spec: what they change, the plan, and the files that they write."""
