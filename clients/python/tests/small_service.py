"""What the service does with a creation, its uploads and their registration, over a real socket and in memory."""

from __future__ import annotations

import json
import re
import sys
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

KEY = "svc_test_0123456789abcdef"
JPEG = b"\xff\xd8\xff\xe0\x00\x10\x01\x02"
POSITIONS = ("front_left", "front_right", "rear_left", "rear_right")
ALL_SLOTS = [f"tire.{kind}.{position}" for kind in ("tread", "sidewall") for position in POSITIONS]
TREADS = ALL_SLOTS[:4]

#: The request is carried out and the connection ends without an answer.
LOST = "lost"


@dataclass
class Reply:
    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes


def refusal(status: int, code: str, headers: dict[str, str] | None = None, **more: Any) -> Reply:
    error = {"type": "api_error", "code": code, "message": f"It is {code}.", "param": None, "retryable": False, **more}
    return Reply(status, {"error": error}, headers or {})


class SmallService:
    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.reports: dict[str, dict[str, Any]] = {}
        self.uploaded: dict[str, bytes] = {}
        #: By a pattern of `METHOD /path`; each is used once.
        self.troubles: dict[str, list[Reply | str]] = {}
        #: By `METHOD /path`; the last one stays.
        self.replies: dict[str, list[Reply]] = {}
        #: So many uploads wait for each other before one of them is answered.
        self.uploads_meet = threading.Barrier(1)
        self.uploads_at_once_max = 0
        self._uploads_at_once = 0
        self._answers: dict[str, tuple[bytes, Reply]] = {}
        self._lock = threading.Lock()
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one(self) -> None:
                service.handle(self)

            do_GET = do_POST = do_PUT = do_DELETE = handle_one

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                if not isinstance(sys.exc_info()[1], ConnectionError):
                    super().handle_error(request, client_address)

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.base_url = f"{self.origin}/api/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def held(self) -> threading.Lock:
        """No request is answered while it is held."""
        return self._lock

    def sent(self, what: str) -> list[Request]:
        return [one for one in self.requests if re.search(what, f"{one.method} {one.path}")]

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        url = urlsplit(handler.path)
        headers = {name.lower(): value for name, value in handler.headers.items()}
        path = url.path.removeprefix("/api/v1")
        request = Request(handler.command, path, dict(parse_qsl(url.query)), headers, body)
        what = f"{request.method} {path}"
        with self._lock:
            self.requests.append(request)
            number = len(self.requests)
            found = (left for pattern, left in self.troubles.items() if left and re.search(pattern, what))
            trouble = next(found, [None]).pop(0) if any(self.troubles.values()) else None
        reply = trouble if isinstance(trouble, Reply) else self._reply(request, what)
        if trouble == LOST:
            handler.close_connection = True
            return
        text = (
            b""
            if reply.body is None
            else reply.body
            if isinstance(reply.body, bytes)
            else json.dumps(reply.body).encode()
        )
        handler.send_response(reply.status)
        own = {"content-type": "application/json", "x-request-id": f"request-{number}", **reply.headers}
        for name, value in {**own, "content-length": str(len(text))}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(text)

    def _reply(self, request: Request, what: str) -> Reply:
        if request.method == "PUT":
            return self._upload(request)
        if request.headers.get("authorization") != f"Bearer {KEY}":
            return refusal(401, "unauthorized")
        if prepared := self.replies.get(what):
            return prepared.pop(0) if len(prepared) > 1 else prepared[0]
        routes: dict[str, Callable[[Request], Reply]] = {
            r"^POST /reports$": self._create,
            r"^POST .*/images$": self._register,
            r"^POST .*/upload-targets$": self._targets,
        }
        with self._lock:
            for pattern, answer in routes.items():
                if re.search(pattern, what):
                    return answer(request)
        return refusal(404, "not_found")

    def _target(self, report_id: str, slot_id: str) -> dict[str, Any]:
        _, image_type, position = slot_id.split(".")
        asset_id = str(uuid.uuid4())
        return {
            "asset_id": asset_id,
            "module_type": "tire",
            "slot": {"position": position, "image_type": image_type},
            "upload_url": f"{self.origin}/storage/{slot_id}/{asset_id}?signature=secret-signature",
            "required_headers": {"Cache-Control": "max-age=60"},
            "expires_at": "2126-01-01T00:00:00.000Z",
        }

    def _create(self, request: Request) -> Reply:
        key = request.headers.get("idempotency-key")
        if key in self._answers:
            body, reply = self._answers[key]
            return reply if body == request.body else refusal(409, "idempotency_conflict")
        report_id = str(uuid.uuid4())
        slots = TREADS if json.loads(request.body).get("template") == "tire_4t_0s" else ALL_SLOTS
        targets = [self._target(report_id, slot) for slot in slots]
        share = "https://share.example/r/token"
        answer = {"report_id": report_id, "status": "awaiting_images", "share_url": share, "upload_targets": targets}
        self.reports[report_id] = {"slots": {}, "analyses": 0}
        reply = Reply(201, answer)
        if key is not None:
            self._answers[key] = (request.body, reply)
        return reply

    def _upload(self, request: Request) -> Reply:
        with self._lock:
            self._uploads_at_once += 1
            self.uploads_at_once_max = max(self.uploads_at_once_max, self._uploads_at_once)
        self.uploads_meet.wait(60)
        # One more than may be sent at the same time would arrive meanwhile.
        time.sleep(0.02)
        with self._lock:
            self._uploads_at_once -= 1
        if request.headers.get("cache-control") != "max-age=60" or "authorization" in request.headers:
            return Reply(400)
        self.uploaded[request.path.split("/")[3]] = request.body
        return Reply()

    def _register(self, request: Request) -> Reply:
        report = self.reports[request.path.split("/")[2]]
        images = json.loads(request.body)["images"]
        if not all(image["asset_id"] in self.uploaded for image in images):
            return refusal(422, "validation_error", param="asset_id")
        answered = []
        for image in images:
            slot_id = f"tire.{image['slot']['image_type']}.{image['slot']['position']}"
            is_new = report["slots"].get(slot_id) != image["asset_id"]
            report["slots"][slot_id] = image["asset_id"]
            report["analyses"] += is_new
            status = "accepted" if is_new else "unchanged"
            answered.append({"slot_id": slot_id, "asset_id": image["asset_id"], "status": status})
        return Reply(202, {"report_id": "1", "analysis_status": "processing", "images": answered})

    def _targets(self, request: Request) -> Reply:
        slots = [one["slot"] for one in json.loads(request.body)["slots"]]
        ids = [f"tire.{slot['image_type']}.{slot['position']}" for slot in slots]
        report_id = request.path.split("/")[2]
        return Reply(201, {"report_id": report_id, "upload_targets": [self._target(report_id, one) for one in ids]})
