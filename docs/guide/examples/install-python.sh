python3 -m venv .venv
.venv/bin/pip install "${TIRE_BASE_URL%/api/v1}/docs/packages/{{pythonPackage}}"
