"""The findings of `import` and `catalog refresh`: the meaning of their codes, in the form of `faults`."""

IMPORT = """
# Import and refresh: outputs of other programs
IMP001 The input is empty, or a document in it is (a warning).
       Run the command again.
IMP002 Not JSON, or truncated JSON.
       Pass the complete output of the command, and nothing else.
IMP003 Output for humans or other tools: a table, HCL, Bicep, a template. A warning if it was found in a directory.
       Run the command with `-o json`; run `terraform show -json`, `az bicep build` or `helm template`.
IMP004 A binary file: a Terraform plan, or a compressed file. A warning for files that were found in a directory.
       Run `terraform show -json FILE`, or decompress it.
IMP005 Objects that do not name a cluster, while other documents name several clusters.
       Import them alone, with `--cluster`.
IMP006 Two documents define the same object differently.
       Import each with `--cluster`, or pass only the running state.
IMP007 Warning: a value of an ARM template, or the pools of a loop, are known only after deployment and were skipped.
       Pass the output of `az aks show -o json` instead.
IMP008 Warning: a Terraform plan changes a resource, so what was read differs from the running state.
       Apply the plan first, or pass the state.
IMP009 A document that was passed by name is not in a format that `import` reads, or a pool has no name.
       Pass one of the formats that the help lists.
IMP010 Warning: a node pool of Cluster API or Crossplane, which `import` does not read.
       Pass the output of `az aks nodepool list -o json` as well.
IMP011 Warning: `import --force` removes or replaces a value that the existing file of the fleet has.
       Copy it from the previous version of the file if you need it.
IMP012 A value of the existing Fleet also applies to an imported cluster, which runs without it: nothing is written.
       Move the value to the Clusters or GpuPools that need it, and import again.
IMP013 The import would change what is built for another cluster of the existing fleet: nothing is written.
       Give each cluster files of its own, or import into another directory with `--out`.
IMP014 Warning: a value of the fleet that an import did not find in its input, and marked with a comment.
       Set the value, and remove the comment.
IMP015 `import --force` would replace a cluster of the fleet with one whose name is not known: nothing is written.
       Pass the name with `--cluster`.
IMP016 Warning: a node pool runs a node image on which the GPU driver of its size does not work.
       Upgrade it with `az aks nodepool upgrade --node-image-only`.
"""
