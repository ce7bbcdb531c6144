{{- define "tire.anyNamespace" -}}
- namespaceSelector: {}
{{- end -}}

{{- /* Properties of a host that follow from its name. Argument: "host". */ -}}
{{- define "tire.isOutside" -}}
{{- if not (or (not (contains "." .host)) (hasSuffix ".svc" .host) (hasSuffix (printf ".svc.%s" .root.Values.clusterDomain) .host)) }}yes{{ end -}}
{{- end -}}

{{- /* The configured peers. Without them: the pods of the cluster for a host inside it, any address for a host outside (refused in production). */ -}}
{{- define "tire.peers" -}}
{{- if .peers -}}
{{ toYaml .peers }}
{{- else if eq (include "tire.isOutside" .) "yes" -}}
- ipBlock: { cidr: 0.0.0.0/0 }
- ipBlock: { cidr: '::/0' }
{{- else -}}
{{ include "tire.anyNamespace" . }}
{{- end -}}
{{- end -}}

{{- define "tire.urlHost" -}}
{{- (urlParse .).host | regexFind "^[^:]+" -}}
{{- end -}}
{{- define "tire.urlPort" -}}
{{- $url := urlParse . -}}
{{- with regexFind ":[0-9]+$" $url.host }}{{ trimPrefix ":" . }}{{ else }}{{ ternary "443" "80" (eq $url.scheme "https") }}{{ end -}}
{{- end -}}

{{- /* Ports of a rule: those of an address, and those of the pods behind it. A policy applies to the pod that a Service or a load balancer chooses. */ -}}
{{- define "tire.ports" -}}
{{- range concat .of (default list .behind) | toStrings | uniq }}
- { protocol: TCP, port: {{ . }} }
{{- end }}
{{- end -}}

{{- define "tire.egressCommon" -}}
{{- $network := .root.Values.networkPolicies -}}
- to:
    {{- $network.dnsTo | default (fromYamlArray (include "tire.anyNamespace" .)) | toYaml | nindent 4 }}
  ports:
    {{- range $network.dnsPorts }}
    - { protocol: UDP, port: {{ int . }} }
    - { protocol: TCP, port: {{ int . }} }
    {{- end }}
{{- with .root.Values.telemetry.otlpEndpoint }}
- to:
    {{- $network.telemetryTo | default (fromYamlArray (include "tire.anyNamespace" $)) | toYaml | nindent 4 }}
  ports:
    {{- include "tire.ports" (dict "of" (list (include "tire.urlPort" .)) "behind" $network.telemetryPorts) | nindent 4 }}
{{- end }}
{{- end -}}

{{- define "tire.egressDatabase" -}}
- to:
    {{- include "tire.peers" (dict "root" .root "peers" .root.Values.networkPolicies.databaseTo "host" (include "tire.databaseHost" .root)) | nindent 4 }}
  ports:
    {{- include "tire.ports" (dict "of" (list (int .root.Values.database.port)) "behind" .root.Values.networkPolicies.databasePorts) | nindent 4 }}
{{- end -}}

{{- define "tire.egressNats" -}}
{{- /* If one of several addresses is outside the cluster, any address is allowed, because the client chooses the address. */ -}}
{{- $host := "" -}}
{{- range splitList "," (include "tire.natsUrl" .root) -}}
{{- $one := include "tire.urlHost" . -}}
{{- if or (not $host) (eq (include "tire.isOutside" (dict "root" $.root "host" $one)) "yes") }}{{ $host = $one }}{{ end -}}
{{- end -}}
- to:
    {{- include "tire.peers" (dict "root" .root "peers" .root.Values.networkPolicies.natsTo "host" $host) | nindent 4 }}
  ports:
    {{- $ports := list -}}
    {{- range splitList "," .root.Values.nats.url | compact | default (list (printf ":%d" (int .root.Values.nats.port))) | toStrings -}}
    {{- $ports = append $ports (regexFind ":[0-9]+/?$" . | trimPrefix ":" | trimSuffix "/" | default "4222") -}}
    {{- end -}}
    {{- include "tire.ports" (dict "of" $ports "behind" .root.Values.networkPolicies.natsPorts) | nindent 4 }}
{{- end -}}

{{- define "tire.egressObjectStore" -}}
{{- $url := include "tire.objectStoreUrl" .root -}}
- to:
    {{- include "tire.peers" (dict "root" .root "peers" .root.Values.networkPolicies.objectStoreTo "host" (include "tire.urlHost" $url)) | nindent 4 }}
  ports:
    {{- include "tire.ports" (dict "of" (list (include "tire.urlPort" $url)) "behind" .root.Values.networkPolicies.objectStorePorts) | nindent 4 }}
{{- end -}}

{{- define "tire.egressInternet" -}}
{{- $closed := dict "0.0.0.0/0" list "::/0" list -}}
{{- range .root.Values.networkPolicies.privateRanges -}}
{{- $all := ternary "::/0" "0.0.0.0/0" (contains ":" .) -}}
{{- $_ := set $closed $all (append (index $closed $all) .) -}}
{{- end -}}
- to:
    {{- range $all, $except := $closed }}
    - ipBlock:
        cidr: {{ $all | quote }}
        {{- with $except }}
        except:
          {{- toYaml . | nindent 10 }}
        {{- end }}
    {{- end }}
  ports:
    {{- range .root.Values.networkPolicies.internetPorts }}
    - { protocol: TCP, port: {{ int . }} }
    {{- end }}
{{- end -}}

{{- /* The enabled services that call this one. */ -}}
{{- define "tire.callers" -}}
{{- $component := .component -}}
{{- range $name, $facts := fromYaml (include "tire.catalogue" .root) }}
{{- if and (has $component $facts.callees) (eq (include "tire.isDeployed" (dict "root" $.root "component" $name)) "yes") }}
- podSelector:
    matchLabels:
      {{- include "tire.selector" (dict "root" $.root "component" $name) | nindent 6 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "tire.networkPolicy" -}}
{{- $network := .root.Values.networkPolicies -}}
{{- $callers := include "tire.callers" . -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "tire.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "tire.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  {{- /* No service calls a worker: an empty list of rules denies everything. */}}
  {{- if or .facts.public (trim $callers) .root.Values.metrics.serviceMonitor }}
  ingress:
    {{- if .facts.public }}
    - ports:
        - { protocol: TCP, port: http }
      {{- with $network.publicFrom }}
      from:
        {{- toYaml . | nindent 8 }}
        {{- include "tire.testPeer" $ | nindent 8 }}
      {{- end }}
    {{- end }}
    {{- if and .facts.grpc (trim $callers) }}
    - ports:
        - { protocol: TCP, port: grpc }
      from:
        {{- $callers | trim | nindent 8 }}
    {{- end }}
    {{- if .root.Values.metrics.serviceMonitor }}
    - ports:
        - { protocol: TCP, port: operations }
      from:
        {{- $network.metricsFrom | default (fromYamlArray (include "tire.anyNamespace" .)) | toYaml | nindent 8 }}
    {{- end }}
  {{- end }}
  egress:
    {{- include "tire.egressCommon" . | nindent 4 }}
    {{- if .facts.database }}
    {{- include "tire.egressDatabase" . | nindent 4 }}
    {{- end }}
    {{- if .facts.nats }}
    {{- include "tire.egressNats" . | nindent 4 }}
    {{- end }}
    {{- if .facts.objectStore }}
    {{- include "tire.egressObjectStore" . | nindent 4 }}
    {{- end }}
    {{- if and (eq .facts.app "inference") (eq .root.Values.inference.models.source "bucket") }}
    {{- range .root.Values.inference.models.manifests }}
    - to:
        {{- include "tire.peers" (dict "root" $.root "peers" $network.objectStoreTo "host" (include "tire.urlHost" .url)) | nindent 8 }}
      ports:
        {{- include "tire.ports" (dict "of" (list (include "tire.urlPort" .url)) "behind" $network.objectStorePorts) | nindent 8 }}
    {{- end }}
    {{- end }}
    {{- with and (eq .facts.app "gateway") .root.Values.console.openId.issuer }}
    - to:
        {{- include "tire.peers" (dict "root" $.root "peers" $network.openIdTo "host" (include "tire.urlHost" .)) | nindent 8 }}
      ports:
        {{- include "tire.ports" (dict "of" (list (include "tire.urlPort" .)) "behind" $network.openIdPorts) | nindent 8 }}
    {{- end }}
    {{- with and (eq .facts.app "gateway") .root.Values.mail.host }}
    - to:
        {{- include "tire.peers" (dict "root" $.root "peers" $network.mailTo "host" .) | nindent 8 }}
      ports:
        {{- include "tire.ports" (dict "of" (list (int $.root.Values.mail.port)) "behind" $network.mailPorts) | nindent 8 }}
    {{- end }}
    {{- if or .facts.internet (and (eq .facts.app "gateway") .root.Values.sms.url) }}
    {{- include "tire.egressInternet" . | nindent 4 }}
    {{- end }}
    {{- range .facts.callees }}
    {{- if eq (include "tire.isDeployed" (dict "root" $.root "component" .)) "yes" }}
    - to:
        - podSelector:
            matchLabels:
              {{- include "tire.selector" (dict "root" $.root "component" .) | nindent 14 }}
      ports:
        - { protocol: TCP, port: grpc }
    {{- end }}
    {{- end }}
{{- end -}}

{{- define "tire.testPeer" -}}
- podSelector:
    matchLabels:
      {{- include "tire.selector" (dict "root" .root "component" "test") | nindent 6 }}
{{- end -}}
