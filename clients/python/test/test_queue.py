"""The queue against the real server: nothing lost, nothing doubled, whatever happens meanwhile."""

from __future__ import annotations

import os
import pathlib
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

from rounds_client import Flushed, ReadingQueue, RoundsClient, RoundsError, StoredReading, TokenByPatient
from stage import OK, URL, Network, Patient, answer_of, ask, failure_of, no_refusal, steps_of, strange

DEVICE = pathlib.Path(__file__).parent / "device.py"


class WithFile(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "readings.sqlite")
        self.patient = Patient()
        self.refused: list[tuple[Any, str, int, list[str]]] = []

    def queue(self, client: RoundsClient, **options: Any) -> ReadingQueue:
        self.addCleanup(client.close)
        options.setdefault("on_refused", no_refusal)
        queue = ReadingQueue(self.path, client, **options)
        self.addCleanup(queue.close)
        return queue

    def take_refused(self, reading: StoredReading, error: RoundsError) -> None:
        pointers = [one["pointer"] for one in error.errors]
        self.refused.append((reading.get("sequence"), error.code, error.status, pointers))


class Flushing(WithFile):
    def setUp(self) -> None:
        super().setUp()
        self.network = Network()

    def test_a_flush_sends_everything_in_batches_of_up_to_1000(self) -> None:
        queue = self.queue(self.patient.client(self.network.url))
        readings = self.patient.steps(2_500)
        for reading in readings[:3]:
            queue.add(reading)
        queue.add(readings[3:])
        self.assertEqual(queue.count(), 2_500)
        self.assertEqual(queue.flush(), Flushed(2_500, 0))
        self.assertEqual((self.network.requests(), queue.count()), (3, 0))
        self.assertEqual(self.patient.sequences(), list(range(2_500)))
        self.assertEqual(queue.flush(), Flushed(0, 0))

    def test_while_the_service_cannot_be_reached_everything_stays(self) -> None:
        queue = self.queue(self.patient.client(self.network.url, attempts=1))
        queue.add(self.patient.steps(30))
        self.network.cut_requests(1)
        self.assertEqual(failure_of(queue.flush).code, "ConnectionFailed")
        self.network.lose_answers(1)
        self.assertEqual(failure_of(queue.flush).code, "ConnectionFailed")
        self.assertEqual(queue.count(), 30)
        self.assertEqual(queue.flush(), Flushed(30, 0))
        self.assertEqual(self.patient.sequences(), list(range(30)))

    def test_readings_that_are_not_valid_are_handed_over_and_block_nothing(self) -> None:
        queue = self.queue(self.patient.client(self.network.url), on_refused=self.take_refused)
        readings = self.patient.steps(1_000)
        readings[3]["timestamp"] = -1
        readings[700]["note"] = "x" * 70_000
        readings[999].update(readingType="symptom", symptoms=[])
        queue.add(readings)
        self.assertEqual(queue.flush(), Flushed(997, 3))
        self.assertEqual(
            sorted(self.refused),
            [
                (3, "ValidationFailed", 400, ["/timestamp"]),
                (700, "BodyTooLarge", 413, []),
                (999, "ValidationFailed", 400, ["/symptoms"]),
            ],
        )
        self.assertEqual(self.network.requests(), 2, "the list, and once more for a verdict on each")
        self.assertEqual(self.patient.sequences(), [one for one in range(1_000) if one not in (3, 700, 999)])

    def test_readings_of_another_patient_are_handed_over_without_a_request_for_each(self) -> None:
        queue = self.queue(self.patient.client(self.network.url), on_refused=self.take_refused)
        queue.add(self.patient.steps(200, patientUid="somebody-else") + self.patient.steps(300))
        self.assertEqual(queue.flush(), Flushed(300, 200))
        self.assertEqual(self.network.requests(), 2)
        self.assertEqual({code for _, code, _, _ in self.refused}, {"PatientMismatch"})

    def test_a_refused_reading_stays_until_the_function_has_taken_it_digit_by_digit(self) -> None:
        taken: list[StoredReading] = []

        def take(reading: StoredReading, _error: RoundsError) -> None:
            taken.append(reading)
            if len(taken) == 1:
                raise OSError("The disk is full.")

        queue = self.queue(self.patient.client(), on_refused=take)
        [reading] = self.patient.steps(1, value=Decimal("0.12345678901234567890123"), other=0.1)
        queue.add(reading)
        with self.assertRaisesRegex(OSError, "The disk is full"):
            queue.flush()
        self.assertEqual(queue.count(), 1)
        self.assertEqual(queue.flush(), Flushed(0, 1))
        self.assertEqual((queue.count(), taken), (0, [reading, reading]))

    def test_a_refusal_that_is_not_about_the_readings_hands_nothing_over(self) -> None:
        forbidden = answer_of(403, "<html>Forbidden by the firewall</html>")
        login = answer_of(200, "<html>Sign in</html>")
        with strange(forbidden, login) as server:
            queue = self.queue(RoundsClient(server.url, token="x"), on_refused=self.take_refused)
            queue.add(self.patient.steps(2))
            for _ in range(2):
                self.assertEqual(failure_of(queue.flush).code, "UnexpectedAnswer")
            self.assertEqual(queue.count(), 2)
        signed_out = self.queue(RoundsClient(URL, token="not.a.token"), on_refused=self.take_refused)
        self.assertEqual(failure_of(signed_out.flush).code, "TokenInvalid")
        self.assertEqual((signed_out.count(), self.refused), (2, []))

    def test_an_older_service_without_verdicts_has_the_list_divided(self) -> None:
        class Older(RoundsClient):
            def _add(self, body: bytes, patient_uid: str | None, headers: Any = None, **options: Any) -> Any:
                return super()._add(body, patient_uid, {}, **options)

        queue = self.queue(Older(self.network.url, token=self.patient.token), on_refused=self.take_refused)
        readings = self.patient.steps(1_500)
        for index in (3, 1_400):
            readings[index]["timestamp"] = -1
        readings[700]["note"] = "x" * 70_000
        queue.add(readings)
        self.assertEqual(queue.flush(), Flushed(1_497, 3))
        self.assertEqual({(sequence, code) for sequence, code, _, _ in self.refused}, {
            (3, "ValidationFailed"), (1_400, "ValidationFailed"), (700, "BodyTooLarge"),
        })
        self.assertLess(self.network.requests(), 45, "a few halvings, not a request for each reading")

    def test_a_list_whose_patients_several_clusters_serve_is_divided_by_patient(self) -> None:
        misdirected = '{"status":"error","code":"MisdirectedRequest","message":"x.","retryable":true}'
        with strange(answer_of(421, misdirected), OK, OK) as server:
            queue = self.queue(RoundsClient(server.url, token="x"))
            queue.add([{**step, "patientUid": name} for step, name in zip(self.patient.steps(3), "pqp")])
            self.assertEqual(queue.flush(), Flushed(3, 0))
            self.assertEqual(len(server.heads), 3)

    def test_a_backlog_gets_through_a_line_on_which_requests_are_cut(self) -> None:
        # About 12 KB get through in one request; the backlog is twice as large.
        self.network.slow_down()
        queue = self.queue(self.patient.client(self.network.url))
        queue.add(self.patient.steps(180))
        self.assertEqual(queue.flush(), Flushed(180, 0))
        self.assertTrue(3 <= self.network.requests() <= 30, self.network.requests())
        self.network.speed_up()
        queue.add(self.patient.steps(5_000, later=True))
        before = self.network.requests()
        queue.flush()
        self.assertLess(self.network.requests() - before, 60)
        self.assertEqual(len(self.patient.stored()), 5_180)

    def test_a_line_that_carries_nothing_ends_the_flush_soon(self) -> None:
        self.network.hang()
        queue = self.queue(self.patient.client(self.network.url, attempts=3, attempt_timeout_s=0.05))
        queue.add(self.patient.steps(1_000))
        self.assertEqual(failure_of(queue.flush).code, "TimedOut")
        # 1,000, 500, 125, 15, and three times 1. The network counts the first piece of each.
        self.assertEqual((self.network.requests(), queue.count()), (7, 1_000))

    def test_a_proxy_that_refuses_large_bodies_before_it_has_read_them_gets_smaller_ones(self) -> None:
        readings = self.patient.steps(4, note="x" * 60_000)
        large = answer_of(413, "<html>Too Large</html>", "connection: close")
        with strange(large, large, OK, reads_body=False) as server:
            queue = self.queue(RoundsClient(server.url, token="x", attempts=1))
            queue.add(readings * 20)
            self.assertEqual(queue.flush(), Flushed(80, 0))
        self.assertEqual(queue.count(), 0)

    def test_a_batch_never_exceeds_4_mib_to_the_byte(self) -> None:
        bodies: list[int] = []

        class Watching(RoundsClient):
            def _add(self, body: bytes, *others: Any, **options: Any) -> Any:
                bodies.append(len(body))
                return super()._add(body, *others, **options)

        queue = self.queue(Watching(URL, token=self.patient.token))
        notes = [letter * (60_000 // len(letter.encode())) for letter in ("x", "é", "ह", "😀")]
        queue.add([{**one, "note": notes[index % 4]} for index, one in enumerate(self.patient.steps(200))])
        self.assertEqual(queue.flush(), Flushed(200, 0))
        self.assertEqual(self.patient.sequences(), list(range(200)))
        self.assertEqual(len(bodies), 3)
        self.assertTrue(all(size <= 4 * 1_048_576 for size in bodies))
        self.assertTrue(all(size > 4 * 1_048_576 - 61_000 for size in bodies[:2]), "and no more room is left")


class Gateway(WithFile):
    def test_each_batch_has_the_token_of_its_patient_and_who_has_none_is_held_back(self) -> None:
        consents: set[str] = set()
        asked: list[str] = []
        held: list[tuple[str, str]] = []

        def exchange(patient_uid: str, _refused: str | None) -> str:
            asked.append(patient_uid)
            if patient_uid not in consents:
                raise LookupError("no consent")
            return str(ask("token", claims={"patientUid": patient_uid, "sub": patient_uid}))

        network = Network()
        client = RoundsClient(network.url, token=TokenByPatient(exchange))
        queue = self.queue(client, on_held_back=lambda uid, error: held.append((uid, error.code)))
        late, *others = (Patient().patient_uid for _ in range(4))
        consents.update(others)
        for part in range(3):
            queue.add(steps_of(late, 1_000, part=part))
        # Mixed, as they arrive.
        for sequence in range(30):
            queue.add([steps_of(uid, 30)[sequence] for uid in others])
        error = failure_of(queue.flush)
        self.assertEqual((error.code, error.retryable), ("TokenUnavailable", False))
        self.assertIn("no consent", str(error))
        self.assertEqual(held, [(late, "TokenUnavailable")])
        self.assertEqual((network.requests(), asked), (3, [late, *others]))
        self.assertEqual(queue.count(), 3_000)
        for uid in others:
            self.assertEqual([one["sequence"] for one in client.each_reading({"patientUid": uid})], list(range(30)))
        consents.add(late)
        self.assertEqual(queue.flush(), Flushed(3_000, 0))
        with self.assertRaisesRegex(TypeError, "must have a patientUid"):
            queue.add({"readingType": "acme.step", "timestamp": 1})

    def test_a_rate_limit_of_one_patient_holds_up_no_other(self) -> None:
        busy = answer_of(
            429,
            '{"status":"error","code":"RateLimited","message":"x.","retryable":true}',
            "retry-after: 50",
        )
        held: list[str] = []
        with strange(busy, OK) as server:
            client = RoundsClient(server.url, token=TokenByPatient(lambda uid, _refused: f"token-of-{uid}"))
            queue = self.queue(client, on_held_back=lambda uid, _error: held.append(uid))
            queue.add(steps_of("a", 2) + steps_of("b", 3))
            started = time.monotonic()
            self.assertEqual(failure_of(queue.flush).code, "RateLimited")
            self.assertLess(time.monotonic() - started, 20)
            self.assertEqual((held, queue.count()), (["a"], 2))
            tokens = [line for head in server.heads for line in head.split("\r\n") if "Bearer" in line]
            self.assertEqual(tokens, [f"authorization: Bearer token-of-{uid}" for uid in "ab"])


class Files(WithFile):
    def test_a_full_queue_refuses_what_is_added_and_keeps_what_it_has(self) -> None:
        queue = self.queue(self.patient.client(), max_readings=5)
        queue.add(self.patient.steps(4))
        error = failure_of(lambda: queue.add(self.patient.steps(2)))
        self.assertEqual((error.code, error.retryable, queue.count()), ("QueueFull", True, 4))
        queue.add(self.patient.steps(5)[4])
        queue.flush()
        self.assertEqual(self.patient.sequences(), list(range(5)))

    def test_a_disk_without_room_refuses_what_is_added_and_keeps_what_it_has(self) -> None:
        queue = self.queue(self.patient.client())
        queue.add(self.patient.steps(3))
        (pages,) = queue._db.execute("pragma page_count").fetchone()
        queue._db.execute(f"pragma max_page_count = {pages + 2}")
        error = failure_of(lambda: queue.add(self.patient.steps(1, note="x" * 60_000)))
        self.assertEqual((error.code, error.retryable, queue.count()), ("StorageFull", True, 3))
        self.assertIsInstance(error.__cause__, sqlite3.Error)
        self.assertEqual(queue.flush(), Flushed(3, 0))

    def test_a_reading_is_kept_as_it_was_when_it_was_added(self) -> None:
        queue = self.queue(self.patient.client())
        [reading] = self.patient.steps(1)
        queue.add(reading)
        reading["sequence"] = 2
        queue.flush()
        self.assertEqual(self.patient.sequences(), [0])
        for wrong in (1, "text", [None], {"patientUid": object()}):
            with self.assertRaises(TypeError):
                queue.add(wrong)  # type: ignore[arg-type]
        self.assertEqual(queue.count(), 0)

    def test_only_its_owner_may_read_the_files(self) -> None:
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        queue = self.queue(self.patient.client())
        queue.add(self.patient.steps(1))
        queue.flush()
        queue.add(self.patient.steps(1))
        files = sorted(os.listdir(os.path.dirname(self.path)))
        self.assertIn("readings.sqlite-wal", files)
        for name in files:
            mode = os.stat(os.path.join(os.path.dirname(self.path), name)).st_mode
            self.assertEqual(stat.S_IMODE(mode), 0o600, name)

    def test_a_commit_is_on_the_disk_when_add_returns(self) -> None:
        """As SQLite documents it for a write-ahead log with synchronous=FULL; the kernel's calls show it."""
        queue = self.queue(self.patient.client())
        found = [queue._db.execute(f"pragma {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
        self.assertEqual(found, ["wal", 2])

    def test_a_newer_file_is_not_touched_and_one_that_is_no_queue_is_an_error(self) -> None:
        with sqlite3.connect(self.path) as db:
            db.execute("pragma user_version = 2")
        db.close()
        with self.assertRaisesRegex(RuntimeError, "newer version"):
            ReadingQueue(self.path, self.patient.client(), on_refused=no_refusal)
        pathlib.Path(self.path).write_bytes(b"no database, but long enough to look like one" * 100)
        with self.assertRaises(sqlite3.DatabaseError):
            ReadingQueue(self.path, self.patient.client(), on_refused=no_refusal)

    def test_threads_share_a_queue(self) -> None:
        queue = self.queue(self.patient.client())
        readings = self.patient.steps(400)

        def work(thread: int) -> int:
            sent = 0
            for at in range(thread, 400, 8):
                queue.add(readings[at])
                if at % 40 == thread:
                    sent += queue.flush().sent
            return sent

        with ThreadPoolExecutor(8) as threads:
            sent = sum(threads.map(work, range(8)))
        sent += queue.flush().sent
        self.assertEqual((sent, queue.count()), (400, 0), "no reading was sent by two flushes")
        self.assertEqual(self.patient.sequences(), list(range(400)))

    def test_a_flush_waits_for_that_of_another_process_but_not_for_ever(self) -> None:
        network = Network()
        network.hang()
        first = self.queue(self.patient.client(network.url, timeout_s=2))
        first.add(self.patient.steps(1))
        second = self.queue(self.patient.client(timeout_s=0.3))
        with ThreadPoolExecutor(1) as threads:
            flush = threads.submit(first.flush)
            while network.requests() == 0:
                time.sleep(0.01)
            error = failure_of(second.flush)
            self.assertEqual((error.code, error.retryable), ("TimedOut", True))
            self.assertIsInstance(flush.exception(timeout=60), RoundsError)
            self.assertEqual(second.flush(), Flushed(1, 0))

    def test_after_a_fork_the_queue_is_refused_and_not_corrupted(self) -> None:
        queue = self.queue(self.patient.client())
        queue.add(self.patient.steps(1))
        queue.flush()
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                queue.add(self.patient.steps(1))
            except RuntimeError:
                # The client may go on: it opens connections of its own.
                code = 0 if len(queue._client.get_readings()["data"]) == 1 else 2
            finally:
                os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        self.assertEqual(len(queue._client.get_readings()["data"]), 1)

    def test_devices_that_are_killed_while_they_share_a_file_lose_none_and_double_none(self) -> None:
        network = Network()
        network.lose_answers(3)
        kept: Counter[int] = Counter()

        def run(number: int) -> None:
            for life in range(3):
                first = number * 1_000_000 + life * 10_000
                command = [sys.executable, "-B", str(DEVICE), network.url, self.patient.token]
                command += [self.patient.patient_uid, self.path, str(first)]
                with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as device:
                    assert device.stdout is not None
                    for line in device.stdout:
                        kept[int(line)] += 1
                        if int(line) == first + 60:
                            device.send_signal(signal.SIGKILL)

        devices = [threading.Thread(target=run, args=(number,)) for number in range(3)]
        for device in devices:
            device.start()
        for device in devices:
            device.join()
        queue = self.queue(self.patient.client())
        queue.flush()
        (state,) = queue._db.execute("pragma integrity_check").fetchone()
        self.assertEqual(state, "ok")
        self.assertGreater(len(kept), 500)
        stored = Counter(self.patient.sequences())
        self.assertEqual(set(kept) - set(stored), set())
        self.assertEqual(set(stored.values()), {1})
