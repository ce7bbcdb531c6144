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


@schemathesis.hook
def before_call(context, case, **kwargs):
    """A capture link is for images that are uploaded: a request has it, or the addresses of images."""
    is_negative = case.meta is not None and case.meta.generation.mode.is_negative
    if not is_negative and isinstance(case.body, dict) and case.body.get("images") and case.body.get("capture"):
        case.body = {name: value for name, value in case.body.items() if name != "capture"}
