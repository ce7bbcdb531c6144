"""Values that a JSON Schema cannot describe."""

import schemathesis
from hypothesis import strategies as st

# Addresses under names that never resolve: the service may fetch them, or call them back.
schemathesis.openapi.format(
    "uri",
    st.integers(0, 10_000).map(lambda number: f"https://partner{number}.invalid/{number}.jpg"),
)
