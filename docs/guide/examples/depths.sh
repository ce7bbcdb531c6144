jq -r '.slots[] | [.slot_id, .analysis.status, .analysis.error.code // "-",
  (.analysis.result.individual_depths.individual_remaining_depth // [] | join(" "))] | @tsv' report.json
