printf 'Webhook secret: ' && read -rs TIRE_WEBHOOK_SECRET && export TIRE_WEBHOOK_SECRET && echo
