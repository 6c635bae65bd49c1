"""What stands between a device and Rounds: connections that are kept, servers that are not Rounds, and TLS."""

from __future__ import annotations

import logging
import os
import pickle
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import traceback
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rounds_client import RoundsClient, RoundsError
from stage import OK, URL, Network, Patient, answer_of, ask, failure_of, strange


class Connections(unittest.TestCase):
    def test_one_connection_serves_many_calls_and_one_that_was_closed_meanwhile_is_not_used(self) -> None:
        closing = answer_of(200, '{"code":"Ok","data":[],"nextCursor":null}', "connection: close")
        with strange(OK, OK, OK, closing, OK) as server, RoundsClient(server.url, token="x", attempts=1) as client:
            for _ in range(3):
                client.get_readings()
            self.assertEqual(server.connections, 1)
            for _ in range(3):
                client.get_readings()
            self.assertEqual(server.connections, 2)

    def test_a_connection_that_the_server_closed_while_it_was_idle_costs_no_attempt(self) -> None:
        with strange(OK) as server, RoundsClient(server.url, token="x", attempts=1) as client:
            client.get_readings()
            [idle] = client._pool._idle
            # As the server would, without a word.
            idle._timed.sock.shutdown(socket.SHUT_RD)
            client.get_readings()
            self.assertEqual(server.connections, 2)

    def test_threads_share_a_client(self) -> None:
        patient = Patient()
        with patient.client() as client, ThreadPoolExecutor(12) as threads:
            list(threads.map(lambda one: client.add_readings([one]), patient.steps(120)))
        self.assertEqual(patient.sequences(), list(range(120)))


class Strangers(unittest.TestCase):
    def failure(self, answer: bytes, pause_s: float = 0, **options: Any) -> RoundsError:
        with strange(answer, pause_s=pause_s) as server:
            with RoundsClient(server.url, token="x", attempts=1, **options) as client:
                return failure_of(client.get_readings)

    def test_no_redirect_is_followed(self) -> None:
        with strange(OK) as elsewhere:
            for status in (301, 302, 303, 307, 308):
                error = self.failure(answer_of(status, "", f"location: {elsewhere.url}/"))
                self.assertEqual((error.code, str(error.__cause__)), ("ConnectionFailed", "The answer is a redirect."))
            self.assertEqual(elsewhere.heads, [])

    def test_an_answer_is_bounded_however_it_comes(self) -> None:
        long = '{"code":"Ok","data":["' + "x" * 5_000 + '"]}'
        chunked = f"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{len(long):x}\r\n{long}\r\n0\r\n\r\n"
        for answer in (answer_of(200, long), chunked.encode()):
            error = self.failure(answer, max_answer_bytes=5_000)
            self.assertEqual((error.code, error.retryable), ("UnexpectedAnswer", False))
            self.assertIn("larger than 5000 bytes", str(error))
            with strange(answer) as server, RoundsClient(server.url, token="x") as client:
                self.assertEqual(len(client.get_readings()["data"][0]), 5_000)
        endless = self.failure(b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000)
        self.assertEqual(endless.code, "ConnectionFailed")

    def test_an_answer_that_is_cut_off_is_no_answer(self) -> None:
        whole = '{"code":"Ok","data":[],"nextCursor":null}'
        for cut in (
            f"HTTP/1.1 200 OK\r\ncontent-length: 99\r\nconnection: close\r\n\r\n{whole}",
            f"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n99\r\n{whole}",
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-le",
        ):
            error = self.failure(cut.encode())
            self.assertEqual((error.code, error.retryable), ("ConnectionFailed", True), cut)

    def test_an_answer_that_trickles_in_is_given_up_at_its_time(self) -> None:
        for answer in (OK, b"HTTP/1.1 200 OK\r\nx: " + b"y" * 1_000):
            started = time.monotonic()
            error = self.failure(answer, pause_s=0.05, attempt_timeout_s=0.5)
            self.assertEqual(error.code, "TimedOut")
            self.assertLess(time.monotonic() - started, 5)

    def test_what_is_not_http_is_no_answer(self) -> None:
        for nonsense in (b"SSH-2.0-OpenSSH\r\n\r\n", b"\x15\x03\x01\x00\x02\x02\x46\r\n\r\n"):
            self.assertEqual(self.failure(nonsense).code, "ConnectionFailed")


class Secrets(unittest.TestCase):
    def test_no_token_and_no_patient_is_in_an_error_a_log_or_a_repr(self) -> None:
        secret, patient = "secret-token-0123456789", "patient-0123456789"
        network = Network()
        network.hang()
        refused = answer_of(401, '{"status":"error","code":"TokenInvalid","message":"x.","retryable":false}')
        texts: list[str] = []
        with self.assertLogs(level=logging.DEBUG) as logs, strange(refused) as server:
            logging.debug("One line, which assertLogs needs.")
            for url in (server.url, network.url, "http://127.0.0.1:9"):
                with RoundsClient(url, token=secret, attempts=1, attempt_timeout_s=0.1) as client:
                    texts.append(f"{client!r} {client._tokens!r} {client._pool!r}")
                    error = failure_of(lambda: client.get_readings({"patientUid": patient}))
                    texts += ["".join(traceback.format_exception(error)), repr(error), repr(vars(error))]
        texts += logs.output
        for text in texts:
            self.assertNotIn(secret, text)
            self.assertNotIn(patient, text)

    def test_an_error_passes_between_processes(self) -> None:
        with Patient().client() as client:
            error = failure_of(lambda: client.get_readings({"from": 2, "to": 1}))
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copy), vars(copy)), (str(error), vars(error)))


class Tls(unittest.TestCase):
    """Rounds behind a proxy that ends TLS, with a certificate of an authority that the system does not trust."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.certificate, key = (os.path.join(folder.name, name) for name in ("certificate.pem", "key.pem"))
        command = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost".split()
        command += ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", self.certificate]
        subprocess.run(command, check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.server = context.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True)
        self.addCleanup(self.server.close)
        self.connections = 0
        threading.Thread(target=self.accept, daemon=True).start()
        self.port = self.server.getsockname()[1]

    def accept(self) -> None:
        while True:
            try:
                near, _ = self.server.accept()
            except ssl.SSLError:
                continue
            except OSError:
                return
            self.connections += 1
            host, port = URL.removeprefix("http://").split(":")
            far = socket.create_connection((host, int(port)))
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self.pass_on, args=(one, other), daemon=True).start()

    def pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with source, target:
            try:
                while data := source.recv(65_536):
                    target.sendall(data)
            except OSError:
                return

    def test_certificates_are_verified_unless_an_authority_is_named(self) -> None:
        patient = Patient()
        with patient.client(f"https://localhost:{self.port}", attempts=1) as client:
            error = failure_of(client.get_readings)
            self.assertEqual(error.code, "ConnectionFailed")
            self.assertIn("CERTIFICATE_VERIFY_FAILED", str(error))
        context = ssl.create_default_context(cafile=self.certificate)
        with patient.client(f"https://127.0.0.1:{self.port}", attempts=1, context=context) as client:
            self.assertIn("CERTIFICATE_VERIFY_FAILED", str(failure_of(client.get_readings)))
        before = self.connections
        with patient.client(f"https://localhost:{self.port}", attempts=1, context=context) as client:
            client.add_readings(patient.steps(1_000, note="x" * 3_000))
            for _ in range(3):
                self.assertEqual(len(client.get_readings()["data"]), 1_000)
        self.assertEqual(self.connections - before, 1)
        self.assertEqual(patient.sequences(), list(range(1_000)))

    def test_close_ends_a_call_under_way(self) -> None:
        context = ssl.create_default_context(cafile=self.certificate)
        token = ask("token", claims={"sub": "warehouse", "scope": "readings:changes"})
        with RoundsClient(f"https://localhost:{self.port}", token=token, context=context) as client:
            following = client.changes({"start": "now"})
            next(following)
            threading.Timer(0.3, client.close).start()
            started = time.monotonic()
            with self.assertRaisesRegex(RuntimeError, "closed"):
                while True:
                    next(following)
            self.assertLess(time.monotonic() - started, 15)
