jq -r .links.share report.json
