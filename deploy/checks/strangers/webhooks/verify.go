// Verifies one webhook with the published library: {secret, headers, body} as JSON on standard input.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	var webhook struct {
		Secret  string            `json:"secret"`
		Headers map[string]string `json:"headers"`
		Body    string            `json:"body"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&webhook); err != nil {
		panic(err)
	}
	headers := http.Header{}
	for name, value := range webhook.Headers {
		headers.Set(name, value)
	}
	verifier, err := standardwebhooks.NewWebhook(webhook.Secret)
	if err != nil {
		panic(err)
	}
	if err := verifier.Verify([]byte(webhook.Body), headers); err != nil {
		fmt.Fprintln(os.Stderr, "refused:", err)
		os.Exit(1)
	}
	fmt.Println("verified")
}
