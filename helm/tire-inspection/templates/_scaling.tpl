{{- define "tire.horizontalPodAutoscaler" -}}
{{- $scaling := .settings.autoscaling -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "tire.metadata" . | nindent 2 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ include "tire.fullname" .root }}-{{ .component }} }
  minReplicas: {{ int $scaling.minReplicas }}
  maxReplicas: {{ int $scaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ int $scaling.cpuPercent }} }
  behavior:
    scaleDown: { stabilizationWindowSeconds: 300 }
{{- end -}}

{{- define "tire.scaledObject" -}}
{{- $keda := .root.Values.inference.keda -}}
{{- $scaling := .settings.autoscaling -}}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  {{- include "tire.metadata" . | nindent 2 }}
spec:
  scaleTargetRef: { name: {{ include "tire.fullname" .root }}-{{ .component }} }
  pollingInterval: {{ int $keda.pollingIntervalSeconds }}
  cooldownPeriod: {{ int $keda.cooldownSeconds }}
  minReplicaCount: {{ int $scaling.minReplicas }}
  maxReplicaCount: {{ int $scaling.maxReplicas }}
  triggers:
    - type: prometheus
      metadata:
        serverAddress: {{ $keda.prometheusAddress | quote }}
        query: {{ $keda.query | replace "CONSUMER" .component | replace "OPERATION" .facts.operations | replace "NAMESPACE" .root.Release.Namespace | quote }}
        threshold: {{ $keda.slotsPerWorker | quote }}
        activationThreshold: '0'
        # A missing series is an error. By default it counts as 0, and workers would stop while a queue is full.
        ignoreNullValues: 'false'
{{- end -}}

{{- define "tire.serviceMonitor" -}}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  {{- include "tire.metadata" (merge (dict "labels" .root.Values.metrics.labels) .) | nindent 2 }}
spec:
  jobLabel: app.kubernetes.io/component
  selector:
    matchLabels:
      {{- include "tire.selector" . | nindent 6 }}
  endpoints:
    - port: http
      path: /metrics
      interval: {{ .root.Values.metrics.interval }}
{{- end -}}
