//go:build programs

// Package programs names what is built, so that `go mod tidy` keeps its requirements.
package programs

import _ "sigs.k8s.io/metrics-server/cmd/metrics-server"
