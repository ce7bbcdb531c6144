"""Stores one callback in webhook-headers.txt and webhook-body.json, and ends."""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        with open("webhook-body.json", "wb") as file:
            file.write(body)
        with open("webhook-headers.txt", "w") as file:
            file.writelines(f"{name.lower()}: {value}\n" for name, value in self.headers.items())
        self.send_response(204)
        self.end_headers()


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).handle_request()
