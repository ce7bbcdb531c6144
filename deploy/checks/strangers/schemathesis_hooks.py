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
def map_body(_context, body):
    """One image for each slot: the schema of an array cannot say that a part of its elements differs."""
    for name in ("images", "slots"):
        entries = body.get(name) if isinstance(body, dict) else None
        if isinstance(entries, list):
            seen = set()
            body[name] = [entry for entry in entries if is_first(entry, seen)]
    return body


def is_first(entry, seen):
    slot = entry.get("slot") if isinstance(entry, dict) else None
    key = str(sorted(slot.items(), key=str)) if isinstance(slot, dict) else None
    if key is not None and key in seen:
        return False
    seen.add(key)
    return True
