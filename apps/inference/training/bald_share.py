"""What the narrowest bald zone of a manifest (min_bald_share) finds and costs. Usage: python bald_share.py calibration.jsonl

The rows are those of `train_gpu.py --judge`, measured on true grooves without tracing. A tread that is bald on an eighth of its width or more and
is not called critical counts three times; a tread above 1.6 mm without a bald pixel that is critical only because of a zone counts once.
"""

import json
import sys
from pathlib import Path

SHARES = (0.1, 0.125, 0.15, 0.175, 0.2, 0.225)
LIMIT_MM, LEAST_BALD, MIN_SCORE = 1.6, 0.125, 0.9


def counts_at(rows: list[dict], share: float) -> dict[str, int]:
    found, missed, called, false, sound = 0, 0, 0, 0, 0
    for drawn, measured in ((row["drawn"], row["measured"]) for row in rows):
        is_found = measured["baldShare"]["0.5"] >= share
        is_critical = any(groove["intervalMm"][1] < LIMIT_MM for groove in measured["grooves"])
        if drawn["baldShare"] >= LEAST_BALD:
            found, missed = found + is_found, missed + (not is_found)
            called += not is_found and not is_critical and bool(measured["grooves"])
        depths = [groove["depthMm"] for groove in drawn["grooves"]]
        if drawn["baldShare"] == 0 and depths and min(depths) > LIMIT_MM:
            sound, false = sound + 1, false + (is_found and not is_critical)
    return {"found": found, "missed": missed, "not critical": called, "false": false, "sound": sound, "sum": 3 * called + false}


def main() -> None:
    rows = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    treads = [row for row in rows if row["drawn"]["tread"] == "yes" and row["measured"]["score"] >= MIN_SCORE]
    for share in SHARES:
        print(share, ", ".join(f"{name} {count}" for name, count in counts_at(treads, share).items()))


if __name__ == "__main__":
    main()
