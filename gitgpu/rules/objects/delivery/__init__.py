"""Delivery: objects of Flux and Argo CD."""

from gitgpu.rules.kinds import ANY, RELEASES, kinds

PREFIX = "GIT"  # of the codes of new rules
KINDS = kinds(
    about=ANY,
    first={
        "default_of_definition_out_of_sync": RELEASES,
        "definition_with_two_owners": RELEASES,
        "upgrade_rolled_back_early": RELEASES,
        "health_checks_ignored": ("kustomize.toolkit.fluxcd.io/Kustomization",),
        "helm_repository_type_does_not_fit_url": ("source.toolkit.fluxcd.io/HelmRepository",),
        "ignore_differences_matches_nothing": ("argoproj.io/Application",),
        "ignored_source": ("argoproj.io/Application",),
        "incomplete_source": ("argoproj.io/Application",),
        "missing_flux_source": (
            "helm.toolkit.fluxcd.io/HelmRelease",
            "kustomize.toolkit.fluxcd.io/Kustomization",
            "source.toolkit.fluxcd.io/HelmChart",
        ),
        "object_applied_with_its_crd": RELEASES,
        "replicas_of_scaled_workload_in_git": ("autoscaling/HorizontalPodAutoscaler", "keda.sh/ScaledObject"),
        "undefined_flux_variable": ("kustomize.toolkit.fluxcd.io/Kustomization",),
        "unmet_flux_dependency": ("helm.toolkit.fluxcd.io/HelmRelease", "kustomize.toolkit.fluxcd.io/Kustomization"),
        "ssh_without_secret": ("source.toolkit.fluxcd.io/GitRepository",),
        "unpinned_chart": ("helm.toolkit.fluxcd.io/HelmRelease", "source.toolkit.fluxcd.io/OCIRepository"),
        "wrong_application_set_template": ("argoproj.io/ApplicationSet",),
    },
)
