module tire.local/cluster/pause

go 1.24.0
