"""The second part of `faults.py`: codes of findings about objects and about suppressions, in the same form."""

OF_OBJECTS = """
# An object that the API server rejects
CNF001 An object does not match the schema of its kind. From `build`, if you did not patch it: a bug, please report it.
       Correct it as the help says.
CNF002 Info: no schema is known for a kind, so its fields were not checked.
       Check the spelling of the kind.
CNF010 Info: the cluster's Kubernetes version is not bundled; the nearest version was used.
       Install a newer `kubernetes-validate`.
CNF016 This version of the kind is not served, or not yet.
       Use the version in the help, or upgrade the cluster first.
CNF018 An object violates a CEL rule of the CRD of its kind, from `--crds` or of a release. Needs `gitgpu[cel]`.
       Change the object so that it meets the rule.
CNF019 The API group does not have this kind, but one with a similar name.
       Correct the spelling.
CNF023 Warning: some releases of an operator refuse the object or a part of it. An error if none accepts all of it.
       Name the release of the clusters in `--versions` or `lint.versions`, or change the object as the help says.
CRD001 A CRD from `--crds` cannot be read.
       Export it as `apiextensions.k8s.io/v1`.
CRD002 The input of `--crds` contains no CRD.
       Export them: `kubectl get crds -o yaml`.

# Lint
LNT001 A template, not YAML. Templates in a directory are one info per chart or folder; an error with `--strict`.
       Render it first.
LNT002 A placeholder in an object or a kustomization. An info for `${NAME}` with Flux, and for names in a directory.
       Replace the placeholder first.
LNT003 A file without a document or values, or a document that is not a Kubernetes object (an info without `--strict`).
       Pass the right file; check a fleet with `gitgpu validate`.
LNT004 A kustomization refers to a file or a directory that does not exist.
       Correct the path.
LNT005 `--strict`: no schema is known for a kind.
       Pass its CRD with `--crds`, or use `--ignore-missing-schemas`.
LNT006 Info: CEL rules or patterns of the CRDs were not evaluated.
       Install `gitgpu[cel]`.
LNT007 Values for an unknown chart.
       Correct the name of the chart.
LNT008 Info: kustomizations change the objects, and lint checked the files without these changes.
       Lint the output of `kustomize build`.
LNT009 Warning: a kustomization refers to a path outside the input and its Git work tree, or to a file that is not YAML.
       Use a relative path in the repository, or pass that file too.
LNT010 Info: two files outside of kustomizations define the same object differently; they are checked separately.
       List files that are applied together in a kustomization.yaml, or lint one directory at a time.
LNT011 Info: `--whole-cluster`, but some objects are outside the input, so missing objects are not reported.
       Lint the rendered manifests to check the whole cluster.
LNT013 Info: a broken symbolic link in a directory.
       Remove the link, or check out its target.
LNT014 Info: `--versions` or `lint.versions` names a release that gitgpu does not know; the nearest known one was used.
       Pass the CRDs of the cluster with `--crds`.
LNT015 Info: objects of a kind have pods, but gitgpu does not know where: they are not checked.
       Lint a Pod with the same spec.
LNT016 Warning: two fleets in the input write the same object of Flux or Argo CD for a cluster, with different contents.
       Give one of the two Fleets another `metadata.name`.
LNT017 Info: a file is output of `az aks` or an ARM template: only the rules about AKS clusters and node pools apply.
       Import it with `gitgpu import` for more.
LNT018 Warning: a node pool of Azure has managed GPUs and `driver: None`, which AKS ignores: it installs the driver.
       Remove `driver`, or set `managementMode: Unmanaged`.

# Suppressions
ALW001 Warning: a suppression that matches no finding.
       Remove it.
ALW002 A suppression without a code or a reason, which has no effect.
       Add both.
ALW003 Warning: an expired suppression.
       Fix the finding, or extend the date.
ALW004 A suppressed error that prevents compiling the fleet.
       Fix the error, and remove the suppression.
ALW005 Warning: a suppression of a code that does not exist. It has no effect.
       Use the code that the help suggests, or remove it.
"""
