{{- define "tire.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "tire.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "tire.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "tire.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* The selector labels of a component. They never change within a release. Arguments: (dict "root" $ "component" name). */ -}}
{{- define "tire.selector" -}}
app.kubernetes.io/name: {{ include "tire.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "tire.metadata" -}}
name: {{ .name | default (printf "%s-%s" (include "tire.fullname" .root) .component) }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "tire.selector" . | nindent 2 }}
  app.kubernetes.io/part-of: tire-inspection
  app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .root.Release.Service }}
  helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
  {{- with mergeOverwrite (deepCopy .root.Values.commonLabels) (.labels | default dict) }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with mergeOverwrite (deepCopy .root.Values.commonAnnotations) (.annotations | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* Facts about each service that are not configurable: its database, the services it calls, the peers it may reach. */ -}}
{{- define "tire.catalogue" -}}
gateway: { app: gateway, grpc: false, probe: http, public: true, database: true, objectStore: true, callees: [ledger, content, share, assets] }
ledger: { app: ledger, grpc: true, probe: grpc, database: true, sealing: true, nats: true, callees: [assets, share, content] }
assets: { app: assets, grpc: true, probe: grpc, database: true, nats: true, objectStore: true, internet: true, callees: [ledger] }
content: { app: content, grpc: true, probe: grpc, database: true, nats: true, callees: [ledger] }
share: { app: share, grpc: true, probe: http, public: true, database: true, sealing: true, nats: true, objectStore: true, internet: true, callees: [ledger, content, assets] }
inference-tread: { app: inference, grpc: true, probe: grpc, nats: true, objectStore: true, callees: [assets], operations: tire.tread, gpu: true }
inference-sidewall: { app: inference, grpc: true, probe: grpc, nats: true, objectStore: true, callees: [assets], operations: tire.sidewall, gpu: true }
inference-fallback: { app: inference, grpc: true, probe: grpc, nats: true, objectStore: true, callees: [assets], operations: 'tire.tread,tire.sidewall' }
{{- end -}}

{{- /* The settings of one service: the defaults, overridden by those of its accelerator, overridden by its own. */ -}}
{{- define "tire.settings" -}}
{{- $facts := index (fromYaml (include "tire.catalogue" .root)) .component -}}
{{- $inference := .root.Values.inference -}}
{{- $between := dict -}}
{{- if eq (include "tire.onGpu" (dict "root" .root "facts" $facts)) "yes" -}}
{{- $between = dict "tmpSizeLimit" $inference.nvidia.tmpSizeLimit "resources" $inference.nvidia.resources "settings" (dict "MEMORY_CEILING_MIB" $inference.nvidia.memoryCeilingMib) -}}
{{- else if eq $facts.app "inference" -}}
{{- $between = dict "resources" $inference.cpu.resources -}}
{{- end -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) (deepCopy $between) (deepCopy (index .root.Values.services .component)) | toYaml -}}
{{- end -}}

{{- define "tire.isDeployed" -}}
{{- if (fromYaml (include "tire.settings" .)).enabled }}yes{{ end -}}
{{- end -}}

{{- define "tire.onGpu" -}}
{{- if and .facts.gpu (eq .root.Values.inference.accelerator "nvidia") }}yes{{ end -}}
{{- end -}}

{{- define "tire.image" -}}
{{- $image := .root.Values.image -}}
{{- $app := .app -}}
{{- if .cuda }}{{ $app = printf "%s-cuda" .app }}{{ end -}}
{{- $name := printf "%s/%s/%s" ($image.registry | default $image.ownRegistry) $image.repository $app -}}
{{- with index $image.digests $app -}}
{{- printf "%s@%s" $name . -}}
{{- else -}}
{{- printf "%s:%s" $name ($image.tag | default $.root.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{- /* A third-party image, from the mirror if one is set. */ -}}
{{- define "tire.foreignImage" -}}
{{- if .root.Values.image.registry -}}
{{- printf "%s/%s" .root.Values.image.registry (regexReplaceAll "^[^/]+/" .image "") -}}
{{- else -}}
{{- .image -}}
{{- end -}}
{{- end -}}

{{- define "tire.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "tire.serviceHost" -}}
{{- printf "%s-%s.%s.svc.%s" (include "tire.fullname" .root) .component .root.Release.Namespace .root.Values.clusterDomain -}}
{{- end -}}

{{- /* The Service object for gRPC clients of a component. */ -}}
{{- define "tire.grpcName" -}}
{{- $facts := index (fromYaml (include "tire.catalogue" .root)) .component -}}
{{- printf "%s-%s%s" (include "tire.fullname" .root) .component (ternary "-grpc" "" (hasKey $facts "public")) -}}
{{- end -}}
{{- define "tire.grpcAddress" -}}
{{- printf "%s.%s.svc.%s:50051" (include "tire.grpcName" .) .root.Release.Namespace .root.Values.clusterDomain -}}
{{- end -}}

{{- define "tire.service" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "tire.metadata" . | nindent 2 }}
spec:
  {{- if .headless }}
  clusterIP: None
  {{- end }}
  selector:
    {{- include "tire.selector" . | nindent 4 }}
  ports:
    {{- toYaml .ports | nindent 4 }}
{{- end -}}

{{- define "tire.scheme" -}}
{{- if or (eq .Values.environment "production") .Values.ingress.tls.enabled }}https{{ else }}http{{ end -}}
{{- end -}}
{{- define "tire.apiUrl" -}}{{ include "tire.scheme" . }}://{{ .Values.host }}/api/v1{{- end -}}
{{- define "tire.shareHost" -}}{{ .Values.shareHost | default .Values.host }}{{- end -}}
{{- define "tire.shareUrl" -}}{{ include "tire.scheme" . }}://{{ include "tire.shareHost" . }}{{- end -}}

{{- define "tire.databaseHost" -}}
{{- .Values.database.host | default (include "tire.serviceHost" (dict "root" . "component" "postgres")) -}}
{{- end -}}
{{- define "tire.natsUrl" -}}
{{- .Values.nats.url | default (printf "nats://%s:4222" (include "tire.serviceHost" (dict "root" . "component" "nats"))) -}}
{{- end -}}
{{- define "tire.objectStoreUrl" -}}
{{- .Values.objectStore.endpoint | trimSuffix "/" | default (printf "http://%s:8333" (include "tire.serviceHost" (dict "root" . "component" "seaweedfs"))) -}}
{{- end -}}
{{- define "tire.sslMode" -}}
{{- if and .Values.devDependencies.enabled (not .Values.database.host) }}disable{{ else }}{{ .Values.database.sslMode }}{{ end -}}
{{- end -}}
{{- /* Hooks run before the databases of a trial exist. */ -}}
{{- define "tire.migrationMode" -}}
{{- if and .Values.devDependencies.enabled (eq .Values.migrations.mode "hook") }}job{{ else }}{{ .Values.migrations.mode }}{{ end -}}
{{- end -}}
