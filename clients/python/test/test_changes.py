"""Following every change, against the real server: nothing is missed or doubled, whatever fails on the way."""

from __future__ import annotations

import threading
import time
import unittest
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rounds_client import Change, ChangesPage, RoundsClient, RoundsError, TokenByPatient
from stage import URL, Network, Patient, ask, failure_of


def changes_in(pages: Iterator[ChangesPage]) -> list[Change]:
    """Of the next page with any: those without say that a transaction, perhaps of another test, holds changes back."""
    return next(page.changes for page in pages if page.changes)


def sequences_in(changes: list[Change]) -> list[Any]:
    return [change["reading"]["sequence"] for change in changes]


class Changes(unittest.TestCase):
    def setUp(self) -> None:
        self.patient = Patient()
        self.client = self.patient.client()
        self.addCleanup(self.client.close)
        self.token: str = ask("token", claims={"sub": "warehouse", "scope": "readings:changes"})
        self.service = RoundsClient(URL, token=self.token)
        self.addCleanup(self.service.close)

    def here(self) -> str:
        """Where the sequence ends now."""
        return next(self.service.changes({"start": "now", "wait": 0})).next_cursor

    def test_a_reading_is_added_withdrawn_and_restored(self) -> None:
        cursor = self.here()
        self.client.add_readings(self.patient.steps(1))
        [stored] = self.client.get_readings()["data"]
        following = self.service.changes({"cursor": cursor})
        self.assertEqual(changes_in(following), [{"state": "present", "reading": stored}])
        self.client.withdraw_reading(
            {
                "patientUid": stored["patientUid"],
                "readingId": stored["readingId"],
                "timestamp": stored["timestamp"],
                "reason": "Typed twice",
            }
        )
        [change] = changes_in(following)
        self.assertEqual((change["state"], change["reading"]["readingId"]), ("withdrawn", stored["readingId"]))

    def test_pages_follow_one_another_through_cut_connections_and_lost_answers(self) -> None:
        network = Network()
        cursor = self.here()
        self.client.add_readings(self.patient.steps(60))
        failures: list[str] = []

        def note(error: RoundsError, _attempt_s: float) -> bool:
            failures.append(error.code)
            return len(failures) < 20

        seen: list[Any] = []
        # One attempt for every other call: this one goes on all the same.
        with RoundsClient(network.url, token=self.token, attempts=1) as far:
            for number, page in enumerate(far.changes({"cursor": cursor, "limit": 10, "wait": 1}, may_repeat=note)):
                seen += sequences_in(page.changes)
                if len(seen) >= 60:
                    break
                if number == 0:
                    network.cut_requests(2)
                if number == 1:
                    network.lose_answers(2)
        self.assertEqual(sorted(seen), list(range(60)))
        self.assertEqual(failures, ["ConnectionFailed"] * 4)

    def test_with_wait_0_it_ends_with_the_last_change(self) -> None:
        cursor = self.here()
        self.client.add_readings(self.patient.steps(25))
        seen: list[Any] = []
        give_up_at = time.monotonic() + 100
        while len(seen) < 25 and time.monotonic() < give_up_at:
            for page in self.service.changes({"cursor": cursor, "limit": 10, "wait": 0}):
                seen += sequences_in(page.changes)
                cursor = page.next_cursor
        self.assertEqual(sorted(seen), list(range(25)))

    def test_an_answer_is_held_until_something_changes_and_that_is_no_time_out(self) -> None:
        network = Network()
        with RoundsClient(network.url, token=self.token, attempt_timeout_s=0.9) as service:
            following = service.changes({"start": "now", "wait": 1}, may_repeat=lambda _error, _s: False)
            first = next(following)
            self.assertEqual((first.changes, first.has_more), ([], False))
            with ThreadPoolExecutor(1) as threads:
                coming = threads.submit(changes_in, following)
                while network.requests() < 4 and not coming.done():
                    time.sleep(0.02)
                self.client.add_readings(self.patient.steps(1))
                self.assertEqual(sequences_in(coming.result(timeout=100)), [0])

    def test_a_token_function_that_raises_is_called_again(self) -> None:
        cursor = self.here()
        calls: list[str | None] = []
        causes: list[str] = []

        def give(refused: str | None) -> str:
            calls.append(refused)
            if len(calls) == 1:
                return "expired"
            if len(calls) <= 4:
                raise OSError(f"The issuer is away: {len(calls)}.")
            return self.token

        def note(error: RoundsError, _attempt_s: float) -> bool:
            causes.append(f"{error.code} {error.__cause__}")
            return True

        self.client.add_readings(self.patient.steps(1))
        with RoundsClient(URL, token=give) as service:
            following = service.changes({"cursor": cursor, "wait": 1}, may_repeat=note)
            self.assertEqual(sequences_in(changes_in(following)), [0])
        self.assertEqual(causes, [f"TokenUnavailable The issuer is away: {call}." for call in (2, 3, 4)])
        self.assertEqual(calls[:2], [None, "expired"])

    def test_a_token_function_that_gives_no_token_ends_it(self) -> None:
        for token in (lambda _refused: "", TokenByPatient(lambda _uid, _refused: "x")):
            with RoundsClient(URL, token=token) as service, self.assertRaises(TypeError):  # type: ignore[arg-type]
                next(service.changes())

    def test_close_ends_it_while_an_answer_is_held(self) -> None:
        following = self.service.changes({"start": "now"})
        next(following)
        threading.Timer(0.3, self.service.close).start()
        started = time.monotonic()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            changes_in(following)
        self.assertLess(time.monotonic() - started, 15)

    def test_what_does_not_pass_is_an_error_with_its_code(self) -> None:
        error = failure_of(lambda: next(self.client.changes()))
        self.assertEqual((error.code, error.retryable), ("ScopeMissing", False))
        error = failure_of(lambda: next(self.service.changes({"cursor": "nonsense"})))
        self.assertEqual((error.code, error.status), ("InvalidCursor", 400))
