//go:build programs

// Package programs names what is built, so that `go mod tidy` keeps its requirements.
package programs

import (
	_ "github.com/cert-manager/cert-manager/cmd/controller"
	_ "github.com/cert-manager/cert-manager/cmd/webhook"
	_ "github.com/cert-manager/cert-manager/cmd/cainjector"
)
