from __future__ import annotations

import copy
import pickle
import unittest
from collections.abc import Iterator
from typing import Any

import tire_inspection as ti
from tire_inspection.errors import CLASSES, api_error

REPORT: Any = {"report_id": "1", "analysis_status": "failed", "publication_status": "unpublished"}


def every_kind(kind: type[ti.TireInspectionError] = ti.TireInspectionError) -> Iterator[type[ti.TireInspectionError]]:
    yield kind
    for further in kind.__subclasses__():
        yield from every_kind(further)


class Errors(unittest.TestCase):
    def test_each_can_be_pickled_and_copied(self) -> None:
        details = {"type": "api_error", "message": "It is so.", "param": "x", "retryable": True, "report_id": "1"}
        facts: dict[str, Any] = {"status": 409, "request_id": "request-1", "retry_after": 2.0}
        errors: list[ti.TireInspectionError] = [
            *[api_error({"error": {**details, "code": code}}, **facts) for code in (*CLASSES, "a_later_code")],
            ti.TireInspectionError("It is so."),
            ti.ConnectionFailed("no answer in time", timed_out=True),
            ti.UploadError("tire.tread.front_left", 503, 2.0),
            ti.ImageFileError("tire.tread.front_left", "the file is empty."),
            ti.WaitTimeout("The state complete of the report", 300, REPORT),
            ti.ReportOutcomeError("complete", REPORT),
            ti.WebhookVerificationError("The body is not JSON."),
        ]
        for error in errors:
            for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
                self.assertEqual((type(other), str(other), other.args), (type(error), str(error), error.args))
                self.assertEqual(vars(other), vars(error))
        self.assertEqual({type(error) for error in errors}, set(every_kind()))


if __name__ == "__main__":
    unittest.main()
