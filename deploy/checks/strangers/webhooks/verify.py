"""Verifies one webhook with the published library: {secret, headers, body} as JSON on standard input."""

import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = json.load(sys.stdin)
try:
    Webhook(webhook["secret"]).verify(webhook["body"], webhook["headers"])
except WebhookVerificationError as error:
    sys.exit(f"refused: {error}")
print("verified")
