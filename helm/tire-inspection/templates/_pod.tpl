{{- /* Pod Security "restricted" for every pod of the chart. */ -}}
{{- define "tire.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  {{- with .runAsUser }}
  runAsUser: {{ int . }}
  runAsGroup: {{ int . }}
  fsGroup: {{ int . }}
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "tire.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  privileged: false
  runAsNonRoot: true
  capabilities: { drop: [ALL] }
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- /* The Postgres client reads the password and the TLS settings from its standard variables, so no address contains a password. */ -}}
{{- define "tire.databaseEnv" -}}
{{- $database := .root.Values.database -}}
{{- $user := printf "%s%s_%s" $database.prefix .app .role -}}
- name: {{ .variable }}
  value: {{ printf "postgres://%s@%s:%d/%s%s" $user (include "tire.databaseHost" .root) (int $database.port) $database.prefix .app | quote }}
- name: PGPASSWORD
  valueFrom:
    secretKeyRef: { name: {{ $database.existingSecret }}, key: {{ .app }}-{{ .role }}-password }
- name: PGSSLMODE
  value: {{ include "tire.sslMode" .root }}
{{- end -}}

{{- define "tire.caEnv" -}}
{{- if .Values.trustedCa.existingSecret }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/tire/ca/{{ .Values.trustedCa.key }}
{{- end }}
{{- end -}}
{{- define "tire.caVolume" -}}
{{- with .Values.trustedCa.existingSecret }}
- name: trusted-ca
  secret: { secretName: {{ . }} }
{{- end }}
{{- end -}}
{{- define "tire.caMount" -}}
{{- if .Values.trustedCa.existingSecret }}
- { name: trusted-ca, mountPath: /etc/tire/ca, readOnly: true }
{{- end }}
{{- end -}}

{{- define "tire.natsEnv" -}}
- name: NATS_URL
  {{- if .root.Values.nats.existingSecret }}
  valueFrom:
    secretKeyRef: { name: {{ .root.Values.nats.existingSecret }}, key: {{ .root.Values.nats.existingSecretKey }} }
  {{- else }}
  value: {{ include "tire.natsUrl" .root | quote }}
  {{- end }}
{{- with .root.Values.nats.usersSecret }}
- name: NATS_PASSWORD
  valueFrom:
    secretKeyRef: { name: {{ . }}, key: {{ $.app }} }
{{- end }}
{{- end -}}

{{- define "tire.objectStoreEnv" -}}
{{- $store := .Values.objectStore -}}
- { name: OBJECT_STORE, value: s3 }
- { name: OBJECT_STORE_S3_ENDPOINT, value: {{ include "tire.objectStoreUrl" . | quote }} }
- { name: OBJECT_STORE_S3_REGION, value: {{ $store.region | quote }} }
- { name: OBJECT_STORE_S3_BUCKET, value: {{ $store.bucket | quote }} }
- name: OBJECT_STORE_S3_ACCESS_KEY
  valueFrom:
    secretKeyRef: { name: {{ $store.existingSecret }}, key: {{ $store.accessKeyKey }} }
- name: OBJECT_STORE_S3_SECRET_KEY
  valueFrom:
    secretKeyRef: { name: {{ $store.existingSecret }}, key: {{ $store.secretKeyKey }} }
{{- end -}}

{{- define "tire.telemetryEnv" -}}
{{- with .root.Values.telemetry.otlpEndpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
- { name: OTEL_TRACES_SAMPLER, value: parentbased_traceidratio }
- { name: OTEL_TRACES_SAMPLER_ARG, value: {{ $.root.Values.telemetry.sampleRatio | quote }} }
{{- end }}
- { name: OTEL_SERVICE_NAME, value: {{ .component }} }
{{- end -}}

{{- define "tire.env" -}}
{{- $root := .root -}}
{{- $facts := .facts -}}
{{- if $facts.database }}
{{ include "tire.databaseEnv" (dict "root" $root "app" $facts.app "role" "runtime" "variable" "DATABASE_URL") }}
{{- end }}
{{- if $facts.nats }}
{{ include "tire.natsEnv" (dict "root" $root "app" $facts.app) }}
{{- end }}
{{- /* The ledger makes the streams of all services. */}}
{{- if and (eq $facts.app "ledger") $root.Values.nats.streamReplicas }}
- { name: NATS_STREAM_REPLICAS, value: {{ $root.Values.nats.streamReplicas | quote }} }
{{- end }}
- name: SERVICE_PRIVATE_KEY
  valueFrom:
    secretKeyRef: { name: {{ $root.Values.serviceIdentity.existingSecret }}, key: {{ $facts.app }}-private-key }
{{- if $facts.grpc }}
- name: SERVICE_PUBLIC_KEYS
  valueFrom:
    secretKeyRef: { name: {{ $root.Values.serviceIdentity.existingSecret }}, key: public-keys }
- { name: GRPC_AUTH, value: {{ $root.Values.serviceIdentity.auth }} }
{{- end }}
{{- if $facts.sealing }}
- name: SEALING_KEYS
  valueFrom:
    secretKeyRef: { name: {{ $root.Values.serviceIdentity.existingSecret }}, key: {{ $facts.app }}-sealing-keys }
{{- end }}
{{- if eq $facts.app "assets" }}
{{ include "tire.objectStoreEnv" $root }}
{{- end }}
{{- range $facts.callees }}
- { name: {{ upper . }}_GRPC_URL, value: {{ include "tire.grpcAddress" (dict "root" $root "component" .) | quote }} }
{{- end }}
{{- if has $facts.app (list "gateway" "ledger" "content" "share") }}
- { name: PUBLIC_API_URL, value: {{ include "tire.apiUrl" $root | quote }} }
{{- end }}
{{- if has $facts.app (list "gateway" "ledger" "share") }}
- { name: SHARE_BASE_URL, value: {{ include "tire.shareUrl" $root | quote }} }
{{- end }}
{{- if has $facts.app (list "gateway" "share") }}
- { name: TRUSTED_PROXIES, value: {{ join "," $root.Values.trustedProxies | quote }} }
- { name: OBJECT_STORE_PUBLIC_ORIGIN, value: {{ $root.Values.objectStore.publicOrigin | default (include "tire.objectStoreUrl" $root) | quote }} }
{{- end }}
{{- if eq $facts.app "gateway" }}
- name: CONSOLE_SECRET_KEY
  valueFrom:
    secretKeyRef: { name: {{ $root.Values.console.existingSecret | default $root.Values.database.existingSecret }}, key: {{ $root.Values.console.existingSecretKey }} }
{{- with $root.Values.mail }}
{{- if .host }}
- { name: SMTP_HOST, value: {{ .host | quote }} }
- { name: SMTP_PORT, value: {{ .port | quote }} }
- { name: SMTP_TLS, value: {{ .tls | quote }} }
- { name: SMTP_FROM, value: {{ .from | quote }} }
{{- if .user }}
- { name: SMTP_USER, value: {{ .user | quote }} }
- name: SMTP_PASSWORD
  valueFrom:
    secretKeyRef: { name: {{ .existingSecret }}, key: {{ .existingSecretKey }} }
{{- end }}
{{- end }}
{{- end }}
{{- with $root.Values.sms }}
{{- if .url }}
- { name: SMS_URL, value: {{ .url | quote }} }
- { name: SMS_METHOD, value: {{ .method | quote }} }
- { name: SMS_HEADERS, value: {{ toJson .headers | quote }} }
- { name: SMS_BODY, value: {{ toJson .body | quote }} }
- { name: SMS_IDEMPOTENT, value: {{ .idempotent | quote }} }
{{- with .from }}
- { name: SMS_FROM, value: {{ . | quote }} }
{{- end }}
{{- with .success }}
- { name: SMS_SUCCESS, value: {{ . | quote }} }
{{- end }}
{{- with .idPath }}
- { name: SMS_ID_PATH, value: {{ . | quote }} }
{{- end }}
{{- if .existingSecret }}
- name: SMS_SECRET
  valueFrom:
    secretKeyRef: { name: {{ .existingSecret }}, key: {{ .existingSecretKey }} }
{{- end }}
{{- end }}
{{- end }}
{{- with $root.Values.console.openId }}
{{- if .issuer }}
- { name: CONSOLE_OIDC_ISSUER, value: {{ .issuer | quote }} }
- { name: CONSOLE_OIDC_CLIENT_ID, value: {{ .clientId | quote }} }
{{- if .existingSecret }}
- name: CONSOLE_OIDC_CLIENT_SECRET
  valueFrom:
    secretKeyRef: { name: {{ .existingSecret }}, key: {{ .existingSecretKey }} }
{{- end }}
{{- with .name }}
- { name: CONSOLE_OIDC_NAME, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- if eq $facts.app "inference" }}
- { name: INFERENCE_OPERATIONS, value: {{ $facts.operations | quote }} }
- { name: EXECUTION_PROVIDERS, value: {{ ternary "cuda,cpu" "cpu" (eq (include "tire.onGpu" .) "yes") | quote }} }
{{- if ne $root.Values.inference.models.source "image" }}
- { name: MODEL_REPOSITORY, value: /models }
{{- end }}
{{- end }}
- { name: HTTP_HOST, value: {{ $root.Values.listenAddress | quote }} }
{{- if $facts.grpc }}
- { name: GRPC_HOST, value: {{ $root.Values.listenAddress | quote }} }
{{- end }}
- { name: DRAIN_DELAY_MS, value: {{ mul .settings.drainDelaySeconds 1000 | quote }} }
{{- include "tire.telemetryEnv" . }}
{{- include "tire.caEnv" $root }}
{{- range $name, $value := .settings.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- with .settings.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "tire.spread" -}}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "tire.selector" $ | nindent 6 }}
{{- end }}
{{- end -}}

{{- define "tire.placement" -}}
{{- $gpu := eq (include "tire.onGpu" .) "yes" -}}
{{- $nvidia := .root.Values.inference.nvidia -}}
{{- with mergeOverwrite (ternary (deepCopy $nvidia.nodeSelector) (dict) $gpu) (deepCopy .settings.nodeSelector) }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with concat (ternary $nvidia.tolerations (list) $gpu) .settings.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- if and $gpu $nvidia.runtimeClassName }}
runtimeClassName: {{ $nvidia.runtimeClassName }}
{{- end }}
{{- if .settings.topologySpread }}
topologySpreadConstraints:
  {{- include "tire.spread" . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* Scheduling of pods that run once (migrations, tests, the bucket job of a trial) follows that of the services. */ -}}
{{- define "tire.oneOffPlacement" -}}
{{- with .Values.defaults.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.defaults.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.defaults.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.defaults.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "tire.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: operations }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /health/live, port: operations }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  {{- if eq .facts.probe "grpc" }}
  grpc: { port: 50051 }
  {{- else }}
  httpGet: { path: /health/ready, port: operations }
  {{- end }}
  periodSeconds: 3
  timeoutSeconds: 4
  failureThreshold: 2
{{- end -}}

{{- define "tire.modelVolume" -}}
{{- $models := .Values.inference.models -}}
{{- if eq $models.source "volume" }}
- name: models
  persistentVolumeClaim: { claimName: {{ $models.existingClaim }}, readOnly: true }
{{- else if eq $models.source "bucket" }}
- name: models
  emptyDir: { sizeLimit: {{ $models.sizeLimit }} }
{{- end }}
{{- end -}}

{{- define "tire.modelFetch" -}}
{{- $models := .root.Values.inference.models -}}
- name: models
  image: {{ .image }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  command: [node, dist/apps/inference/src/commands/fetch-models.js, /models]
  {{- include "tire.containerSecurity" . | nindent 2 }}
  env:
    - name: MODEL_MANIFESTS
      value: {{ $models.manifests | toJson | quote }}
    {{- with $models.existingSecret }}
    - name: MODEL_BUCKET_ACCESS_KEY
      valueFrom:
        secretKeyRef: { name: {{ . }}, key: {{ $models.accessKeyKey }} }
    - name: MODEL_BUCKET_SECRET_KEY
      valueFrom:
        secretKeyRef: { name: {{ . }}, key: {{ $models.secretKeyKey }} }
    - { name: MODEL_BUCKET_REGION, value: {{ $models.region | quote }} }
    {{- end }}
    {{- include "tire.caEnv" .root | nindent 4 }}
  resources:
    requests: { cpu: 100m, memory: 128Mi }
    limits: { memory: 256Mi }
  volumeMounts:
    - { name: models, mountPath: /models }
    {{- include "tire.caMount" .root | nindent 4 }}
{{- end -}}

{{- define "tire.resources" -}}
{{- $resources := deepCopy .settings.resources -}}
{{- if eq (include "tire.onGpu" .) "yes" -}}
{{- $gpu := dict .root.Values.inference.nvidia.resourceName (int .root.Values.inference.nvidia.count) -}}
{{- $resources = mergeOverwrite $resources (dict "requests" $gpu "limits" $gpu) -}}
{{- end -}}
{{- toYaml $resources -}}
{{- end -}}

{{- define "tire.pod" -}}
{{- $facts := .facts -}}
{{- $settings := .settings -}}
{{- $image := include "tire.image" (dict "root" .root "app" $facts.app "cuda" (eq (include "tire.onGpu" .) "yes")) -}}
{{- $models := and (eq $facts.app "inference") (ne .root.Values.inference.models.source "image") -}}
metadata:
  labels:
    {{- include "tire.selector" . | nindent 4 }}
    app.kubernetes.io/part-of: tire-inspection
    {{- with mergeOverwrite (deepCopy .root.Values.commonLabels) (deepCopy $settings.podLabels) }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    kubectl.kubernetes.io/default-container: {{ $facts.app }}
    {{- with $settings.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "tire.fullname" .root }}-{{ .component }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ int $settings.terminationGracePeriodSeconds }}
  {{- include "tire.podSecurity" $settings | nindent 2 }}
  {{- include "tire.pullSecrets" .root | nindent 2 }}
  {{- include "tire.placement" . | nindent 2 }}
  {{- if and $models (eq .root.Values.inference.models.source "bucket") }}
  initContainers:
    {{- include "tire.modelFetch" (dict "root" .root "image" $image) | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ $facts.app }}
      image: {{ $image }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      {{- include "tire.containerSecurity" . | nindent 6 }}
      env:
        {{- include "tire.env" . | trim | nindent 8 }}
      {{- with $settings.extraEnvFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        {{- if $facts.public }}
        - { name: http, containerPort: 8080 }
        {{- end }}
        - { name: operations, containerPort: 9464 }
        {{- if $facts.grpc }}
        - { name: grpc, containerPort: 50051 }
        {{- end }}
      {{- include "tire.probes" . | nindent 6 }}
      resources:
        {{- include "tire.resources" . | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- if $models }}
        - { name: models, mountPath: /models, readOnly: true{{ if eq .root.Values.inference.models.source "volume" }}{{ with .root.Values.inference.models.subPath }}, subPath: {{ . }}{{ end }}{{ end }} }
        {{- end }}
        {{- include "tire.caMount" .root | nindent 8 }}
        {{- with $settings.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: { sizeLimit: {{ $settings.tmpSizeLimit }} }
    {{- if $models }}
    {{- include "tire.modelVolume" .root | nindent 4 }}
    {{- end }}
    {{- include "tire.caVolume" .root | nindent 4 }}
    {{- with $settings.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
