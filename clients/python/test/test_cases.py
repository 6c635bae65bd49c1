"""What every client decides alike, by the table that the TypeScript client is tested with too."""

from __future__ import annotations

import datetime
import email.message
import http.client
import json
import pathlib
import unittest
from decimal import Decimal
from typing import Any

import rounds_client as rc

CASES = json.loads((pathlib.Path(__file__).parent / "../../conformance-cases.json").read_text())
EPOCH = datetime.datetime.fromtimestamp(0, datetime.timezone.utc)


class Cases(unittest.TestCase):
    def each(self, name: str) -> Any:
        cases = CASES[name]
        self.assertTrue(cases)
        for case in cases["events"] if isinstance(cases, dict) else cases:
            with self.subTest(case=case):
                yield case

    def test_wait_before(self) -> None:
        for case in self.each("waitBefore"):
            asked = None if case["retryAfterMs"] is None else case["retryAfterMs"] / 1_000
            self.assertEqual(rc._wait_before(case["failures"], asked, case["random"]) * 1_000, case["waitMs"])

    def test_took_too_long(self) -> None:
        for case in self.each("tookTooLong"):
            error = rc.RoundsError("", code=case["code"], status=case["status"])
            self.assertEqual(rc._took_too_long(error, case["attemptMs"] / 1_000), case["tooLong"])

    def test_batch_size(self) -> None:
        size = rc._BatchSize(CASES["batchSize"]["max"])
        for case in self.each("batchSize"):
            if case["event"] == "wasTooLarge":
                size.was_too_large(case["count"])
            else:
                getattr(size, case["event"])(case["count"], case["ms"] / 1_000)
            self.assertEqual(size.current, case["then"])

    def test_queries(self) -> None:
        for case in self.each("queries"):
            self.assertEqual(rc._query_text(case["query"]), case["text"])
        with self.assertRaisesRegex(TypeError, r"from must be .* Use int\(date\.timestamp\(\) \* 1000\)"):
            rc._query_text({"from": EPOCH})
        self.assertEqual(rc._query_text({"from": None, "limit": Decimal("1.50")}), "?limit=1.50")

    def test_answers(self) -> None:
        for case in self.each("answers"):
            headers = http.client.HTTPMessage()
            if "retryAfter" in case:
                headers["retry-after"] = case["retryAfter"]
            answer = rc._Answer(case["status"], headers, case["text"].encode())
            if case["is"] == "answer":
                self.assertEqual(rc._read_answer(answer, EPOCH), json.loads(case["text"]))
                continue
            with self.assertRaises(rc.RoundsError) as caught:
                rc._read_answer(answer, EPOCH)
            error = caught.exception
            asked = None if error.retry_after_s is None else error.retry_after_s * 1_000
            self.assertEqual(
                [error.code, error.status, error.retryable, asked],
                [case["is"], case["status"], case["retryable"], case.get("retryAfterMs")],
            )

    def test_split_refused(self) -> None:
        for case in self.each("splitRefused"):
            batch = [rc._Queued(key, patient, b"{}") for key, patient in enumerate(case["patients"])]
            errors: list[rc.FieldError] = [{"pointer": one, "message": "wrong"} for one in case["pointers"]]
            error = rc.RoundsError("", code="ValidationFailed", status=case["status"], errors=errors)
            parts = rc._split_refused(batch, error)
            self.assertEqual([[queued.key for queued in part] for part in parts], case["parts"])


class Json(unittest.TestCase):
    def test_numbers_and_texts_are_written_without_loss(self) -> None:
        for value, text in [
            (36.6, "36.6"),
            (1e22, "1e+22"),
            (12345678901234567890, "12345678901234567890"),
            (Decimal("36.600000000000000000001"), "36.600000000000000000001"),
            (Decimal("1E+400"), "1E+400"),
            ({"a": [None, True, False, ("é😀", -0.0)]}, '{"a":[null,true,false,["é😀",-0.0]]}'),
            ("\ud800", '"\\ud800"'),
            ("\u2028\x00\"", '"\u2028\\u0000\\""'),
        ]:
            self.assertEqual(rc._json_bytes(value), text.encode())

    def test_numbers_are_read_without_loss(self) -> None:
        for text, value in [
            ("36.6", 36.6),
            ("36.60", 36.6),
            ("1e3", 1000.0),
            ("0.1234567890123456789", Decimal("0.1234567890123456789")),
            ("1e400", Decimal("1e400")),
            ("123456789012345678901234567890", 123456789012345678901234567890),
        ]:
            read = rc._parsed(text)
            self.assertEqual((type(read), read), (type(value), value))
        for text in ("NaN", "Infinity", "-Infinity"):
            with self.assertRaises(ValueError):
                rc._parsed(text)

    def test_what_is_not_json_is_an_error_that_says_what_would_be_right(self) -> None:
        for value, message in [
            (float("nan"), "not finite"),
            (Decimal("Infinity"), "not finite"),
            (datetime.datetime.now(), r"timestamp\(\) \* 1000"),
            ({1: 2}, "must be a str"),
            (email.message.Message, "type"),
        ]:
            with self.assertRaisesRegex((TypeError, ValueError), message):
                rc._json_bytes(value)
