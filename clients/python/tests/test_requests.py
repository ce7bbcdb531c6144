from __future__ import annotations

import asyncio
import inspect
import logging
import traceback
import unittest
from collections.abc import Callable
from typing import Any

import httpx
from both_clients import ID, READ, Asynchronous, ClientCase, Synchronous, report
from small_service import JPEG, KEY, LOST, TREADS, Reply, SmallService, refusal

import tire_inspection as ti
from tire_inspection import async_client, client
from tire_inspection._flows import Call, Flow, Pause, Policy, polled


class Cases:
    """Errors, repetition and waiting, on both clients."""

    class Suite(ClientCase):
        def test_each_code_has_a_class(self) -> None:
            for code, kind in {**ti.errors.CLASSES, "a_later_code": ti.ApiError}.items():
                faults = [{"param": "x", "message": "one"}, {"param": "y", "message": "two"}]
                self.service.replies[READ] = [refusal(409, code, param="x", report_id=ID, errors=faults)]
                error = self.failure(lambda: self.client.reports.get(ID))
                self.assertIs(type(error), kind)
                facts = (error.code, error.status, error.param, error.report_id, error.errors, str(error))
                self.assertEqual(facts, (code, 409, "x", ID, faults, f"It is {code}."))
                self.assertEqual(error.request_id, f"request-{len(self.service.requests)}")

        def test_the_codes_are_those_of_the_document(self) -> None:
            text = ti.models.ErrorEnvelopeError.__annotations__["code"].__forward_arg__
            self.assertEqual(
                set(ti.errors.CLASSES), {part for part in text.split("'") if part.isidentifier()} - {"Literal"}
            )

        def test_repeats_what_is_retryable_as_often_as_it_was_told(self) -> None:
            later = refusal(503, "internal_error", retryable=True)
            purge = refusal(409, "report_purge_pending", retryable=True)
            self.service.replies[READ] = [later, purge, report("complete")]
            self.assertEqual(self.client.reports.get(ID)["analysis_status"], "complete")
            self.service.replies[READ] = [later]
            once = self.new_client(self.service.base_url, max_retries=1)
            self.assertIsInstance(self.failure(lambda: once.reports.get(ID)), ti.InternalError)
            self.assertEqual(len(self.service.requests), 5)

        def test_waits_for_as_long_as_retry_after_says(self) -> None:
            busy = refusal(429, "rate_limited", {"retry-after": "1"}, retryable=True)
            self.service.replies[READ] = [busy, report("complete")]
            with self.pauses() as pausing:
                self.client.reports.get(ID)
            pausing.assert_called_once_with(1)
            self.service.replies[READ] = [refusal(429, "rate_limited", {"retry-after": "3600"}, retryable=True)]
            self.assertEqual(self.failure(lambda: self.client.reports.get(ID)).retry_after, 3600)

        def test_an_answer_of_something_in_between(self) -> None:
            html = {"content-type": "text/html"}
            self.service.replies[READ] = [Reply(502, b"<html>", html), report("complete")]
            self.client.reports.get(ID)
            self.service.replies[READ] = [Reply(403, b"<html>", html)]
            error = self.failure(lambda: self.client.reports.get(ID))
            self.assertEqual((type(error), error.code, error.retryable), (ti.ApiError, "http_403", False))
            self.service.replies[READ] = [Reply(200, b"<html>login</html>", html)]
            self.assertIsInstance(self.failure(lambda: self.client.reports.get(ID)), ti.ConnectionFailed)

        def test_follows_no_redirect(self) -> None:
            stranger = SmallService()
            self.addCleanup(stranger.stop)
            self.service.replies[READ] = [Reply(307, None, {"location": f"{stranger.base_url}/reports/{ID}"})]
            self.assertEqual(self.failure(lambda: self.client.reports.get(ID)).code, "http_307")
            self.assertEqual(stranger.requests, [])

        def test_no_error_and_no_log_shows_a_secret(self) -> None:
            one = {TREADS[0]: JPEG}
            self.service.replies[READ] = [refusal(401, "unauthorized")]
            shown: list[str] = []

            def note(call: Callable[[], Any]) -> None:
                error = self.failure(call)
                seen: BaseException | None = error
                while seen is not None:
                    shown.append("".join(traceback.format_exception(seen)) + repr(vars(seen)))
                    seen = seen.__cause__ or seen.__context__

            with self.assertLogs(level=logging.DEBUG) as logs:
                logging.getLogger("httpx").info("another request of this program")
                note(lambda: self.client.reports.get(ID))
                self.client.reports.create_from_files(one)
                self.service.troubles = {"^PUT": [Reply(404)]}
                note(lambda: self.client.reports.create_from_files(one))
                self.service.troubles = {"^PUT": [LOST] * 50}
                note(lambda: self.client.reports.create_from_files(one))
                note(lambda: self.new_client("http://127.0.0.1:1", max_retries=0).reports.get(ID))
                note(lambda: self.new_client(self.service.base_url, api_key=f"{KEY}\n"))
            shown += [*logs.output, repr(self.client), repr(vars(self.client))]
            self.assertGreaterEqual(len(shown), 8)
            self.assertIn("another request of this program", "".join(logs.output))
            for text in shown:
                self.assertNotRegex(text, "svc_test_|secret-signature")

        def test_an_attempt_without_an_answer_ends_at_its_time_limit(self) -> None:
            impatient = self.new_client(self.service.base_url, timeout=0.05, max_retries=1)
            self.service.replies[READ] = [report("complete")]
            with self.service.held():
                error = self.failure(lambda: impatient.reports.get(ID))
            self.assertIsInstance(error, ti.ConnectionFailed)
            self.assertIn("in time", str(error))

        def test_waits_until_a_state_is_reached(self) -> None:
            for until, replies, last in (
                ("finished", [report("processing"), report("partial")], "partial"),
                ("complete", [report("awaiting_images"), report("processing"), report("complete")], "complete"),
                ("published", [report("complete"), report("complete", "published")], "published"),
                (
                    lambda found: found["analysis_status"] == "failed",
                    [report("processing"), report("failed")],
                    "failed",
                ),
            ):
                self.service.requests.clear()
                self.service.replies[READ] = list(replies)
                found = self.client.reports.wait_for(ID, until, poll=0.001)
                self.assertIn(last, (found["analysis_status"], found["publication_status"]))
                self.assertEqual(len(self.service.requests), len(replies))

        def test_ends_when_a_state_cannot_be_reached_any_more(self) -> None:
            for until, reply in (
                ("complete", report("partial")),
                ("published", report("failed")),
                ("published", report("complete", "revoked")),
            ):
                self.service.replies[READ] = [report("processing"), reply]
                error = self.failure(lambda until=until: self.client.reports.wait_for(ID, until, poll=0.001))  # type: ignore[misc]
                self.assertIsInstance(error, ti.ReportOutcomeError)
                self.assertEqual(error.report, reply.body)
            with self.assertRaises(ValueError):
                self.client.reports.wait_for(ID, "done")

        def test_a_wait_ends_at_its_deadline(self) -> None:
            processing = report("processing")
            self.service.replies[READ] = [Reply(200, processing.body, {"retry-after": "60"})]
            with self.pauses() as pausing:
                error = self.failure(lambda: self.client.reports.wait_for(ID, timeout=30, poll=0.005))
            [(left,)] = [one.args for one in pausing.mock_calls]
            self.assertTrue(0 < left < 30)
            self.assertIsInstance(error, ti.WaitTimeout)
            self.assertEqual(error.report["analysis_status"], "processing")
            self.service.replies[READ] = [refusal(429, "rate_limited", {"retry-after": "60"}, retryable=True)]
            self.assertIsNone(self.failure(lambda: self.client.reports.wait_for(ID, timeout=0.05)).report)

        def test_waits_for_content(self) -> None:
            pending = Reply(202, {"status": "pending"}, {"retry-after": "1"})
            self.service.replies[f"{READ}/content"] = [pending, Reply(200, {"status": "ready"})]
            with self.pauses() as pausing:
                self.assertEqual(self.client.reports.wait_for_content(ID, poll=0.001), {"status": "ready"})
            pausing.assert_called_once_with(1)


class SynchronousClient(Synchronous, Cases.Suite):
    def test_closes_its_own_connections_only(self) -> None:
        with httpx.Client() as http_client:
            with ti.TireInspection(KEY, self.service.base_url, http_client=http_client) as client:
                self.service.replies[READ] = [report("complete")]
                client.reports.get(ID)
            self.assertFalse(http_client.is_closed)
        with ti.TireInspection(KEY, self.service.base_url) as client:
            pass
        with self.assertRaises(RuntimeError):
            client.reports.get(ID)


class AsynchronousClient(Asynchronous, Cases.Suite):
    def test_is_cancelled_like_any_task(self) -> None:
        self.service.replies[READ] = [report("processing")]

        async def cancelled() -> None:
            async with ti.AsyncTireInspection(KEY, self.service.base_url) as client:
                waiting = asyncio.ensure_future(client.reports.wait_for(ID))
                while not self.service.requests:
                    await asyncio.sleep(0)
                waiting.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await waiting

        self.loop.run_until_complete(cancelled())
        self.assertEqual(len(self.service.requests), 1)


class Deadlines(unittest.TestCase):
    def test_an_attempt_that_the_deadline_ended_is_not_repeated(self) -> None:
        def begun() -> Flow[Any]:
            flow = polled("It", Call("GET", "/"), bool, Policy(4, 0.001, timeout=30), timeout=10, poll=1)
            effect = flow.send(None)
            self.assertTrue(isinstance(effect, Call) and effect.timeout is not None and 0 < effect.timeout <= 10)
            return flow

        with self.assertRaises(ti.WaitTimeout):
            begun().throw(ti.ConnectionFailed("no answer in time", timed_out=True))
        self.assertIsInstance(begun().throw(ti.ConnectionFailed("refused")), Pause)


class SameMethods(unittest.TestCase):
    def test_both_clients_have_the_same_methods_and_parameters(self) -> None:
        def parameters(kind: type) -> dict[str, list[str]]:
            found = inspect.getmembers(kind, inspect.isfunction)
            return {name: [str(one) for one in inspect.signature(method).parameters.values()] for name, method in found}

        reports = parameters(client.Reports)
        self.assertEqual(reports, parameters(async_client.AsyncReports))
        self.assertEqual(parameters(client.Vehicles), parameters(async_client.AsyncVehicles))
        self.assertEqual(parameters(client.Webhooks), parameters(async_client.AsyncWebhooks))
        self.assertGreater(len(reports), 15)


if __name__ == "__main__":
    unittest.main()
