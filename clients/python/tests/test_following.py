from __future__ import annotations

import unittest
from typing import Any

from both_clients import Asynchronous, ClientCase, Synchronous
from small_service import LOST, Reply, refusal

import tire_inspection as ti

CALLBACK = {"callback_id": "c", "type": "report.completed", "report_id": "r", "body": "{}", "headers": {}}


def part(cursor: str, callbacks: list[Any]) -> Reply:
    return Reply(200, {"callbacks": callbacks, "next_cursor": cursor, "recorded_since": "2026-11-21T04:00:00.000Z"})


class Cases:
    """Following callbacks and the request log, on both clients."""

    class Suite(ClientCase):
        def queries(self) -> list[dict[str, str]]:
            return [one.query for one in self.service.requests]

        def taken(self, parts: Any, count: int) -> list[Any]:
            return [next(parts) for _ in range(count)]

        def test_listens_from_now_on_and_leaves_out_empty_parts(self) -> None:
            self.service.replies["GET /callbacks"] = [part("7", []), part("7", []), part("8", [CALLBACK])]
            parts = self.taken(self.client.webhooks.listen(), 2)
            self.assertEqual([len(one["callbacks"]) for one in parts], [0, 1])
            later = {"after": "7", "wait_s": "25"}
            self.assertEqual(self.queries(), [{"wait_s": "25"}, later, later])

        def test_reads_a_lost_answer_again_from_the_same_cursor(self) -> None:
            self.service.replies["GET /callbacks"] = [part("8", [CALLBACK])]
            full = refusal(429, "rate_limited", {"retry-after": "1"}, retryable=True)
            self.service.troubles = {"/callbacks": [LOST, full, refusal(503, "internal_error", retryable=True)]}
            with self.pauses() as pauses:
                [only] = self.taken(self.client.webhooks.listen(after="7"), 1)
            self.assertEqual(only["callbacks"], [CALLBACK])
            self.assertEqual(self.queries(), [{"after": "7", "wait_s": "25"}] * 4)
            self.assertGreaterEqual(pauses.call_args_list[1].args[0], 1)

        def test_ends_with_what_repeating_cannot_put_right(self) -> None:
            self.service.replies["GET /callbacks"] = [refusal(403, "forbidden")]
            self.assertIsInstance(self.failure(lambda: next(self.client.webhooks.listen())), ti.ForbiddenError)
            self.assertEqual(len(self.service.requests), 1)

        def test_follows_the_request_log(self) -> None:
            line = {"method": "GET", "path": "/api/v1/reports", "status": 200}
            logged = [Reply(200, {"requests": found, "next_cursor": "1.b"}) for found in ([], [line])]
            self.service.replies["GET /requests"] = logged
            self.assertEqual([one["requests"] for one in self.taken(self.client.requests.tail(), 2)], [[], [line]])

        def test_polls_once(self) -> None:
            self.service.replies["GET /callbacks"] = [part("7", [])]
            self.service.replies["GET /requests"] = [Reply(200, {"requests": [], "next_cursor": "1.a"})]
            self.assertEqual(self.client.webhooks.poll()["next_cursor"], "7")
            self.assertEqual(self.client.requests.poll(after="1.a", wait_s=3)["next_cursor"], "1.a")
            self.assertEqual(self.queries(), [{"wait_s": "0"}, {"after": "1.a", "wait_s": "3"}])


class SynchronousClient(Synchronous, Cases.Suite):
    pass


class AsynchronousClient(Asynchronous, Cases.Suite):
    pass


if __name__ == "__main__":
    unittest.main()
