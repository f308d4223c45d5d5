"""Delivery: objects of Flux and Argo CD."""

from gitgpu.model.names.kinds import (
    APPLICATION,
    APPLICATION_SET,
    BUCKET,
    FLUX_KUSTOMIZATION,
    GIT_REPOSITORY,
    HELM_CHART,
    HELM_RELEASE,
    HELM_REPOSITORY,
    HORIZONTAL_POD_AUTOSCALER,
    OCI_REPOSITORY,
    SCALED_OBJECT,
)
from gitgpu.rules.kinds import ANY, RELEASES, kinds

PREFIX = "GIT"  # of the codes of new rules
KINDS = kinds(
    about=ANY,
    first={
        "default_of_definition_out_of_sync": RELEASES,
        "definition_with_two_owners": RELEASES,
        "upgrade_rolled_back_early": RELEASES,
        "flux_object_with_conflicting_fields": (HELM_RELEASE, FLUX_KUSTOMIZATION, BUCKET, GIT_REPOSITORY, HELM_CHART),
        "health_checks_ignored": (FLUX_KUSTOMIZATION,),
        "helm_repository_type_does_not_fit_url": (HELM_REPOSITORY,),
        "ignore_differences_matches_nothing": (APPLICATION,),
        "ignored_source": (APPLICATION,),
        "incomplete_source": (APPLICATION,),
        "missing_flux_source": (
            HELM_RELEASE,
            FLUX_KUSTOMIZATION,
            HELM_CHART,
        ),
        "object_applied_with_its_crd": RELEASES,
        "replicas_of_scaled_workload_in_git": (HORIZONTAL_POD_AUTOSCALER, SCALED_OBJECT),
        "undefined_flux_variable": (FLUX_KUSTOMIZATION,),
        "unmet_flux_dependency": (HELM_RELEASE, FLUX_KUSTOMIZATION),
        "ssh_without_secret": (GIT_REPOSITORY,),
        "source_controller_without_tokens": (BUCKET, GIT_REPOSITORY, OCI_REPOSITORY),
        "unpinned_chart": (HELM_RELEASE, OCI_REPOSITORY),
        "wrong_application_set_template": (APPLICATION_SET,),
    },
)
