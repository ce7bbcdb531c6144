#!/usr/bin/env bash
# publish.sh <registry> <namespace> <version>: builds the six images, pushes and signs them with their SBOM, and does the same with the chart,
# which names the images by digest. Needs docker, helm and cosign, logged in to the registry. A version of which an image or the chart exists is
# refused.
set -euo pipefail
cd "$(dirname "$0")/../.."
registry=$1 namespace=${2,,} version=$3
repository=$namespace/tire-inspection
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

apps=(gateway ledger assets inference content share)
node deploy/release/free.mjs "$registry" "$version" "${apps[@]/#/$repository/}" "$namespace/charts/tire-inspection"

: > "$out/digests"
for app in "${apps[@]}"; do
  image=$registry/$repository/$app
  docker build -f deploy/Dockerfile --build-arg "APP=$app" -t "$image:$version" .
  docker push "$image:$version"
  pushed=$(docker image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$image:$version" | grep -F "$image@sha256:")
  cosign sign --yes "$pushed"
  # The image holds the SBOM of its own content.
  container=$(docker create "$image:$version")
  docker cp "$container:/app/sbom.cdx.json" "$out/$app.cdx.json"
  docker rm "$container"
  cosign attest --yes --type cyclonedx --predicate "$out/$app.cdx.json" "$pushed"
  echo "$app=${pushed#*@}" >> "$out/digests"
done

node deploy/release/chart.mjs "$registry" "$repository" "$out/chart" < "$out/digests"
helm package "$out/chart" --destination "$out"
helm push "$out/tire-inspection-$version.tgz" "oci://$registry/$namespace/charts" 2>&1 | tee "$out/push"
digest=$(sed -n 's/^Digest: //p' "$out/push")
cosign sign --yes "$registry/$namespace/charts/tire-inspection@$digest"
echo "helm install tire oci://$registry/$namespace/charts/tire-inspection --version $version"
