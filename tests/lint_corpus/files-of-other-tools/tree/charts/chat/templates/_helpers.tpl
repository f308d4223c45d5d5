{{- define "chat.name" -}}chat{{- end }}
