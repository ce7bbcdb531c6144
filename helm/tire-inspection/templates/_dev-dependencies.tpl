{{- /* The differences between the three servers of a trial. The rest is one template. */ -}}
{{- define "tire.devDependencies" -}}
postgres:
  image: {{ .Values.devDependencies.postgresImage }}
  port: 5432
  user: 70
  data: /var/lib/postgresql
  args: [postgres, -c, max_connections=300]
  # Directory of the server's socket.
  scratch: /var/run/postgresql
  secret: {{ .Values.database.existingSecret }}
  probe: { exec: { command: [pg_isready, -U, postgres] } }
nats:
  image: {{ .Values.devDependencies.natsImage }}
  port: 4222
  monitoringPort: 8222
  user: 1000
  data: /data
  args: [-js, -sd, /data, -m, '8222', -c, /etc/nats-users/nats-users.conf]
  users: files/nats-users.conf
  probe: { httpGet: { path: /healthz, port: 8222 } }
seaweedfs:
  image: {{ .Values.devDependencies.seaweedfsImage }}
  port: 8333
  user: 1000
  data: /data
  command: [weed]
  args: [-logtostderr, server, -dir=/data, -ip.bind=0.0.0.0, -ip=127.0.0.1, -s3, -s3.port=8333, -master.volumeSizeLimitMB=256, -volume.max=20]
  probe: { httpGet: { path: /healthz, port: 8333 } }
{{- end -}}

{{- define "tire.devEnv" -}}
{{- if eq .component "postgres" }}
- name: POSTGRES_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ .root.Values.database.existingSecret }}, key: postgres-password } }
{{- else if eq .component "nats" }}
{{- range $user := list "ledger" "assets" "inference" "content" "share" "operator" }}
- name: NATS_{{ upper $user }}_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ $.root.Values.nats.usersSecret }}, key: {{ $user }} } }
{{- end }}
{{- else if eq .component "seaweedfs" }}
- name: AWS_ACCESS_KEY_ID
  valueFrom: { secretKeyRef: { name: {{ .root.Values.objectStore.existingSecret }}, key: {{ .root.Values.objectStore.accessKeyKey }} } }
- name: AWS_SECRET_ACCESS_KEY
  valueFrom: { secretKeyRef: { name: {{ .root.Values.objectStore.existingSecret }}, key: {{ .root.Values.objectStore.secretKeyKey }} } }
{{- end }}
{{- end -}}
