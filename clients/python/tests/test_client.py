from __future__ import annotations

import asyncio
import inspect
import json
import logging
import pathlib
import tempfile
import time
import traceback
import unittest
from collections.abc import Callable
from typing import Any

import httpx
from small_service import ALL_SLOTS, JPEG, KEY, LOST, TREADS, Reply, SmallService, refusal

import tire_inspection as ti

ID = "01978a34-5c00-7000-8000-000000000001"
READ = f"GET /reports/{ID}"


def report(analysis_status: str, publication_status: str = "unpublished") -> Reply:
    states = {"analysis_status": analysis_status, "publication_status": publication_status}
    return Reply(200, {"schema_version": "report.v1", "report_id": ID, **states})


class Blocking:
    """The asynchronous client as if each call waited, so that one suite tests both."""

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._target = target
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._target, name)
        if not callable(found):
            return Blocking(found, self._loop)

        def call(*args: Any, **settings: Any) -> Any:
            result = found(*args, **settings)
            if inspect.isasyncgen(result):
                return self._iterate(result)
            return self._loop.run_until_complete(result)

        return call

    def _iterate(self, generator: Any) -> Any:
        try:
            while True:
                try:
                    yield self._loop.run_until_complete(generator.__anext__())
                except StopAsyncIteration:
                    return
        finally:
            self._loop.run_until_complete(generator.aclose())


class ClientCases:
    """What both clients do."""

    class Suite(unittest.TestCase):
        service: SmallService

        def new_client(self, base_url: str, **settings: Any) -> Any:
            raise NotImplementedError

        def setUp(self) -> None:
            self.service = SmallService()
            self.addCleanup(self.service.stop)
            self.client = self.new_client(f"{self.service.base_url}/")

        def only_report(self) -> dict[str, Any]:
            self.assertEqual(len(self.service.reports), 1)
            return next(iter(self.service.reports.values()))

        def files(self, slots: list[str] | None = None) -> dict[str, Any]:
            return dict.fromkeys(slots or ALL_SLOTS, JPEG)

        def failure(self, call: Callable[[], Any]) -> Any:
            with self.assertRaises(Exception) as raised:
                call()
            return raised.exception

        def test_one_call_creates_uploads_and_registers(self) -> None:
            created = self.client.reports.create_from_files(self.files(), {"plate_number": "12가 3456"})
            self.assertEqual((created["share_url"], created["skipped"]), ("https://share.example/r/token", []))
            self.assertEqual([one["status"] for one in created["registered"]["images"]], ["accepted"] * 8)
            self.assertEqual(sorted(self.only_report()["slots"]), sorted(ALL_SLOTS))
            self.assertEqual(set(self.service.uploaded.values()), {JPEG})
            self.assertEqual({one.headers["content-type"] for one in self.service.sent("^PUT")}, {"image/jpeg"})
            [creation] = self.service.sent("^POST /reports$")
            self.assertEqual(json.loads(creation.body), {"plate_number": "12가 3456"})

        def test_uploads_as_many_at_once_as_it_was_told(self) -> None:
            self.client.reports.create_from_files(self.files(), concurrency=3)
            self.assertIn(self.service.uploads_at_once_max, (2, 3))

        def test_reads_files_by_their_path(self) -> None:
            with tempfile.TemporaryDirectory() as folder:
                jpeg, png = pathlib.Path(folder, "a.jpg"), pathlib.Path(folder, "b.png")
                jpeg.write_bytes(JPEG)
                png.write_bytes(b"\x89PNG\r\n\x1a\n")
                self.client.reports.create_from_files({TREADS[0]: jpeg, TREADS[1]: str(png)})
            types = {one.path.split("/")[2]: one.headers["content-type"] for one in self.service.sent("^PUT")}
            self.assertEqual(types, {TREADS[0]: "image/jpeg", TREADS[1]: "image/png"})

        def test_wrong_files_are_refused_before_anything_is_sent(self) -> None:
            for bad, fault in ((b"GIF89a", "neither"), (b"", "empty"), (b"\xff" * (20 * 1024 * 1024 + 1), "more than")):
                with self.assertRaisesRegex(ti.ImageFileError, fault):
                    self.client.reports.create_from_files({**self.files(TREADS), TREADS[2]: bad})
            with self.assertRaisesRegex(ti.ImageFileError, "no sidewalls"):
                self.client.reports.create_from_files(self.files(), {"template": "tire_4t_0s"})
            for wrong in ({}, {"front_left": JPEG}):
                with self.assertRaises(ValueError):
                    self.client.reports.create_from_files(wrong)
            self.assertEqual(self.service.requests, [])

        def test_answers_that_are_lost_double_nothing(self) -> None:
            self.service.troubles = {
                "^POST /reports$": [LOST, LOST],
                "^PUT ": [LOST, LOST, LOST],
                "^POST .*/images$": [LOST],
            }
            self.client.reports.create_from_files(self.files())
            self.assertEqual(self.only_report()["analyses"], 8)
            counts = [len(self.service.sent(what)) for what in ("^POST /reports$", "^PUT ", "/images$")]
            self.assertEqual(counts, [3, 11, 2])

        def test_each_creation_has_a_key(self) -> None:
            for key in (None, None, "order-4711"):
                self.client.reports.create({}, idempotency_key=key)
            keys = [one.headers["idempotency-key"] for one in self.service.requests]
            self.assertEqual((len(set(keys)), keys[2]), (3, "order-4711"))
            for key in ("", "주문-1", "x" * 256):
                with self.assertRaises(ValueError):
                    self.client.reports.create({}, idempotency_key=key)
            with self.assertRaises(ti.IdempotencyConflictError):
                self.client.reports.create({"plate_number": "1"}, idempotency_key="order-4711")

        def test_an_expired_address_is_replaced_for_its_slot_only(self) -> None:
            self.service.troubles = {"^PUT .*sidewall.rear_left": [Reply(403)]}
            self.client.reports.create_from_files(self.files())
            self.assertEqual(len(self.only_report()["slots"]), 8)
            [asked] = self.service.sent("/upload-targets$")
            slot = {"position": "rear_left", "image_type": "sidewall"}
            self.assertEqual(json.loads(asked.body), {"slots": [{"module_type": "tire", "slot": slot}]})

        def test_a_refused_upload_names_its_slot(self) -> None:
            self.service.troubles = {"^PUT .*tread.rear_left": [Reply(403), Reply(403)]}
            error = self.failure(lambda: self.client.reports.create_from_files(self.files(TREADS)))
            self.assertIsInstance(error, ti.UploadError)
            self.assertEqual((error.slot_id, error.status), ("tire.tread.rear_left", 403))
            self.assertEqual(self.service.sent("/images$"), [])

        def test_goes_on_with_the_images_that_are_missing(self) -> None:
            first = self.client.reports.create({"external_inspection_id": "visit-9"})
            left = [one for one in first["upload_targets"] if one["slot"]["image_type"] == "sidewall"]
            for targets, skipped in ((left, TREADS), ([], ALL_SLOTS)):
                self.service.replies["POST /reports"] = [Reply(201, {**first, "upload_targets": targets})]
                created = self.client.reports.create_from_files(self.files(), {"external_inspection_id": "visit-9"})
                self.assertEqual(created["skipped"], skipped)
                self.assertEqual(created["registered"] is None, not targets)

        def test_replaces_images(self) -> None:
            created = self.client.reports.create_from_files(self.files(TREADS))
            self.client.reports.replace_files(created["report_id"], self.files(TREADS[:1]))
            self.assertEqual([one.query for one in self.service.sent("/images$")], [{}, {"replace": "true"}])
            self.assertEqual(self.only_report()["analyses"], 5)

        def test_lists_page_after_page(self) -> None:
            def page(ids: str, following: str | None) -> Reply:
                return Reply(200, {"reports": [{"report_id": one} for one in ids], "next_cursor": following})

            self.service.replies["GET /reports"] = [page("ab", "second"), page("c", "third"), page("d", None)]
            found = []
            for one in self.client.reports.list(plate_number="12가 3456", limit=2):
                found.append(one["report_id"])
                if one["report_id"] == "c":
                    break
            self.assertEqual(found, ["a", "b", "c"])
            filters = {"plate_number": "12가 3456", "limit": "2"}
            self.assertEqual([one.query for one in self.service.requests], [filters, {**filters, "cursor": "second"}])

        def test_reads_content_again_only_if_it_has_changed(self) -> None:
            etag = {"etag": 'W/"1"'}
            ready = {"status": "ready"}
            self.service.replies[f"{READ}/content"] = [Reply(200, ready, etag), Reply(304, None, etag)]
            self.assertEqual(self.client.reports.content_unless(None, ID), (ready, 'W/"1"'))
            self.assertIsNone(self.client.reports.content_unless('W/"1"', ID))
            self.assertEqual(self.service.requests[1].headers["if-none-match"], 'W/"1"')

        def test_what_must_run_once_is_repeated_only_where_nothing_was_done(self) -> None:
            reports = self.client.reports
            for call, what in ((reports.analyze, "analyze"), (reports.reissue_share, "share")):
                self.service.requests.clear()
                replies = self.service.replies
                replies[f"POST /reports/1/{what}"] = [refusal(503, "internal_error", retryable=True), Reply(202, {})]
                self.assertIsInstance(self.failure(lambda call=call: call("1")), ti.InternalError)  # type: ignore[misc]
                replies[f"POST /reports/1/{what}"] = [refusal(429, "rate_limited", retryable=True), Reply(202, {})]
                self.assertEqual(call("1"), {})
                self.service.troubles = {what: [LOST]}
                self.assertIsInstance(self.failure(lambda call=call: call("1")), ti.ConnectionFailed)  # type: ignore[misc]
                self.assertEqual(len(self.service.requests), 4)

        def test_every_other_operation_has_its_method_and_path(self) -> None:
            reports = self.client.reports
            calls: dict[str, Callable[[], Any]] = {
                "GET /reports/1": lambda: reports.get("1"),
                "GET /reports/1/content": lambda: reports.content("1"),
                "GET /reports/1/content/2": lambda: reports.content_revision("1", "2"),
                "POST /reports/1/publish": lambda: reports.publish("1"),
                "GET /reports/1/share": lambda: reports.share("1"),
                "DELETE /reports/1/share": lambda: reports.revoke_share("1"),
                "DELETE /reports/1": lambda: reports.discard("1"),
                "GET /vehicles/car%2F12": lambda: self.client.vehicles.get("car/12"),
            }
            for what, call in calls.items():
                self.service.replies[what] = [Reply(200, {"what": what})]
                self.assertEqual(call(), {"what": what})

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
            began = time.monotonic()
            self.client.reports.get(ID)
            self.assertGreaterEqual(time.monotonic() - began, 0.99)
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
            waiting = self.service._lock
            with waiting:
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
            self.service.replies[READ] = [report("processing")]
            error = self.failure(lambda: self.client.reports.wait_for(ID, timeout=0.05, poll=0.005))
            self.assertIsInstance(error, ti.WaitTimeout)
            self.assertEqual(error.report["analysis_status"], "processing")
            self.service.replies[READ] = [refusal(429, "rate_limited", {"retry-after": "60"}, retryable=True)]
            self.assertIsNone(self.failure(lambda: self.client.reports.wait_for(ID, timeout=0.05)).report)

        def test_waits_for_content(self) -> None:
            pending = Reply(202, {"status": "pending"}, {"retry-after": "1"})
            self.service.replies[f"{READ}/content"] = [pending, Reply(200, {"status": "ready"})]
            began = time.monotonic()
            self.assertEqual(self.client.reports.wait_for_content(ID, poll=0.001), {"status": "ready"})
            self.assertGreaterEqual(time.monotonic() - began, 0.99)


class SynchronousClient(ClientCases.Suite):
    def new_client(self, base_url: str, api_key: str = KEY, **settings: Any) -> Any:
        client = ti.TireInspection(api_key, base_url, **{"retry_delay": 0.001, **settings})
        self.addCleanup(client.close)
        return client

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


class AsynchronousClient(ClientCases.Suite):
    def setUp(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.addCleanup(self.loop.close)
        super().setUp()

    def new_client(self, base_url: str, api_key: str = KEY, **settings: Any) -> Any:
        client = ti.AsyncTireInspection(api_key, base_url, **{"retry_delay": 0.001, **settings})
        self.addCleanup(lambda: self.loop.run_until_complete(client.close()))
        return Blocking(client, self.loop)

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


if __name__ == "__main__":
    unittest.main()
