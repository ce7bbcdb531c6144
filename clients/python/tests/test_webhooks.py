from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
import unittest
from collections.abc import Iterable
from typing import get_args

from tire_inspection import WebhookEvent, WebhookVerificationError, models, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
PAYLOAD = json.dumps({"type": "report.completed", "data": {"plate": "가"}}, ensure_ascii=False)


def signed(secrets: Iterable[str] = (SECRET,), age: int = 0, body: str = PAYLOAD) -> dict[str, str]:
    timestamp = str(int(time.time()) - age)
    content = f"msg_1.{timestamp}.{body}".encode()
    keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in secrets]
    signatures = [base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode() for key in keys]
    return {
        "webhook-id": "msg_1",
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(f"v1,{one}" for one in signatures),
    }


class VerifyWebhook(unittest.TestCase):
    def test_a_signature_of_the_published_libraries(self) -> None:
        # The example of the Standard Webhooks libraries, which have the same constants in their tests.
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        event = verify_webhook('{"test": 2432232314}', headers, SECRET, tolerance_seconds=1e12)
        self.assertEqual(event, {"test": 2432232314})

    def test_text_and_bytes_and_headers_of_any_case(self) -> None:
        upper = {name.title(): value for name, value in signed().items()}
        for payload in (PAYLOAD, PAYLOAD.encode()):
            self.assertEqual(verify_webhook(payload, upper, SECRET), json.loads(PAYLOAD))

    def test_while_a_secret_is_being_replaced(self) -> None:
        verify_webhook(PAYLOAD, signed([OTHER, SECRET]), SECRET)
        verify_webhook(PAYLOAD, signed([OTHER]), [SECRET, OTHER])

    def test_judges_ten_signatures_of_its_version(self) -> None:
        others = {"webhook-signature": f"v1a,x {signed([*[OTHER] * 9, SECRET])['webhook-signature']}"}
        verify_webhook(PAYLOAD, {**signed(), **others}, SECRET)
        with self.assertRaises(WebhookVerificationError):
            verify_webhook(PAYLOAD, signed([*[OTHER] * 10, SECRET]), SECRET)

    def test_what_is_refused(self) -> None:
        v1a = signed()["webhook-signature"].replace("v1,", "v1a,")
        for name, payload, headers, secret in (
            ("another secret", PAYLOAD, signed(), OTHER),
            ("no secret", PAYLOAD, signed(), []),
            ("another body", f"{PAYLOAD} ", signed(), SECRET),
            ("another id", PAYLOAD, {**signed(), "webhook-id": "msg_2"}, SECRET),
            ("another version", PAYLOAD, {**signed(), "webhook-signature": v1a}, SECRET),
            ("no base64", PAYLOAD, {**signed(), "webhook-signature": "v1,%%%"}, SECRET),
            ("no ASCII", PAYLOAD, {**signed(), "webhook-signature": "v1,é"}, SECRET),
            ("an id that is no Unicode", PAYLOAD, {**signed(), "webhook-id": "\udce9"}, SECRET),
            ("a body that is no Unicode", "\udce9", signed(), SECRET),
            ("no headers", PAYLOAD, {}, SECRET),
            ("a time that is none", PAYLOAD, {**signed(), "webhook-timestamp": "now"}, SECRET),
            ("a time of 400 digits", PAYLOAD, {**signed(), "webhook-timestamp": "1" * 400}, SECRET),
            ("a time of 5,000 digits", PAYLOAD, {**signed(), "webhook-timestamp": "1" * 5_000}, SECRET),
            ("an old one", PAYLOAD, signed(age=301), SECRET),
            ("one of the future", PAYLOAD, signed(age=-310), SECRET),
            ("no JSON", "x", signed(body="x"), SECRET),
        ):
            with self.subTest(name), self.assertRaises(WebhookVerificationError):
                verify_webhook(payload, headers, secret)

    def test_the_types_of_events_are_those_of_the_document(self) -> None:
        def names(schema: type, field: str) -> list[str]:
            return re.findall(r"'([a-z]+\.[a-z]+)'", schema.__annotations__[field].__forward_arg__)

        events = [name for event in get_args(WebhookEvent) for name in names(event, "type")]
        self.assertEqual(sorted(events), sorted([*names(models.ReplayRequest, "types"), "callback.test"]))

    def test_the_tolerance_can_be_changed(self) -> None:
        verify_webhook(PAYLOAD, signed(age=500), SECRET, tolerance_seconds=600)
        with self.assertRaisesRegex(WebhookVerificationError, "tolerance"):
            verify_webhook(PAYLOAD, signed(age=100), SECRET, tolerance_seconds=60)

    def test_a_parsed_body_and_a_wrong_secret(self) -> None:
        with self.assertRaisesRegex(TypeError, "raw body"):
            verify_webhook(json.loads(PAYLOAD), signed(), SECRET)
        for wrong in ("not*base64", "비밀"):
            with self.assertRaisesRegex(ValueError, "^secret must be") as raised:
                verify_webhook(PAYLOAD, signed(), f"whsec_{wrong}")
            self.assertNotIn(wrong, str(raised.exception))


if __name__ == "__main__":
    unittest.main()
