{{- /* Checks that a JSON schema cannot express. All errors appear in one message. */ -}}
{{- define "tire.validate" -}}
{{- $values := .Values -}}
{{- $dev := $values.devDependencies.enabled -}}
{{- $faults := list -}}
{{- if not $values.host }}{{ $faults = append $faults "host: the public host of the API" }}{{ end -}}
{{- if not $values.database.existingSecret }}{{ $faults = append $faults "database.existingSecret: the secret with the passwords of the databases" }}{{ end -}}
{{- if not $values.objectStore.existingSecret }}{{ $faults = append $faults "objectStore.existingSecret: the secret with the keys of the S3 server" }}{{ end -}}
{{- if not (or $values.nats.usersSecret $values.nats.existingSecret) }}{{ $faults = append $faults "nats.usersSecret: the secret with the passwords of the users of NATS (or nats.existingSecret)" }}{{ end -}}
{{- if not $values.serviceIdentity.existingSecret }}{{ $faults = append $faults "serviceIdentity.existingSecret: the secret with the keys of the services" }}{{ end -}}
{{- if not $values.objectStore.bucket }}{{ $faults = append $faults "objectStore.bucket: the bucket for images" }}{{ end -}}
{{- if not $dev -}}
{{- if not $values.database.host }}{{ $faults = append $faults "database.host: the host of Postgres" }}{{ end -}}
{{- if not (or $values.nats.url $values.nats.existingSecret) }}{{ $faults = append $faults "nats.url: the address of NATS (or nats.existingSecret)" }}{{ end -}}
{{- if not $values.objectStore.endpoint }}{{ $faults = append $faults "objectStore.endpoint: the address of the S3 server" }}{{ end -}}
{{- end -}}
{{- if and $dev (eq $values.environment "production") }}{{ $faults = append $faults "devDependencies.enabled: refused if environment is production" }}{{ end -}}
{{- if and (eq $values.environment "production") $values.ingress.enabled (not $values.ingress.tls.enabled) }}{{ $faults = append $faults "ingress.tls.enabled: required if environment is production" }}{{ end -}}
{{- if and (eq $values.environment "production") (or $values.ingress.enabled $values.gatewayApi.enabled) (not $values.trustedProxies) }}{{ $faults = append $faults "trustedProxies: the addresses or networks from which the ingress controller connects; required if environment is production" }}{{ end -}}
{{- if and $values.console.openId.issuer (not $values.console.openId.clientId) }}{{ $faults = append $faults "console.openId.clientId: the client at the issuer" }}{{ end -}}
{{- if and $values.mail.host (not $values.mail.from) }}{{ $faults = append $faults "mail.from: the sender of every mail" }}{{ end -}}
{{- if and $values.mail.user (not $values.mail.existingSecret) }}{{ $faults = append $faults "mail.existingSecret: the secret with the password of mail.user" }}{{ end -}}
{{- if and $values.sms.url (not $values.sms.body) }}{{ $faults = append $faults "sms.body: the body of the request to sms.url" }}{{ end -}}
{{- with $values.sms -}}
{{- if and .url .body -}}
{{- $body := toJson .body -}}
{{- $named := print $body (toJson .headers) -}}
{{- if not (and (regexMatch "[{][{] *to(_national)? *[}][}]" $body) (regexMatch "[{][{] *text *[}][}]" $body)) }}{{ $faults = append $faults "sms.body: must name {{to}} or {{to_national}}, and {{text}}" }}{{ end -}}
{{- $namesSecret := regexMatch "[{][{] *secret *[}][}]" $named -}}
{{- if and $namesSecret (not .existingSecret) }}{{ $faults = append $faults "sms.existingSecret: needed, because {{secret}} is named in sms.headers or sms.body" }}{{ end -}}
{{- if and .existingSecret (not $namesSecret) }}{{ $faults = append $faults "sms.existingSecret: refused, because {{secret}} is named neither in sms.headers nor in sms.body" }}{{ end -}}
{{- if and (regexMatch "[{][{] *from *[}][}]" $named) (not .from) }}{{ $faults = append $faults "sms.from: needed, because {{from}} is named in sms.body" }}{{ end -}}
{{- if and .idempotent (not (regexMatch "[{][{] *id *[}][}]" $named)) }}{{ $faults = append $faults "sms.idempotent: needs {{id}} in sms.headers or sms.body" }}{{ end -}}
{{- end -}}
{{- end -}}
{{- with $values.sms.url -}}
{{- $port := include "tire.urlPort" . -}}
{{- $ports := list -}}
{{- range $values.networkPolicies.internetPorts }}{{ $ports = append $ports (toString .) }}{{ end -}}
{{- if and $values.networkPolicies.enabled (not (has $port $ports)) }}{{ $faults = append $faults (printf "networkPolicies.internetPorts: must have %s, the port of sms.url (and services.gateway.settings.OUTBOUND_PORTS too)" $port) }}{{ end -}}
{{- end -}}
{{- if and $values.gatewayApi.enabled (not $values.gatewayApi.parentRefs) }}{{ $faults = append $faults "gatewayApi.parentRefs: the gateways of the route" }}{{ end -}}
{{- if and $values.inference.keda.enabled (not $values.inference.keda.prometheusAddress) }}{{ $faults = append $faults "inference.keda.prometheusAddress: needed for inference.keda.enabled" }}{{ end -}}
{{- if and $values.inference.keda.enabled (contains "tire_slots_waiting" $values.inference.keda.query) (not $values.metrics.serviceMonitor) }}{{ $faults = append $faults "metrics.serviceMonitor: needed for inference.keda.query, which reads a metric of the ledger" }}{{ end -}}
{{- if and (eq $values.inference.models.source "volume") (not $values.inference.models.existingClaim) }}{{ $faults = append $faults "inference.models.existingClaim: needed for inference.models.source=volume" }}{{ end -}}
{{- if and (eq $values.inference.models.source "bucket") (not $values.inference.models.manifests) }}{{ $faults = append $faults "inference.models.manifests: needed for inference.models.source=bucket" }}{{ end -}}
{{- range $name := keys $values.services | sortAlpha -}}
{{- $s := fromYaml (include "tire.settings" (dict "root" $ "component" $name)) -}}
{{- if and (eq (int $s.autoscaling.minReplicas) 0) $s.autoscaling.enabled (not (and $values.inference.keda.enabled (has $name (list "inference-tread" "inference-sidewall")))) }}{{ $faults = append $faults (printf "services.%s.autoscaling.minReplicas: only KEDA scales to zero" $name) }}{{ end -}}
{{- if $s.enabled -}}
{{- $facts := index (fromYaml (include "tire.catalogue" $)) $name -}}
{{- $seen := dict -}}
{{- range fromYamlArray (include "tire.env" (dict "root" $ "component" $name "facts" $facts "settings" $s) | trim) -}}
{{- if hasKey $seen .name }}{{ $faults = append $faults (printf "services.%s.extraEnv: %s is listed twice, or is set by the chart or by settings" $name .name) }}{{ end -}}
{{- $_ := set $seen .name true -}}
{{- end -}}
{{- end -}}
{{- if lt (int $s.terminationGracePeriodSeconds) (add (int $s.drainDelaySeconds) 35 | int) }}{{ $faults = append $faults (printf "services.%s.terminationGracePeriodSeconds: at least %d, 35 more than drainDelaySeconds" $name (add (int $s.drainDelaySeconds) 35)) }}{{ end -}}
{{- if gt (int $s.autoscaling.minReplicas) (int $s.autoscaling.maxReplicas) }}{{ $faults = append $faults (printf "services.%s.autoscaling: minReplicas is above maxReplicas" $name) }}{{ end -}}
{{- end -}}
{{- if and $values.networkPolicies.enabled (eq $values.environment "production") -}}
{{- $stores := list (dict "key" "databaseTo" "host" (include "tire.databaseHost" .)) -}}
{{- range splitList "," (include "tire.natsUrl" .) }}{{ $stores = append $stores (dict "key" "natsTo" "host" (include "tire.urlHost" .)) }}{{ end -}}
{{- $stores = append $stores (dict "key" "objectStoreTo" "host" (include "tire.urlHost" (include "tire.objectStoreUrl" .))) -}}
{{- if eq $values.inference.models.source "bucket" -}}
{{- range $values.inference.models.manifests }}{{ $stores = append $stores (dict "key" "objectStoreTo" "host" (include "tire.urlHost" .url)) }}{{ end -}}
{{- end -}}
{{- if and $values.nats.existingSecret (not $values.networkPolicies.natsTo) }}{{ $faults = append $faults "networkPolicies.natsTo: the peers of NATS, because its address is in a secret (pods of the cluster: `- namespaceSelector: {}`)" }}{{ end -}}
{{- with $values.console.openId.issuer }}{{ $stores = append $stores (dict "key" "openIdTo" "host" (include "tire.urlHost" .)) }}{{ end -}}
{{- with $values.mail.host }}{{ $stores = append $stores (dict "key" "mailTo" "host" .) }}{{ end -}}
{{- range $stores -}}
{{- if and (not (index $values.networkPolicies .key)) (eq (include "tire.isOutside" (dict "root" $ "host" .host)) "yes") }}{{ $faults = append $faults (printf "networkPolicies.%s: the addresses of %s, which is outside this cluster (names in the cluster end with .svc)" .key .host) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if $faults }}{{ fail (printf "\n\nThese values are missing or invalid:\n  %s\n" (join "\n  " $faults)) }}{{ end -}}
{{- end -}}
