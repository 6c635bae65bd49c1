"""The operations and the iterators over pages, as a program calls them."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from decimal import Decimal
from typing import Any, cast

from rounds_client import ReadingsQuery, ReadingToRestore, RoundsClient, RoundsError
from stage import OK, URL, Patient, ask, failure_of, strange


class Operations(unittest.TestCase):
    def setUp(self) -> None:
        self.patient = Patient()
        self.client = self.patient.client()
        self.addCleanup(self.client.close)

    def test_doctors_and_specialities(self) -> None:
        specialities = self.client.list_specialities()["data"]
        self.assertEqual([one["title"] for one in specialities], ["Cardiology", "Ear, Nose & Throat"])
        answer = self.client.list_doctors(
            {"specialityId": specialities[1]["specialityId"], "city": "pune", "limit": 3}
        )
        names = [doctor["name"] for doctor in answer["data"]]
        self.assertEqual(names, ["Dr. Invented 00", "Dr. Invented 05", "Dr. Invented 10"])
        self.assertIsInstance(answer["nextCursor"], str)
        everyone = [doctor["name"] for doctor in self.client.each_doctor({"q": "invented", "limit": 10})]
        self.assertEqual(len(everyone), 25)
        self.assertEqual(everyone, sorted(everyone))

    def test_a_reading_comes_back_as_it_was_sent(self) -> None:
        reading: dict[str, Any] = {
            "patientUid": self.patient.patient_uid,
            "readingType": "acme.all",
            "timestamp": 1_600_000_000.25,
            "note": 'Grüße 😀 "\u2028\n',
            "numbers": [0.1, 36.6, -0.5, 1e-7, 1e21, 9_007_199_254_740_991, 0.30000000000000004, 5e-324],
            "nothing": None,
            "nested": {"yes": True, "no": [False, {}, []]},
        }
        self.assertEqual(self.client.add_readings(reading)["code"], "Ok")
        [stored] = self.client.get_readings()["data"]
        given = {name: stored.pop(name) for name in ("readingId", "measuredAt", "receivedAt")}
        self.assertEqual(stored, reading)
        self.assertEqual(given["measuredAt"], "2020-09-13T12:26:40.250Z")
        # A Decimal is sent digit by digit; one that the service cannot hold is refused and not rounded.
        again = {**reading, "numbers": [Decimal(repr(one)) for one in reading["numbers"]]}
        [verdict] = self.client.add_readings_each(again)["data"]
        self.assertEqual((verdict["verdict"], verdict.get("readingId")), ("duplicate", given["readingId"]))
        for number in (Decimal("0.1234567890123456789012"), 2**63 + 1):
            error = failure_of(lambda: self.client.add_readings({**reading, "number": number}))
            self.assertEqual((error.status, error.retryable), (400, False))

    def test_pages_in_either_order(self) -> None:
        self.client.add_readings(self.patient.steps(1_000))
        self.client.add_readings(self.patient.steps(7, readingType="acme.pulse"))
        query: ReadingsQuery = {
            "from": 1_763_000_000_000,
            "to": 1_763_000_000_699,
            "readingType": ["acme.step"],
            "limit": 100,
        }
        found = [reading["sequence"] for reading in self.client.each_reading(query)]
        self.assertEqual(found, list(range(700)))
        query["order"] = "desc"
        found = [reading["sequence"] for reading in self.client.each_reading(query)]
        self.assertEqual(found, list(range(699, -1, -1)))
        whole = self.client.get_readings({"patientUid": self.patient.patient_uid})
        self.assertEqual((len(whole["data"]), whole["nextCursor"]), (1_007, None))

    def test_latest_statistics_types(self) -> None:
        self.client.add_readings(self.patient.steps(3))
        self.client.add_readings(self.patient.steps(2, readingType="acme.pulse"))
        latest = self.client.latest_readings()
        found = [(reading["readingType"], reading["sequence"]) for reading in latest["data"]]
        self.assertEqual(found, [("acme.pulse", 1), ("acme.step", 2)])
        answer = self.client.reading_statistics(
            {
                "readingType": "acme.step",
                "from": 1_763_000_000_000,
                "to": 1_763_000_000_001,
                "bucket": "hour",
                "timeZone": "Asia/Kolkata",
            }
        )
        [bucket] = answer["data"]
        self.assertEqual((bucket["localStart"], bucket["count"]), ("2025-11-13T07:00:00+05:30", 2))
        self.assertEqual(bucket["fields"]["sequence"]["mean"], 0.5)
        types = [entry["readingType"] for entry in self.client.list_reading_types()["data"]]
        self.assertIn("bloodPressure", types)

    def test_verdicts(self) -> None:
        first, second = self.patient.steps(2)
        self.client.add_readings(first)
        verdicts = self.client.add_readings_each([first, {**second, "timestamp": -1}, second])["data"]
        self.assertEqual([one["verdict"] for one in verdicts], ["duplicate", "rejected", "stored"])
        self.assertEqual(verdicts[1].get("code"), "ValidationFailed")
        self.assertEqual([one["pointer"] for one in verdicts[1].get("errors", [])], ["/timestamp"])

    def test_withdraw_and_restore(self) -> None:
        self.client.add_readings(self.patient.steps(1))
        [stored] = self.client.get_readings()["data"]
        patient_uid, reading_id, timestamp = stored["patientUid"], stored["readingId"], stored["timestamp"]
        named: ReadingToRestore = {"patientUid": patient_uid, "readingId": reading_id, "timestamp": timestamp}
        unknown: ReadingToRestore = {"patientUid": patient_uid, "readingId": reading_id, "timestamp": 5}
        self.client.withdraw_reading(
            {"patientUid": patient_uid, "readingId": reading_id, "timestamp": timestamp, "reason": "Typed twice"}
        )
        self.assertEqual(self.client.get_readings()["data"], [])
        [withdrawn] = self.client.get_readings({"withdrawn": "include"})["data"]
        self.assertEqual(withdrawn["withdrawn"]["reason"], "Typed twice")
        self.client.restore_reading(named)
        self.assertEqual(self.client.get_readings()["data"], [stored])
        error = failure_of(lambda: self.client.restore_reading(unknown))
        self.assertEqual((error.code, error.status), ("ReadingNotFound", 404))

    def test_staff_give_a_reason_that_the_patient_sees(self) -> None:
        self.client.add_readings(self.patient.steps(1))
        token = ask("token", claims={"sub": "nurse", "scope": "readings:read"})
        with RoundsClient(URL, token=token) as staff:
            query: ReadingsQuery = {"patientUid": self.patient.patient_uid}
            self.assertEqual(len(list(staff.each_reading(query, reason="Rückruf: nächste Woche"))), 1)
        log = self.client.call("/casesheet/readings/access-log")["data"]
        self.assertIn(("nurse", "Rückruf: nächste Woche"), [(one["readBy"], one["reason"]) for one in log])

    def test_any_other_operation_by_its_path(self) -> None:
        fields = {"value": {"low": 90}}
        target = {"patientUid": self.patient.patient_uid, "readingType": "oxygenSaturation", "fields": fields}
        self.client.call("/care/targets/set", body=target)
        [found] = self.client.call("/care/targets/list", {"patientUid": self.patient.patient_uid})["data"]
        self.assertEqual((found["readingType"], found["fields"]), ("oxygenSaturation", fields))
        for path in ("care", "/care/a b", "https://elsewhere.example/", "/care/é"):
            with self.assertRaises(ValueError):
                self.client.call(path)

    def test_a_refusal_has_code_status_pointers_and_request_id(self) -> None:
        good, bad = self.patient.steps(2)
        error = failure_of(lambda: self.client.add_readings([good, {**bad, "timestamp": -1}]))
        self.assertEqual((error.code, error.status, error.retryable), ("ValidationFailed", 400, False))
        self.assertEqual([one["pointer"] for one in error.errors], ["/1/timestamp"])
        self.assertRegex(str(error), r"^timestamp must be .+\.$")
        self.assertRegex(error.request_id or "", r"\S{8}")
        self.assertEqual(self.patient.stored(), [])

    def test_modules_that_run_apart_have_an_address_each(self) -> None:
        token = self.patient.token
        apart = RoundsClient(
            appointments_url=f"{URL}/appointments/", casesheet_url=f"{URL}/casesheet", token=lambda _refused: token
        )
        with apart:
            self.assertEqual(len(apart.list_specialities()["data"]), 2)
            self.assertEqual(apart.get_readings()["data"], [])
            self.assertEqual(apart.call("/care/targets/list")["data"], [])

    def test_wrong_arguments_say_what_would_be_right(self) -> None:
        wrong: list[tuple[type[Exception], str, dict[str, Any]]] = [
            (ValueError, "https://", {"url": "rounds.example"}),
            (ValueError, "without a user", {"url": "https://user:secret@rounds.example"}),
            (TypeError, "needs url", {}),
            (ValueError, "attempts must be", {"url": URL, "attempts": 0}),
            (ValueError, "timeout_s must be", {"url": URL, "timeout_s": 0}),
            (TypeError, "needs token", {"url": URL, "token": None}),
        ]
        for kind, message, options in wrong:
            with self.assertRaisesRegex(kind, message) as caught:
                RoundsClient(**{"token": cast(Any, "x"), **options})
            self.assertNotIn("secret", str(caught.exception))
        for readings in ("text", [1], None):
            with self.assertRaisesRegex(TypeError, "Pass a reading"):
                self.client.add_readings(readings)  # type: ignore[arg-type]


class OperationsOfDocument(unittest.TestCase):
    def test_each_method_calls_an_operation_and_the_core_has_a_method_for_each(self) -> None:
        reading = {"patientUid": "p", "readingType": "acme.step", "timestamp": 1}
        named: ReadingToRestore = {"patientUid": "p", "readingId": "x", "timestamp": 1}
        with strange(OK) as server, RoundsClient(server.url, token="x") as client:
            calls: dict[str, Callable[[], object]] = {
                "list_doctors": lambda: client.list_doctors(),
                "each_doctor": lambda: list(client.each_doctor()),
                "list_specialities": lambda: client.list_specialities(),
                "add_readings": lambda: client.add_readings(reading),
                "add_readings_each": lambda: client.add_readings_each(reading),
                "get_readings": lambda: client.get_readings(),
                "each_reading": lambda: list(client.each_reading()),
                "latest_readings": lambda: client.latest_readings(),
                "reading_statistics": lambda: client.reading_statistics({"readingType": "x", "from": 0, "to": 1}),
                "list_reading_types": lambda: client.list_reading_types(),
                "withdraw_reading": lambda: client.withdraw_reading(
                    {"patientUid": "p", "readingId": "x", "timestamp": 1}
                ),
                "restore_reading": lambda: client.restore_reading(named),
                "changes": lambda: next(client.changes()),
            }
            methods = {name for name, value in vars(RoundsClient).items() if callable(value) and name[0] != "_"}
            self.assertEqual(methods - {"close", "call"}, set(calls))
            for call in calls.values():
                try:
                    call()
                except (RoundsError, KeyError):
                    pass  # The answer is not that of every operation.
            called = {" ".join(head.split(" ", 2)[:2]).split("?")[0] for head in server.heads}
        operations = set(ask("operations"))
        self.assertLessEqual(called, operations)
        core = {one for one in operations if "/appointments/" in one or "/casesheet/readings/" in one}
        by_call = {"GET /casesheet/readings/stream", "GET /casesheet/readings/access-log"}
        self.assertEqual(core - by_call, called, "Give the operation a method, or name it among those for call().")
