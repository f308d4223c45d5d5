"""Argo CD health checks, in Lua, which the owner of `argocd-cm` has to add.

A sync wave waits until every object of the previous wave is healthy. The scripts use only the base library, because
Argo CD opens no other that they could need:
https://github.com/argoproj/argo-cd/blob/109ca7ca71139e514114499d294a492e7910a965/util/lua/lua.go
"""

# The script replaces Argo CD's own check for all DaemonSets, so it checks other DaemonSets as Argo CD does
# (gitops-engine/pkg/health/health_daemonset.go, same commit). A gitgpu DaemonSet is healthy once its controller has
# observed it: its pods run on nodes that come and go, and one unhealthy node must not block the next waves.
DAEMON_SET = """\
local status, labels = obj.status or {}, obj.metadata.labels or {}
if (status.observedGeneration or 0) < (obj.metadata.generation or 0) then
  return {status = "Progressing", message = "waiting for the DaemonSet controller to observe the change"}
end
local desired = status.desiredNumberScheduled or 0
local updated, available = status.updatedNumberScheduled or 0, status.numberAvailable or 0
local message = updated .. " of " .. desired .. " pods are updated, " .. available .. " are available"
local strategy = obj.spec ~= nil and obj.spec.updateStrategy or {}
if labels["app.kubernetes.io/managed-by"] == "gitgpu" or strategy.type == "OnDelete" then
  return {status = "Healthy", message = message}
end
if updated < desired or available < desired then
  return {status = "Progressing", message = message}
end
return {status = "Healthy", message = message}
"""

NODE_CLASS = """\
local hs = {status = "Progressing", message = "waiting for the Ready condition"}
if obj.status ~= nil and obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    if condition.type == "Ready" and condition.status == "True" then
      hs = {status = "Healthy", message = condition.message or ""}
    elseif condition.type == "Ready" and condition.status == "False" then
      hs = {status = "Degraded", message = condition.message or ""}
    end
  end
end
return hs
"""

SCRIPTS = {
    "resource.customizations.health.apps_DaemonSet": DAEMON_SET,
    "resource.customizations.health.karpenter.azure.com_AKSNodeClass": NODE_CLASS,
}
