"""What the tests stand on: the process that started them has the server, its issuer and faulty networks."""

from __future__ import annotations

import itertools
import json
import os
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rounds_client import RoundsClient, RoundsError, StoredReading


def ask(what: str, **details: Any) -> Any:
    body = json.dumps({"do": what, **details}).encode()
    with urllib.request.urlopen(os.environ["STAGE"], body, timeout=60) as answer:
        answered = json.load(answer)
    if "error" in answered:
        raise AssertionError(answered["error"])
    return answered["value"]


URL: str = ask("rounds")["url"]
LIMITED_URL: str = ask("rounds")["limitedUrl"]


class Network:
    def __init__(self) -> None:
        made = ask("network")
        self.url: str = made["url"]
        self._network = made["network"]

    def cut_requests(self, count: int) -> None:
        ask("cutRequests", network=self._network, count=count)

    def lose_answers(self, count: int) -> None:
        ask("loseAnswers", network=self._network, count=count)

    def hang(self) -> None:
        ask("hang", network=self._network)

    def slow_down(self) -> None:
        ask("slowDown", network=self._network)

    def speed_up(self) -> None:
        ask("speedUp", network=self._network)

    def requests(self) -> int:
        return int(ask("requests", network=self._network))


class Patient:
    """A new patient with a token of their own, and what the server stores of them."""

    def __init__(self) -> None:
        made = ask("patient")
        self.patient_uid: str = made["patientUid"]
        self.token: str = made["token"]

    def client(self, url: str = URL, **options: Any) -> RoundsClient:
        return RoundsClient(url, token=self.token, **options)

    def steps(self, count: int, **extra: Any) -> list[dict[str, Any]]:
        return steps_of(self.patient_uid, count, **extra)

    def stored(self) -> list[StoredReading]:
        found: list[StoredReading] = ask("stored", token=self.token)
        return found

    def sequences(self) -> list[int]:
        return [reading["sequence"] for reading in self.stored()]


def steps_of(patient_uid: str, count: int, **extra: Any) -> list[dict[str, Any]]:
    """So many different readings."""
    return [
        {
            "patientUid": patient_uid,
            "readingType": "acme.step",
            "timestamp": 1_763_000_000_000 + sequence,
            "sequence": sequence,
            **extra,
        }
        for sequence in range(count)
    ]


def failure_of(call: Callable[[], object]) -> RoundsError:
    try:
        call()
    except RoundsError as error:
        return error
    raise AssertionError("The call did not fail.")


def no_refusal(_reading: StoredReading, error: RoundsError) -> None:
    raise error


class Strange:
    """A server that is not Rounds: it answers each request with the next of some bytes, then with the last ones."""

    def __init__(self, answers: list[bytes], pause_s: float = 0, reads_body: bool = True) -> None:
        self._answers = itertools.chain(answers, itertools.repeat(answers[-1]))
        self._pause_s = pause_s
        self._reads_body = reads_body
        self._stopping = threading.Event()
        self._server = socket.create_server(("127.0.0.1", 0))
        self.heads: list[str] = []
        self.connections = 0
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._server.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        with sock:
            try:
                while head := self._read_request(sock):
                    self.heads.append(head)
                    if not self._write(sock, next(self._answers)):
                        return
            except OSError:
                return

    def _read_request(self, sock: socket.socket) -> str:
        data = b""
        while b"\r\n\r\n" not in data:
            chunk = sock.recv(65_536)
            if not chunk:
                return ""
            data += chunk
        head, body = data.split(b"\r\n\r\n", 1)
        lengths = [line[15:] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        while self._reads_body and lengths and len(body) < int(lengths[0]):
            body += sock.recv(65_536)
        return head.decode("latin-1")

    def _write(self, sock: socket.socket, answer: bytes) -> bool:
        """Byte by byte where that is asked for. Whether the connection stays open."""
        pieces = [answer] if self._pause_s == 0 else [answer[at : at + 1] for at in range(len(answer))]
        for piece in pieces:
            sock.sendall(piece)
            if self._stopping.wait(self._pause_s):
                return False
        if b"connection: close" in answer:
            sock.shutdown(socket.SHUT_WR)
            return False
        return True

    def close(self) -> None:
        self._stopping.set()
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join()


@contextmanager
def strange(*answers: bytes, pause_s: float = 0, reads_body: bool = True) -> Iterator[Strange]:
    server = Strange(list(answers), pause_s, reads_body)
    try:
        yield server
    finally:
        server.close()


def answer_of(status: int, body: bytes | str, *headers: str) -> bytes:
    text = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} Some", f"content-length: {len(text)}", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + text


OK = answer_of(200, '{"code":"Ok","message":"","data":[],"nextCursor":null}')
