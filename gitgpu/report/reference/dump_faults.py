"""The last part of `faults.py`: codes of what `import`, `catalog refresh` and `diagnose` read, in the same form."""

OF_DUMPS = """
# Import and refresh: outputs of other programs
IMP001 The input is empty, or a document in it is (a warning).
       Run the command again.
IMP002 Not JSON, or truncated JSON.
       Pass the complete output of the command, and nothing else.
IMP003 Output for humans or other tools: a table, HCL, Bicep, a template. A warning if it was found in a directory.
       Run the command with `-o json`; run `terraform show -json`, `az bicep build` or `helm template`.
IMP004 A Terraform plan, which is binary. A warning for such and for compressed files that were found in a directory.
       Run `terraform show -json FILE`, or decompress it.
IMP005 Objects that do not name a cluster, while other documents name several clusters.
       Import them alone, with `--cluster`, or put the files of each cluster in a folder `clusters/NAME/`.
IMP006 Two documents define the same object differently.
       Pass only the running state, or import each with `--cluster`, or put each cluster in a folder `clusters/NAME/`.
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
IMP017 The fleet has an imported cluster under a different name, with the same `resourceId`: nothing is written.
       Pass the name of the fleet with `--cluster`.
IMP018 The fleet describes a cluster, a pool or a workload in a file that the import does not write.
       Remove it there, or import into another directory with `--out`.
IMP019 Warning: the fleet has a pool on an imported cluster that the input does not contain. A build would create it.
       Remove the pool, or import again with the documents that describe it.
IMP020 The input has only objects of Flux or Argo CD, and not what they apply: nothing is written.
       Pass the directories that they apply, or the root of the repository.
IMP021 Warning: an object of Flux or Argo CD on a cluster has the name of one that the fleet writes for something else.
       Set another `metadata.name` in the Fleet.
IMP022 The fleet has a Cluster with the name of an imported one, but with a different `resourceId`: nothing is written.
       Pass another name with `--cluster`.
IMP023 A cluster with NodePools is possibly the one in Azure whose NodePools are missing: nothing is written.
       Move the output of `az aks show` to the folder of the NodePools, or import the two clusters separately.
IMP024 Warning: a cluster has node auto-provisioning, and the input has no NodePool of it.
       Pass the output of `kubectl get nodepools,aksnodeclasses -o yaml` too.
IMP025 Warning: two clusters have a pool of the same name, and nothing in an export shows that they are not one cluster.
       Pass only the newest export, or put the output of `az aks show` into the folder of each.
IMP026 Warning: the configuration does not name the files that an import writes, so that no build reads them.
       Add them to `fleet` in the configuration, or name the whole directory there.

# `diagnose`: the dump
DIA001 Warning: an object of the dump does not match its schema, and is not read.
       Check how the dump was made.
DIA002 Warning: the dump is of several clusters, and the answers mix them.
       Diagnose each cluster by itself.
DIA003 A document has no object of Kubernetes, and is not what `az aks` prints. Only a note if other documents have.
       Pass the output of `kubectl get -o json`, or a directory of such files.
DIA004 Info: a node is not in Azure. gitgpu does not know its size and its GPUs.
       Leave it out if it is not a node of AKS.
"""
