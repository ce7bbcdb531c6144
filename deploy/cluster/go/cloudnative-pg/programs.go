//go:build programs

// Package programs names what is built, so that `go mod tidy` keeps its requirements.
package programs

import _ "github.com/cloudnative-pg/cloudnative-pg/cmd/manager"
