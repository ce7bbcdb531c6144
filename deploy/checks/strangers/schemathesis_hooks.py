"""Values that a JSON Schema cannot describe."""

import schemathesis
from hypothesis import strategies as st

# Addresses under names that never resolve: the service may fetch them, or call them back.
schemathesis.openapi.format(
    "uri",
    st.integers(0, 10_000).map(lambda number: f"https://partner{number}.invalid/{number}.jpg"),
)

# Times in UTC of the years that the service accepts.
schemathesis.openapi.format(
    "date-time",
    st.integers(0, 32_000_000).map(lambda minute: f"{1970 + minute // 500_000}-01-01T{minute // 60 % 24:02}:{minute % 60:02}:00Z"),
)
