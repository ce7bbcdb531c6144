npm install "${TIRE_BASE_URL%/api/v1}/docs/packages/{{typescriptPackage}}"
