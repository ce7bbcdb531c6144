from __future__ import annotations

import json
import unittest
from typing import Any

from both_clients import Asynchronous, ClientCase, Synchronous
from small_service import LOST, Reply, refusal

import tire_inspection as ti

PERIOD = {"queued_from": "2026-11-21T04:00:00Z", "queued_before": "2026-11-21T06:00:00Z", "state": "abandoned"}


def part(replayed: int, next_cursor: str | None) -> Reply:
    return Reply(202, {"replayed": replayed, "next_cursor": next_cursor})


class Cases:
    """Replays of callbacks, on both clients."""

    class Suite(ClientCase):
        def bodies(self) -> list[Any]:
            return [json.loads(one.body) for one in self.service.requests]

        def test_replays_part_after_part_and_waits_for_room_as_often_as_it_takes(self) -> None:
            no_room = refusal(429, "rate_limited", {"retry-after": "0"}, retryable=True)
            parts = [part(1000, "a"), *[no_room] * 6, part(0, "b"), part(12, None)]
            self.service.replies["POST /webhooks/replay"] = parts
            self.assertEqual([one["replayed"] for one in self.client.webhooks.replay(PERIOD)], [1000, 0, 12])
            wanted = [PERIOD, *[{**PERIOD, "cursor": "a"}] * 7, {**PERIOD, "cursor": "b"}]
            self.assertEqual(self.bodies(), wanted)

        def test_replays_no_part_that_nobody_asked_for_and_goes_on_from_a_cursor(self) -> None:
            self.service.replies["POST /webhooks/replay"] = [part(1, "b")]
            for one in self.client.webhooks.replay({**PERIOD, "cursor": "a"}):
                if one["next_cursor"] == "b":
                    break
            self.assertEqual(self.bodies(), [{**PERIOD, "cursor": "a"}])

        def test_a_replay_repeats_nothing_that_may_have_been_done(self) -> None:
            replies, what = self.service.replies, "POST /webhooks/replay"
            replies[what] = [refusal(503, "internal_error", retryable=True)]
            self.assertIsInstance(self.failure(lambda: next(self.client.webhooks.replay(PERIOD))), ti.InternalError)
            self.service.troubles = {what: [LOST]}
            self.assertIsInstance(self.failure(lambda: next(self.client.webhooks.replay(PERIOD))), ti.ConnectionFailed)
            self.assertEqual(len(self.service.requests), 2)
            replies[what] = [refusal(429, "rate_limited", {"retry-after": "60"}, retryable=True)]
            impatient = self.client.webhooks.replay(PERIOD, timeout=0.03)
            self.assertIsInstance(self.failure(lambda: next(impatient)), ti.WaitTimeout)


class SynchronousClient(Synchronous, Cases.Suite):
    pass


class AsynchronousClient(Asynchronous, Cases.Suite):
    pass


if __name__ == "__main__":
    unittest.main()
