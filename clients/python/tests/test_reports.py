from __future__ import annotations

import json
import os
import pathlib
import signal
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from typing import Any

from both_clients import ID, READ, Asynchronous, ClientCase, Synchronous
from small_service import ALL_SLOTS, JPEG, LOST, TREADS, Reply, refusal

import tire_inspection as ti


class Cases:
    """Reports, on both clients."""

    class Suite(ClientCase):
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
            self.service.uploads_meet = threading.Barrier(3)
            self.client.reports.create_from_files(self.files(ALL_SLOTS[:6]), concurrency=3)
            self.assertEqual(self.service.uploads_at_once_max, 3)

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
            with self.assertRaises(ValueError):
                self.client.reports.create_from_files({})
            self.assertEqual(self.service.requests, [])

        def test_a_slot_that_does_not_exist_is_refused_before_anything_is_sent(self) -> None:
            reports = self.client.reports
            for wrong in ("tire.tread.frontleft", "tire.tread.front_left.jpg", "tyre.tread.front_left", "front_left"):
                files = {**self.files(TREADS), wrong: JPEG}
                for call in (
                    lambda files=files: reports.create_from_files(files),
                    lambda files=files: reports.replace_files("1", files),
                    lambda wrong=wrong: reports.create_upload_targets("1", [wrong]),
                    lambda wrong=wrong: reports.analyze("1", [wrong]),
                ):
                    error = self.failure(call)
                    self.assertEqual(
                        (type(error), str(error)[: len(wrong) + 13]), (ValueError, f"{wrong!r} is no slot")
                    )
            self.assertEqual(self.service.requests, [])

        def test_answers_that_are_lost_double_nothing(self) -> None:
            self.service.troubles = {
                "^POST /reports$": [LOST, LOST],
                **{f"^PUT .*{slot}": [LOST] for slot in TREADS[:3]},
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

        def test_an_old_key_leaves_slots_with_an_image_alone(self) -> None:
            first = self.client.reports.create({}, idempotency_key="old")
            targets = [{**one, "expires_at": "2026-01-01T00:00:00.000Z"} for one in first["upload_targets"]]
            self.service.replies["POST /reports"] = [Reply(201, {**first, "upload_targets": targets})]
            self.service.troubles = {f"^PUT .*{slot}": [Reply(403)] for slot in ALL_SLOTS if "sidewall" in slot}
            kinds: list[tuple[Any, Any]] = [
                (one["slot"], {} if one["slot"]["image_type"] == "tread" else None) for one in targets
            ]
            body = {"slots": [{"slot": slot, "asset": asset} for slot, asset in kinds]}
            self.service.replies[f"GET /reports/{first['report_id']}"] = [Reply(200, body)]
            created = self.client.reports.create_from_files(self.files(), idempotency_key="old")
            self.assertEqual(created["skipped"], TREADS)
            self.assertEqual(len(created["registered"]["images"]), 4)
            self.assertEqual(self.service.sent("^PUT .*tread"), [])

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
            for call, what in ((reports.analyze, "analyze"), (reports.reissue_share, "share"), (reports.issue_capture_link, "capture-link")):
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
                "DELETE /reports/1/capture-link": lambda: reports.revoke_capture_link("1"),
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


class SynchronousClient(Synchronous, Cases.Suite):
    def test_an_interrupt_repeats_and_begins_no_upload(self) -> None:
        self.service.troubles = {"^PUT ": [Reply(503, None, {"retry-after": "60"})] * 50}
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))

        def interrupt() -> None:
            while len(self.service.sent("^PUT ")) < 2:
                time.sleep(0.001)
            os.kill(os.getpid(), signal.SIGINT)

        interrupting = threading.Thread(target=interrupt)
        interrupting.start()
        with self.assertRaises(KeyboardInterrupt):
            self.client.reports.create_from_files(self.files(), concurrency=2)
        interrupting.join()
        self.assertEqual(len(self.service.sent("^PUT ")), 2)

    def test_a_refused_upload_ends_the_pauses_of_the_others(self) -> None:
        busy = Reply(503, None, {"retry-after": "60"})
        self.service.troubles = {f"^PUT .*{TREADS[0]}": [Reply(503), Reply(404)], "^PUT ": [busy] * 3}
        # Long enough for the others to pause before the refusal.
        client = self.new_client(self.service.base_url, retry_delay=0.2)
        began = time.monotonic()
        with self.assertRaises(ti.UploadError):
            client.reports.create_from_files(self.files(TREADS))
        self.assertLess(time.monotonic() - began, 30)


class AsynchronousClient(Asynchronous, Cases.Suite):
    pass


if __name__ == "__main__":
    unittest.main()
