"""An object of each kind of workload: the API server accepts it, by the CRD of its project.

The CRDs are in `../shared/crds`, `../shared/crds-of-charts`, or the folder that GITGPU_E2E_CRDS names. Kinds without a
CRD there are left out. No controller of these projects runs.
"""

import pytest

from tests.e2e.client import RefusedError
from tests.e2e.conftest import Cluster, Proved
from tests.journeys.test_kinds_of_workloads import objects

NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ml"}}  # of these objects
OWN = ("v1", "apps/v1", "batch/v1")  # versions of Kubernetes' own kinds


def test_objects_of_all_kinds_are_accepted(cluster: Cluster, proved: Proved) -> None:
    cluster.client.create(NAMESPACE)
    accepted, refused = [], []
    for body in objects():
        try:
            cluster.client.create(body, dry_run=True)
            accepted.append(body)
        except RefusedError as error:
            refused.append((body["kind"], str(error)))
        except KeyError:
            continue  # the API server does not serve the kind
    cluster.client.delete(NAMESPACE)
    assert refused == []
    of_projects = sorted({body["kind"] for body in accepted if body["apiVersion"] not in OWN})
    if not of_projects:
        pytest.skip("no CRD of these kinds")
    proved(f"accepted, without their controllers: {', '.join(of_projects)}")
