"""What the client does when the network or the service fails, and where tokens come from."""

from __future__ import annotations

import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from rounds_client import RoundsClient, RoundsError, TokenByPatient
from stage import LIMITED_URL, OK, URL, Network, Patient, answer_of, ask, failure_of, strange


class Retries(unittest.TestCase):
    def setUp(self) -> None:
        self.patient = Patient()
        self.network = Network()

    def test_connections_that_are_cut_are_tried_again(self) -> None:
        with self.patient.client(self.network.url) as client:
            self.network.cut_requests(3)
            client.add_readings(self.patient.steps(10))
            self.assertEqual(self.patient.sequences(), list(range(10)))
            self.network.cut_requests(1)
            self.assertEqual(len(client.get_readings()["data"]), 10)

    def test_an_add_whose_answer_was_lost_is_repeated_and_stored_once(self) -> None:
        with self.patient.client(self.network.url) as client:
            self.network.lose_answers(2)
            client.add_readings(self.patient.steps(10))
        self.assertEqual(self.network.requests(), 3)
        self.assertEqual(self.patient.sequences(), list(range(10)))

    def test_what_must_not_happen_twice_is_not_repeated_after_a_lost_answer(self) -> None:
        with self.patient.client(self.network.url) as client:
            self.network.lose_answers(1)
            error = failure_of(lambda: client.call("/care/targets/list", once=True))
        self.assertEqual((error.code, self.network.requests()), ("ConnectionFailed", 1))
        busy = answer_of(503, '{"status":"error","code":"Overloaded","message":"x.","retryable":true}')
        with strange(busy, OK) as server, RoundsClient(server.url, token="x") as client:
            client.call("/webhooks/endpoints/add", body={}, once=True)
            self.assertEqual(len(server.heads), 2)

    def test_a_503_is_tried_again_after_the_time_that_the_service_asks_for(self) -> None:
        before = ask("logLength")
        ask("sql", sql="revoke insert on casesheet.access_log from rounds_server")
        granting = threading.Thread(target=ask, args=("grantAfter503",), kwargs={"count": before})
        granting.start()
        started = time.monotonic()
        with self.patient.client(self.network.url) as client:
            self.assertEqual(client.get_readings()["data"], [])
        granting.join()
        self.assertGreaterEqual(time.monotonic() - started, 0.99)
        self.assertGreaterEqual(self.network.requests(), 2)

    def test_a_wait_past_the_time_of_the_call_is_not_begun(self) -> None:
        token = ask("limitedToken", claims={"patientUid": "patient-1"})
        started = time.monotonic()
        with RoundsClient(LIMITED_URL, token=token, timeout_s=0.9) as client:
            # The limit may fall between two minutes of the clock, so the second call may pass.
            errors: list[RoundsError] = []
            for _ in range(3):
                try:
                    client.list_specialities()
                except RoundsError as error:
                    errors.append(error)
        self.assertEqual((errors[0].code, errors[0].status, errors[0].retryable), ("RateLimited", 429, True))
        self.assertGreaterEqual(errors[0].retry_after_s or 0, 1)
        self.assertLess(time.monotonic() - started, 5)

    def test_attempts_are_bounded_and_the_last_failure_has_its_cause(self) -> None:
        with self.patient.client(self.network.url, attempts=2) as client:
            self.network.cut_requests(2)
            error = failure_of(client.list_specialities)
        self.assertEqual((error.code, error.status, error.retryable), ("ConnectionFailed", 0, True))
        self.assertIsInstance(error.__cause__, OSError)
        self.assertEqual(self.network.requests(), 2)
        with RoundsClient("http://127.0.0.1:9", token="x", attempts=1) as nowhere:
            self.assertIn("ECONNREFUSED", str(failure_of(nowhere.list_specialities)))

    def test_a_refusal_is_not_repeated(self) -> None:
        with self.patient.client(self.network.url) as client:
            readings = self.patient.steps(1, patientUid="somebody-else")
            error = failure_of(lambda: client.add_readings(readings))
        self.assertEqual((error.code, error.status, error.retryable), ("PatientMismatch", 403, False))
        self.assertEqual(self.network.requests(), 1)

    def test_an_answer_that_never_comes_is_given_up(self) -> None:
        self.network.hang()
        with self.patient.client(self.network.url, attempts=2, attempt_timeout_s=0.05) as client:
            self.assertEqual(failure_of(client.list_specialities).code, "TimedOut")
        self.assertEqual(self.network.requests(), 2)
        with self.patient.client(self.network.url) as client:
            error = failure_of(lambda: client.list_specialities(timeout_s=0.05))
        self.assertEqual((error.code, error.retryable, self.network.requests()), ("TimedOut", True, 3))

    def test_close_ends_calls_under_way_and_waits(self) -> None:
        with strange(b"") as silent, ThreadPoolExecutor() as threads:
            for url in (silent.url, "http://127.0.0.1:9"):
                client = self.patient.client(url, timeout_s=1_000, attempts=10**6)
                call = threads.submit(client.get_readings)
                while url == silent.url and not silent.heads:
                    time.sleep(0.01)
                client.close()
                self.assertIsInstance(call.exception(timeout=20), RuntimeError)
                with self.assertRaisesRegex(RuntimeError, "closed"):
                    client.get_readings()


class TokensOfAll(unittest.TestCase):
    def setUp(self) -> None:
        self.patient = Patient()
        now = int(time.time())
        self.expired: str = ask("token", claims={"patientUid": self.patient.patient_uid, "exp": now - 60})
        self.asked: list[str | None] = []

    def client(self, first: str, then: str, url: str = URL) -> RoundsClient:
        def give(refused: str | None) -> str:
            self.asked.append(refused)
            return first if refused is None else then

        return RoundsClient(url, token=give)

    def test_a_refused_token_is_replaced_once(self) -> None:
        for old in (self.expired, "not.a.token"):
            self.asked.clear()
            with self.client(old, self.patient.token) as client:
                self.assertEqual(client.get_readings()["data"], [])
            self.assertEqual(self.asked, [None, old])

    def test_a_token_that_is_refused_too_is_not_replaced_again(self) -> None:
        with self.client(self.expired, "not.a.token") as client:
            error = failure_of(client.get_readings)
        self.assertEqual((error.code, error.status, error.retryable), ("TokenInvalid", 401, False))
        self.assertEqual(self.asked, [None, self.expired])

    def test_the_same_token_is_not_sent_twice(self) -> None:
        network = Network()
        with self.client(self.expired, self.expired, network.url) as client:
            self.assertEqual(failure_of(client.get_readings).code, "TokenExpired")
        self.assertEqual(network.requests(), 1)

    def test_calls_that_meet_the_same_expired_token_share_one_refresh(self) -> None:
        refreshes: list[str] = []
        # All have the old token before the first is refused.
        all_asked = threading.Barrier(10)
        held = threading.local()

        def give(refused: str | None) -> str:
            if refused is not None:
                refreshes.append(refused)
                return self.patient.token
            return self.expired

        client = RoundsClient(URL, token=give)
        original = client._tokens.current

        def current_together(patient_uid: str | None) -> str:
            token = original(patient_uid)
            if not getattr(held, "asked", False):
                held.asked = True
                all_asked.wait(20)
            return token

        setattr(client._tokens, "current", current_together)
        with client, ThreadPoolExecutor(10) as threads:
            answers = list(threads.map(lambda _: client.get_readings()["data"], range(10)))
        self.assertEqual(answers, [[]] * 10)
        self.assertEqual(len(refreshes), 1)

    def test_what_the_function_raises_reaches_the_caller(self) -> None:
        def signed_out(_refused: str | None) -> str:
            raise LookupError("Signed out.")

        with RoundsClient(URL, token=signed_out) as client, self.assertRaisesRegex(LookupError, "Signed out"):
            client.get_readings()
        for not_a_token in ("", "Bearer x", "a\r\nb", "é"):
            with self.client(not_a_token, "") as client, self.assertRaisesRegex(TypeError, "access token") as caught:
                client.get_readings()
            self.assertNotIn("a\r\nb", str(caught.exception))


class TokensByPatient(unittest.TestCase):
    def setUp(self) -> None:
        self.asked: list[tuple[str, str | None]] = []
        self.life_s = 600.0
        self.is_down = False

    def exchange(self, patient_uid: str, refused: str | None) -> dict[str, object]:
        self.asked.append((patient_uid, refused))
        if self.is_down:
            raise OSError("The issuer is down.")
        token = ask("token", claims={"patientUid": patient_uid, "sub": patient_uid})
        return {"access_token": token, "expires_in": self.life_s}

    def patients(self, count: int) -> list[str]:
        return [Patient().patient_uid for _ in range(count)]

    def test_each_patient_has_a_token_obtained_once_and_the_least_recent_is_evicted(self) -> None:
        a, b, c = self.patients(3)
        with RoundsClient(URL, token=TokenByPatient(self.exchange, max_patients=2)) as client:
            for patient_uid in (a, b, a, c, a):
                self.assertEqual(client.get_readings({"patientUid": patient_uid})["data"], [])
            self.assertEqual([uid for uid, _ in self.asked], [a, b, c])
            client.get_readings({"patientUid": b})
        self.assertEqual(self.asked[3:], [(b, None)])

    def test_calls_for_one_patient_at_the_same_time_share_one_exchange(self) -> None:
        [patient_uid] = self.patients(1)
        with RoundsClient(URL, token=TokenByPatient(self.exchange)) as client, ThreadPoolExecutor(10) as threads:
            list(threads.map(lambda _: client.get_readings({"patientUid": patient_uid}), range(20)))
        self.assertEqual(len(self.asked), 1)

    def test_a_token_is_renewed_before_it_expires_and_the_old_one_used_while_the_issuer_fails(self) -> None:
        [patient_uid] = self.patients(1)
        self.life_s = 1.5
        with RoundsClient(URL, token=TokenByPatient(self.exchange)) as client:
            client.get_readings({"patientUid": patient_uid})
            client.get_readings({"patientUid": patient_uid})
            self.assertEqual(len(self.asked), 1)
            time.sleep(1.25)
            self.is_down = True
            client.get_readings({"patientUid": patient_uid})
            self.assertEqual(len(self.asked), 2)
            time.sleep(0.3)
            error = failure_of(lambda: client.get_readings({"patientUid": patient_uid}))
            self.assertEqual((error.code, str(error.__cause__)), ("TokenUnavailable", "The issuer is down."))
            self.is_down = False
            client.get_readings({"patientUid": patient_uid})

    def test_a_refused_token_is_replaced_once(self) -> None:
        [patient_uid] = self.patients(1)

        def wrong_first(uid: str, refused: str | None) -> object:
            return "wrong" if refused is None else self.exchange(uid, refused)

        with RoundsClient(URL, token=TokenByPatient(wrong_first)) as client:  # type: ignore[arg-type]
            self.assertEqual(client.get_readings({"patientUid": patient_uid})["data"], [])
        self.assertEqual(self.asked, [(patient_uid, "wrong")])

    def test_what_an_issuer_refuses_says_why(self) -> None:
        tokens = TokenByPatient(lambda _uid, _refused: {"error": "invalid_grant", "error_description": "no consent"})
        with RoundsClient(URL, token=tokens) as client:
            error = failure_of(lambda: client.get_readings({"patientUid": "p"}))
        self.assertEqual((error.code, error.retryable), ("TokenUnavailable", False))
        self.assertIn("invalid_grant (no consent)", str(error))

    def test_a_call_about_several_patients_or_none_says_what_would_be_right(self) -> None:
        a, b = Patient(), Patient()
        with RoundsClient(URL, token=TokenByPatient(self.exchange)) as client:
            with self.assertRaisesRegex(TypeError, "readings of one patient only"):
                client.add_readings(a.steps(1) + b.steps(1))
            with self.assertRaisesRegex(TypeError, "give TokenByPatient without_patient"):
                client.list_doctors()
        tokens = TokenByPatient(self.exchange, without_patient=lambda _refused: a.token)
        with RoundsClient(URL, token=tokens) as client:
            self.assertEqual(len(client.list_doctors()["data"]), 25)
