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
    """Valid requests: a capture link is for images that are uploaded, so one with addresses of images has none; and the project has no branch."""
    is_negative = case.meta is not None and case.meta.generation.mode.is_negative
    if is_negative or not isinstance(case.body, dict):
        return
    without = {"branch_id", *(["capture"] if case.body.get("images") else [])}
    case.body = {name: value for name, value in case.body.items() if name not in without}
