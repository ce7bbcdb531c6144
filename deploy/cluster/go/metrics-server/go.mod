module tire.local/cluster/metrics-server

go 1.24.0

require sigs.k8s.io/metrics-server v0.8.0
