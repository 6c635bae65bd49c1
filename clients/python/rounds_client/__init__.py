"""A client for Rounds on the standard library alone: tokens, retries, a verdict on each reading, a queue in SQLite that
survives a power failure, and the changes of all readings. Its behaviour and its error codes are those of the TypeScript
client.

From top to bottom: the error; the words of the API; JSON; tokens; one request over HTTP; retries; the client; the
queue.
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import email.utils
import errno
import http.client
import io
import json
import math
import os
import random
import re
import selectors
import socket
import sqlite3
import ssl
import threading
import time
import urllib.parse
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from types import TracebackType
from typing import Any, Final, Literal, NamedTuple, NotRequired, Protocol, TypedDict, TypeVar, cast

__version__ = "0.1.0"
__all__ = [
    "AddAnswer",
    "AddVerdict",
    "AddVerdicts",
    "Change",
    "ChangesPage",
    "ChangesQuery",
    "Doctor",
    "DoctorsAnswer",
    "DoctorsQuery",
    "FieldError",
    "Flushed",
    "IssuedToken",
    "LatestAnswer",
    "LatestQuery",
    "Reading",
    "ReadingQueue",
    "ReadingToRestore",
    "ReadingToWithdraw",
    "ReadingTypesAnswer",
    "ReadingsAnswer",
    "ReadingsQuery",
    "RoundsClient",
    "RoundsError",
    "SpecialitiesAnswer",
    "Speciality",
    "StatisticsAnswer",
    "StatisticsQuery",
    "StoredReading",
    "TokenByPatient",
]


class FieldError(TypedDict):
    """One field that is wrong: a JSON Pointer to it, and what it must be."""

    pointer: str
    message: str


class RoundsError(Exception):
    """The one error of this package. The service's own errors keep their code. The others are ours:

    ConnectionFailed: no answer came: no network, a connection that was cut, a redirect.
    TimedOut: the time given to an attempt, or to the whole call, is over.
    UnexpectedAnswer: something answered that is not Rounds, such as a proxy, or the answer was too large.
    QueueFull: the queue holds as many readings as it may.
    StorageFull: the disk has no more room for the queue.
    TokenUnavailable: your function gave no token for a patient; `__cause__` says why.
    """

    # Defaults, because an exception is unpickled (multiprocessing) from its message alone.
    def __init__(
        self,
        message: str,
        *,
        code: str = "UnexpectedAnswer",
        retryable: bool = False,
        status: int = 0,
        errors: Iterable[FieldError] = (),
        request_id: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code: Final = code
        # Whether the same call may succeed later, unchanged.
        self.retryable: Final = retryable
        # The HTTP status, 0 when no answer came.
        self.status: Final = status
        # What is wrong with the request, field by field.
        self.errors: Final[list[FieldError]] = list(errors)
        # To quote when asking for help.
        self.request_id: Final = request_id
        # How long the service asks to wait before the next attempt.
        self.retry_after_s: Final = retry_after_s


# The words of the API. Names of fields are those of its JSON.

Reading = Mapping[str, Any]
"""A reading as it is sent: patientUid, readingType, timestamp, and the fields of its type."""
StoredReading = dict[str, Any]
"""A reading as it comes back: as it was sent, with readingId, measuredAt and receivedAt, and withdrawn if it is."""


class SpecialityNamed(TypedDict):
    specialityId: str
    title: str


class Doctor(TypedDict):
    doctorId: str
    name: str
    specialities: list[SpecialityNamed]
    city: str | None
    gender: str | None
    languages: list[str]
    experienceYears: int | None
    qualifications: list[str]
    registrationNumber: str | None
    photoUrl: str | None
    isActive: bool
    created: str


class Speciality(TypedDict):
    specialityId: str
    title: str
    slug: str
    isActive: bool
    created: str


class DoctorsAnswer(TypedDict):
    data: list[Doctor]
    message: str
    nextCursor: str | None


class SpecialitiesAnswer(TypedDict):
    data: list[Speciality]
    message: str


class AddAnswer(TypedDict):
    code: Literal["Ok"]
    message: str


class AddVerdict(TypedDict):
    """What became of one reading. Stored and duplicate have a readingId; rejected has a code and says why."""

    verdict: Literal["stored", "duplicate", "rejected"]
    readingId: NotRequired[str]
    warnings: NotRequired[list[dict[str, str]]]
    code: NotRequired[str]
    message: NotRequired[str]
    retryable: NotRequired[bool]
    errors: NotRequired[list[FieldError]]


class AddVerdicts(TypedDict):
    code: Literal["Ok"]
    message: str
    data: list[AddVerdict]


class ReadingsAnswer(TypedDict):
    code: Literal["Ok"]
    message: str
    data: list[StoredReading]
    nextCursor: str | None
    limitedTo: NotRequired[list[str]]


class LatestAnswer(TypedDict):
    code: Literal["Ok"]
    message: str
    data: list[StoredReading]
    typesBeyond: int
    limitedTo: NotRequired[list[str]]


class FieldStatistics(TypedDict):
    count: int
    first: float
    last: float
    max: float
    mean: float
    min: float
    p50: float
    p95: float


class StatisticsBucket(TypedDict):
    start: str
    end: str
    localStart: str
    count: int
    fields: dict[str, FieldStatistics]


class StatisticsAnswer(TypedDict):
    code: Literal["Ok"]
    message: str
    data: list[StatisticsBucket]
    units: dict[str, str]
    limitedTo: NotRequired[list[str]]


class ReadingTypesAnswer(TypedDict):
    code: Literal["Ok"]
    message: str
    data: list[dict[str, Any]]


class ReadingToRestore(TypedDict):
    """A stored reading, by the values that came back with it."""

    patientUid: str
    readingId: str
    timestamp: float


class ReadingToWithdraw(ReadingToRestore):
    reason: NotRequired[str]


class Change(TypedDict):
    """A reading that was added, withdrawn or restored, as it is now, or the erasure of a patient."""

    state: Literal["present", "withdrawn", "erased"]
    reading: NotRequired[StoredReading]
    patientUid: NotRequired[str | None]
    erasedAt: NotRequired[str]


class DoctorsQuery(TypedDict, total=False):
    city: str
    cursor: str
    doctorId: list[str]
    language: str
    limit: int
    q: str
    specialityId: str


# `from` is a word of Python, hence the other way to write a TypedDict.
ReadingsQuery = TypedDict(
    "ReadingsQuery",
    {
        "patientUid": str,
        "from": float,
        "to": float,
        "readingType": list[str],
        "order": Literal["asc", "desc"],
        "limit": int,
        "cursor": str,
        "withdrawn": Literal["include"],
    },
    total=False,
)


class LatestQuery(TypedDict, total=False):
    patientUid: str
    readingType: list[str]
    to: float
    withdrawn: Literal["include"]


StatisticsQuery = TypedDict(
    "StatisticsQuery",
    {
        "patientUid": NotRequired[str],
        "readingType": str,
        "from": float,
        "to": float,
        "bucket": NotRequired[Literal["hour", "day", "week", "month"]],
        "timeZone": NotRequired[str],
        "unit": NotRequired[str],
        "withdrawn": NotRequired[Literal["include"]],
    },
)


class ChangesQuery(TypedDict, total=False):
    cursor: str
    limit: int
    readingType: list[str]
    start: Literal["now"]
    wait: int


@dataclass(frozen=True)
class ChangesPage:
    changes: list[Change]
    # To be stored together with what was made of the changes.
    next_cursor: str
    has_more: bool
    # How long a transaction that stays open has held changes back: 0 means that there is nothing newer.
    held_back_seconds: float


# JSON, without loss: the service accepts a number only if a double holds it, and a Decimal is sent digit by digit.


def _json_text(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, (float, Decimal)):
        if not (math.isfinite(value) if isinstance(value, float) else value.is_finite()):
            raise ValueError("JSON has no numbers that are not finite.")
        return float.__repr__(value) if isinstance(value, float) else str(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_json_name(name)}:{_json_text(one)}" for name, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_json_text, value)) + "]"
    raise TypeError(f"JSON has no values of the type {type(value).__name__}.{_advice(value)}")


def _json_name(name: object) -> str:
    if isinstance(name, str):
        return json.dumps(name, ensure_ascii=False)
    raise TypeError(f"The name of a field must be a str, not of the type {type(name).__name__}.")


def _json_bytes(value: object) -> bytes:
    # Half a surrogate pair has no UTF-8. It can only stand within a text, where a backslash escapes it in JSON too.
    return _json_text(value).encode("utf-8", "backslashreplace")


def _parsed(text: bytes | str) -> Any:
    return json.loads(text, parse_float=_exact_number, parse_constant=_refuse_constant)


def _exact_number(text: str) -> float | Decimal:
    """A float, or a Decimal where a float would be another number."""
    number = float(text)
    return number if math.isfinite(number) and Decimal(repr(number)) == Decimal(text) else Decimal(text)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON.")


def _advice(value: object) -> str:
    if isinstance(value, datetime.datetime):
        return " Use int(date.timestamp() * 1000)."
    return ""


def _query_text(query: Mapping[str, Any]) -> str:
    """A query as text; a list repeats its name, and None is left out."""
    parts: list[str] = []
    for name, value in query.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None:
                parts.append(f"{_quoted(name)}={_quoted(_query_value(name, one))}")
    return "?" + "&".join(parts) if parts else ""


def _query_value(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, int, float, Decimal)):
        return _json_text(value)
    raise TypeError(f"{name} must be a str or a number, not of the type {type(value).__name__}.{_advice(value)}")


def _quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="!'()*-._~", errors="replace")


# Tokens. Nothing of them stands in an error, a log or a repr.

TokenProvider = Callable[[str | None], str]
"""Gives an access token. It is called with None before every request, so it should cache, and once more with a token
that the service refused. Two threads never call it at once. It must bound its own time."""


class IssuedAnswer(TypedDict):
    """The answer of a token endpoint as it came (RFC 6749, RFC 8693)."""

    access_token: str
    expires_in: NotRequired[float]


IssuedToken = str | IssuedAnswer | Mapping[str, Any]
PatientTokenProvider = Callable[[str, str | None], IssuedToken]
"""Gets a token for one patient; the second argument is the token that the service did not accept, or None."""


class Tokens(Protocol):
    by_patient: bool

    def current(self, patient_uid: str | None) -> str:
        ...

    def instead_of(self, refused: str, patient_uid: str | None) -> str:
        ...


class TokenMisuse(TypeError):
    """A mistake in the program, which no repetition will cure."""


def _must_be_token(token: object) -> str:
    if isinstance(token, str) and re.fullmatch(r"[\x21-\x7e]+", token):
        return token
    raise TokenMisuse('The token function must give an access token, without "Bearer".')


class _SharedToken:
    """One token for all calls. Refreshes are shared: issuers that rotate refresh tokens end it when two run."""

    by_patient = False

    def __init__(self, provider: TokenProvider) -> None:
        self._provider = provider
        self._lock = threading.Lock()
        self._replaced: tuple[str, str] | None = None

    def current(self, patient_uid: str | None) -> str:
        with self._lock:
            return _must_be_token(self._provider(None))

    def instead_of(self, refused: str, patient_uid: str | None) -> str:
        with self._lock:
            # Another call had the token replaced while this one was in flight with it.
            if self._replaced is not None and self._replaced[0] == refused:
                return self._replaced[1]
            fresh = _must_be_token(self._provider(refused))
            if fresh != refused:
                self._replaced = (refused, fresh)
            return fresh


# A token is renewed so long before it expires, or at four fifths of its life where that is short.
_RENEW_BEFORE_S = 60
# How long a token is cached whose expiry cannot be known.
_UNKNOWN_LIFE_S = 300
# Calls for one patient share one request to the issuer. Patients share so many locks: a few may wait for one another.
_TOKEN_LOCKS = 64


class _CachedToken(NamedTuple):
    token: str
    renew_at: float
    expires_at: float


class TokenByPatient:
    """The `token` of a client that sends for many patients, such as a gateway or a vendor's cloud. Tokens are cached
    for `max_patients`; the one used least recently is evicted. `without_patient` gives the token of calls that name
    none."""

    by_patient = True

    def __init__(
        self,
        provider: PatientTokenProvider,
        *,
        max_patients: int = 1_000,
        without_patient: TokenProvider | None = None,
    ) -> None:
        self._provider = provider
        self._max_patients = _must_be_count(max_patients, "max_patients")
        self._of_no_patient = None if without_patient is None else _SharedToken(without_patient)
        self._lock = threading.Lock()
        self._obtaining = [threading.Lock() for _ in range(_TOKEN_LOCKS)]
        self._cache: OrderedDict[str, _CachedToken] = OrderedDict()

    def current(self, patient_uid: str | None) -> str:
        if patient_uid is None:
            return self._without_patient().current(None)
        found = self._cached(patient_uid)
        if found is not None and time.monotonic() < found.renew_at:
            return found.token
        try:
            return self._obtain(patient_uid, found, None)
        except RoundsError:
            # While the issuer is unavailable, the old token is good until it expires.
            if found is not None and time.monotonic() < found.expires_at:
                return found.token
            raise

    def instead_of(self, refused: str, patient_uid: str | None) -> str:
        if patient_uid is None:
            return self._without_patient().instead_of(refused, None)
        found = self._cached(patient_uid)
        # Another call had the token replaced while this one was in flight with it.
        if found is not None and found.token != refused:
            return found.token
        return self._obtain(patient_uid, found, refused)

    def _cached(self, patient_uid: str) -> _CachedToken | None:
        with self._lock:
            found = self._cache.get(patient_uid)
            if found is not None:
                self._cache.move_to_end(patient_uid)
            return found

    def _obtain(self, patient_uid: str, known: _CachedToken | None, refused: str | None) -> str:
        with self._obtaining[hash(patient_uid) % _TOKEN_LOCKS]:
            found = self._cached(patient_uid)
            # Another thread obtained it while this one waited.
            if found is not None and found is not known and found.token != refused:
                return found.token
            try:
                issued = _issued(self._provider(patient_uid, refused))
            except Exception as cause:
                message = f"There is no token for this patient. {cause}".rstrip()
                raise RoundsError(message, code="TokenUnavailable") from cause
            with self._lock:
                self._cache[patient_uid] = issued
                self._cache.move_to_end(patient_uid)
                while len(self._cache) > self._max_patients:
                    self._cache.popitem(last=False)
            return issued.token

    def _without_patient(self) -> _SharedToken:
        if self._of_no_patient is not None:
            return self._of_no_patient
        raise TokenMisuse(
            "The token is by patient, and this call names none:"
            " pass patientUid, or give TokenByPatient without_patient."
        )


def _issued(answer: IssuedToken) -> _CachedToken:
    named: Mapping[str, Any] = {"access_token": answer} if isinstance(answer, str) else dict(answer)
    if "error" in named:
        description = named.get("error_description")
        raise TypeError(f"The issuer answered {named['error']}{f' ({description})' if description else ''}.")
    token = _must_be_token(named.get("access_token"))
    life_s = float(named.get("expires_in") or _life_in(token) or 0)
    known_s = life_s if life_s > 0 else _UNKNOWN_LIFE_S
    now = time.monotonic()
    return _CachedToken(token, now + max(known_s - _RENEW_BEFORE_S, known_s * 0.8), now + known_s)


def _life_in(token: str) -> float | None:
    """By the claims, each relative to the other: the clock of this device may be wrong."""
    try:
        payload = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        return float(claims["exp"]) - float(claims["iat"])
    except (IndexError, KeyError, TypeError, ValueError, RecursionError):
        return None  # An opaque token.


# One request over HTTP.

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# What gateways say of a service that is busy or away.
_PASSING_STATUS = frozenset({408, 429, 502, 503, 504})
_MAX_IDLE = 16
# The service closes connections that are idle for 72 s.
_MAX_IDLE_S = 60


class _Address(NamedTuple):
    is_tls: bool
    host: str
    port: int | None


@dataclass(frozen=True)
class _Request:
    address: _Address
    target: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    patient_uid: str | None = None


class _Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes


class _TimedSocket:
    """A socket whose operations share one deadline. The time-out of Python's own begins anew with each packet."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.deadline = math.inf

    def use_time(self) -> None:
        self.sock.settimeout(_left_until(self.deadline))

    def sendall(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            self.use_time()
            view = view[self.sock.send(view[:65_536]) :]

    def makefile(self, mode: str, buffering: int | None = None) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self))

    def close(self) -> None:
        self.sock.close()


def _left_until(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("The time is over.")
    # No socket takes infinity.
    return min(left, 1e6)


class _TimedReader(io.RawIOBase):
    def __init__(self, timed: _TimedSocket) -> None:
        self._timed = timed
        # It keeps the socket open until the answer was read, also where the connection is closed before.
        self._file = timed.sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._timed.use_time()
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()


class _Connection:
    def __init__(self, address: _Address, context: ssl.SSLContext, deadline: float) -> None:
        self.address = address
        self.idle_since = 0.0
        self._is_spent = False
        left = _left_until(deadline)
        host, port = address.host, address.port
        if address.is_tls:
            self._http: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, port, timeout=left, context=context
            )
        else:
            self._http = http.client.HTTPConnection(host, port, timeout=left)
        self._http.connect()
        # It would connect anew by itself, without the deadline.
        self._http.auto_open = 0
        self._timed = _TimedSocket(self._http.sock)
        self._http.sock = self._timed

    def exchange(self, request: _Request, headers: Mapping[str, str], deadline: float, max_bytes: int) -> _Answer:
        self._timed.deadline = deadline
        method = "GET" if request.body is None else "POST"
        try:
            self._http.request(method, request.target, request.body, dict(headers))
        except (BrokenPipeError, ConnectionResetError):
            # A proxy that refuses a large body answers before it has read it.
            self._is_spent = True
        response = self._http.getresponse()
        if response.status in _REDIRECTS:
            raise ConnectionError("The answer is a redirect.")
        body = response.read(max_bytes + 1)
        if len(body) > max_bytes:
            message = f"The answer is larger than {max_bytes} bytes (max_answer_bytes)."
            raise RoundsError(message, code="UnexpectedAnswer", status=response.status)
        # Cut off within its body, or within its headers: the service says how long an answer is, or sends it in chunks.
        if response.length or (response.length is None and not response.chunked and not body):
            raise http.client.IncompleteRead(body, response.length)
        return _Answer(response.status, response.headers, body)

    def is_usable(self, now: float) -> bool:
        """Whether the other side has neither closed it nor said anything since the last answer."""
        if self._is_spent or self._http.sock is None or now - self.idle_since > _MAX_IDLE_S:
            return False
        with selectors.DefaultSelector() as selector:
            selector.register(self._timed.sock, selectors.EVENT_READ)
            return not selector.select(0)

    def close(self) -> None:
        self._http.close()
        self._timed.close()

    def shut_down(self) -> None:
        """From another thread than the reader's. Not by ssl's own shutdown, which takes the reader's state away."""
        with contextlib.suppress(OSError):
            socket.socket.shutdown(self._timed.sock, socket.SHUT_RDWR)


class _Pool:
    """Connections that are kept alive. Each is used by one thread at a time."""

    def __init__(self, context: ssl.SSLContext, max_answer_bytes: int) -> None:
        self._context = context
        self._max_answer_bytes = max_answer_bytes
        self._lock = threading.Lock()
        self._idle: list[_Connection] = []
        self._busy: set[_Connection] = set()
        self._pid = os.getpid()
        self.closed = threading.Event()

    def exchange(self, request: _Request, headers: Mapping[str, str], deadline: float) -> _Answer:
        try:
            connection = self._idle_to(request.address) or _Connection(request.address, self._context, deadline)
            with self._lock:
                self._busy.add(connection)
            try:
                # It may have been closed while this connected.
                self.must_be_open()
                answer = connection.exchange(request, headers, deadline, self._max_answer_bytes)
            except BaseException:
                connection.close()
                raise
            finally:
                with self._lock:
                    self._busy.discard(connection)
            self._give_back(connection)
            return answer
        except (OSError, http.client.HTTPException) as cause:
            self.must_be_open()
            if isinstance(cause, TimeoutError) and time.monotonic() >= deadline - 0.001:
                raise RoundsError("There was no answer in time.", code="TimedOut", retryable=True) from cause
            message = f"The service could not be reached, or the connection was lost ({_name_of(cause)})."
            raise RoundsError(message, code="ConnectionFailed", retryable=True) from cause

    def _idle_to(self, address: _Address) -> _Connection | None:
        self.must_be_open()
        while True:
            with self._lock:
                if self._pid != os.getpid():
                    # After a fork they belong to the parent; closing a copy does not end them.
                    for connection in self._idle:
                        connection.close()
                    self._pid, self._idle = os.getpid(), []
                found = next((one for one in reversed(self._idle) if one.address == address), None)
                if found is None:
                    return None
                self._idle.remove(found)
            if found.is_usable(time.monotonic()):
                return found
            found.close()

    def _give_back(self, connection: _Connection) -> None:
        connection.idle_since = time.monotonic()
        with self._lock:
            if not self.closed.is_set() and len(self._idle) < _MAX_IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def must_be_open(self) -> None:
        if self.closed.is_set():
            raise RuntimeError("The client is closed.")

    def close(self) -> None:
        self.closed.set()
        with self._lock:
            idle, self._idle = self._idle, []
            for connection in self._busy:
                connection.shut_down()
        for connection in idle:
            connection.close()


def _name_of(cause: Exception) -> str:
    """ECONNREFUSED, CERTIFICATE_VERIFY_FAILED, RemoteDisconnected: never a text that may hold more than that."""
    if isinstance(cause, ssl.SSLError) and cause.reason:
        return str(cause.reason)
    if isinstance(cause, OSError) and cause.errno in errno.errorcode:
        return errno.errorcode[cause.errno]
    return type(cause).__name__


def _read_answer(answer: _Answer, now: datetime.datetime) -> Any:
    """Between a device and Rounds stand proxies, gateways and login pages of hotels that answer 200 to anything, so an
    answer counts only when it is in Rounds' own words."""
    status, headers, text = answer
    try:
        body = _parsed(text)
    except (ValueError, RecursionError):
        body = None
    named: dict[str, Any] = body if isinstance(body, dict) else {}
    is_good = 200 <= status < 300
    if is_good and (named.get("code") == "Ok" or named.get("status") == "success"):
        return body
    retry_after_s = _retry_after(headers.get("retry-after"), now)
    is_of_rounds = isinstance(named.get("code"), str) and isinstance(named.get("retryable"), bool)
    if not is_good and named.get("status") == "error" and is_of_rounds:
        raise RoundsError(
            str(named.get("message")),
            code=named["code"],
            retryable=named["retryable"],
            status=status,
            errors=named.get("errors") or (),
            request_id=named.get("requestId"),
            retry_after_s=retry_after_s,
        )
    raise RoundsError(
        f"The answer (status {status}) did not come from Rounds, or not whole.",
        code="UnexpectedAnswer",
        # A success that begins like ours and is not whole was cut off on its way.
        retryable=status in _PASSING_STATUS or (is_good and text.startswith(b"{")),
        status=status,
        request_id=headers.get("x-request-id"),
        retry_after_s=retry_after_s,
    )


def _retry_after(header: str | None, now: datetime.datetime) -> float | None:
    """Seconds or a date, as HTTP has it; in seconds from now."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header):
        return float(header)
    try:
        at = email.utils.parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return None
    wait = (at if at.tzinfo else at.replace(tzinfo=datetime.timezone.utc)) - now
    return min(wait.total_seconds(), 1e9) if wait.total_seconds() >= 0 else None


# Retries. Every operation that has a method here may be repeated: reading changes nothing, and a reading's identity is
# its content, so adding one again stores it once.

_FIRST_WAIT_S = 0.25
_LONGEST_WAIT_S = 20.0

MayRepeat = Callable[[RoundsError, float], bool]
"""Called before a failed attempt is repeated, with how many seconds it took; False ends the call with that error."""


def _wait_before(failures: int, retry_after_s: float | None, chance: float) -> float:
    """Full jitter: anything up to a bound that doubles, so that devices that failed together do not return together.
    What the service asks for comes on top, for the same reason."""
    return (retry_after_s or 0) + chance * min(_LONGEST_WAIT_S, math.ldexp(_FIRST_WAIT_S, min(failures, 30)))


def _was_not_begun(error: RoundsError, _attempt_s: float) -> bool:
    """For what must not happen twice: only a request that the service has refused to begin is sent again."""
    return error.code in ("RateLimited", "Overloaded")


# The number of items on one page of an iterator.
_PAGE = 500
_CHANGES_WAIT_S = 20
_MAX_ANSWER_BYTES = 64 * 1_048_576

_Item = TypeVar("_Item")


class RoundsClient:
    """The operations of Rounds. One client may be used by several threads at once. `close` ends the calls under way.

    `url` is the address of all modules; `appointments_url` and `casesheet_url` are for modules that run apart.
    `token` is a token, a function that gives one (TokenProvider), or TokenByPatient(…).
    `attempts` bounds how often a request is sent, `attempt_timeout_s` how long each may take, `timeout_s` a whole call.
    `context` verifies the service's certificate; by default with the authorities that the system trusts.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | TokenProvider | Tokens,
        appointments_url: str | None = None,
        casesheet_url: str | None = None,
        attempts: float = 5,
        attempt_timeout_s: float = 40,
        timeout_s: float = 120,
        max_answer_bytes: int = _MAX_ANSWER_BYTES,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._bases = _bases_of(url, appointments_url, casesheet_url)
        self._tokens = _tokens_of(token)
        self._attempts = _must_be_count(attempts, "attempts")
        self._attempt_timeout_s = _must_be_seconds(attempt_timeout_s, "attempt_timeout_s")
        self._timeout_s = _must_be_seconds(timeout_s, "timeout_s")
        self._pool = _Pool(context or ssl.create_default_context(), max_answer_bytes)

    @property
    def by_patient(self) -> bool:
        """Whether each patient has a token of their own; then one call may add readings of one patient only."""
        return self._tokens.by_patient

    def __enter__(self) -> RoundsClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._pool.close()

    def list_doctors(self, query: DoctorsQuery | None = None, *, timeout_s: float | None = None) -> DoctorsAnswer:
        return cast(DoctorsAnswer, self.call("/appointments/doctors/list", query, timeout_s=timeout_s))

    def each_doctor(self, query: DoctorsQuery | None = None, *, timeout_s: float | None = None) -> Iterator[Doctor]:
        """All doctors that the query finds, page after page; `limit` is the size of a page."""
        return _each(lambda page: self.list_doctors(cast(DoctorsQuery, page), timeout_s=timeout_s), query)

    def list_specialities(self, *, timeout_s: float | None = None) -> SpecialitiesAnswer:
        return cast(SpecialitiesAnswer, self.call("/appointments/doctors/specialities/list", timeout_s=timeout_s))

    def add_readings(self, readings: Reading | Sequence[Reading], *, timeout_s: float | None = None) -> AddAnswer:
        """Stores one reading, or all or none of up to 1,000. It may be repeated: the same reading is stored once."""
        patient_uid = self._patient_in(readings)
        return cast(AddAnswer, self._add(_json_bytes(readings), patient_uid, timeout_s=timeout_s))

    def add_readings_each(
        self, readings: Reading | Sequence[Reading], *, timeout_s: float | None = None
    ) -> AddVerdicts:
        """Stores what can be stored of one or up to 1,000 readings, and says of each, in the order sent, whether it was
        stored now, was there already, or was rejected, and why."""
        patient_uid = self._patient_in(readings)
        return self._add_each(_json_bytes(readings), patient_uid, timeout_s=timeout_s)

    def get_readings(
        self, query: ReadingsQuery | None = None, *, reason: str | None = None, timeout_s: float | None = None
    ) -> ReadingsAnswer:
        """A page when `limit` is given, else the whole range. Staff give a `reason`; the patient sees it."""
        answer = self.call("/casesheet/readings/get", query, reason=reason, timeout_s=timeout_s)
        return cast(ReadingsAnswer, answer)

    def each_reading(
        self, query: ReadingsQuery | None = None, *, reason: str | None = None, timeout_s: float | None = None
    ) -> Iterator[StoredReading]:
        """All readings of the range, page after page, in little memory; `limit` is the size of a page."""
        return _each(
            lambda page: self.get_readings(cast(ReadingsQuery, page), reason=reason, timeout_s=timeout_s), query
        )

    def latest_readings(
        self, query: LatestQuery | None = None, *, reason: str | None = None, timeout_s: float | None = None
    ) -> LatestAnswer:
        """The newest reading of each type, or of the types asked for."""
        answer = self.call("/casesheet/readings/latest", query, reason=reason, timeout_s=timeout_s)
        return cast(LatestAnswer, answer)

    def reading_statistics(
        self, query: StatisticsQuery, *, reason: str | None = None, timeout_s: float | None = None
    ) -> StatisticsAnswer:
        """Count, minimum, maximum, mean, median and so on of each field, by hour, day, week or month."""
        answer = self.call("/casesheet/readings/statistics", query, reason=reason, timeout_s=timeout_s)
        return cast(StatisticsAnswer, answer)

    def list_reading_types(self, *, timeout_s: float | None = None) -> ReadingTypesAnswer:
        """The catalogue: the types that the service checks, with their units, codes, ranges and JSON Schemas."""
        return cast(ReadingTypesAnswer, self.call("/casesheet/readings/types", timeout_s=timeout_s))

    def withdraw_reading(self, reading: ReadingToWithdraw, *, timeout_s: float | None = None) -> AddAnswer:
        """Marks a reading as entered in error. It may be repeated: the first reason stays."""
        return cast(AddAnswer, self.call("/casesheet/readings/withdraw", body=reading, timeout_s=timeout_s))

    def restore_reading(self, reading: ReadingToRestore, *, timeout_s: float | None = None) -> AddAnswer:
        return cast(AddAnswer, self.call("/casesheet/readings/restore", body=reading, timeout_s=timeout_s))

    def changes(
        self, query: ChangesQuery | None = None, *, may_repeat: MayRepeat | None = None
    ) -> Iterator[ChangesPage]:
        """Every change of every patient's readings, page after page, without end; with `wait` 0 up to now. For
        services. Answers are held by the service until something changes. What is transient (no network, 429, 503, a
        token function that raises) is repeated for as long as it takes; `may_repeat` is called with each failure, and
        ends it with False. A page without changes is given where it brings a new cursor, while changes are held back,
        and once when they no longer are. CursorExpired: begin again without a cursor."""
        others: dict[str, Any] = {"wait": _CHANGES_WAIT_S, "limit": _PAGE}
        others.update(cast("dict[str, Any]", query or {}))
        wait_s = float(others["wait"])
        start = others.pop("start", None)
        cursor: str | None = others.pop("cursor", None)
        was_held_back = False
        while True:
            # The first cursor of a consumer that begins now comes at once: it has nothing to go on with before.
            begins_now = cursor is None and start is not None
            asked = {**others, "cursor": cursor, "start": start if cursor is None else None}
            asked["wait"] = 0 if begins_now else others["wait"]
            request = self._request("/casesheet/readings/changes" + _query_text(asked), None, {}, None)
            answer = self._repeat(request, endless=True, may_repeat=may_repeat, hold_s=wait_s)
            page = ChangesPage(answer["data"], answer["nextCursor"], answer["hasMore"], answer["heldBackSeconds"])
            is_held_back = page.held_back_seconds > 0
            if page.changes or page.next_cursor != cursor or is_held_back or was_held_back:
                yield page
            was_held_back = is_held_back
            if wait_s == 0 and not page.has_more:
                return
            cursor = page.next_cursor

    def call(
        self,
        path: str,
        query: Mapping[str, Any] | None = None,
        *,
        body: object = None,
        patient_uid: str | None = None,
        once: bool = False,
        reason: str | None = None,
        timeout_s: float | None = None,
    ) -> Any:
        """Any operation of the API by its path, such as "/care/targets/list": its answer as it came. With `body` it is
        a POST. `once` is for what must not happen twice, such as adding a webhook: it is not repeated after an answer
        that was lost. The patient is `patient_uid`, or patientUid of the query or body."""
        named = {**(query or {}), **(body if isinstance(body, Mapping) else {})}.get("patientUid")
        request = self._request(
            path + _query_text(query or {}),
            None if body is None else _json_bytes(body),
            {},
            patient_uid if patient_uid is not None else cast("str | None", named),
        )
        may_repeat = _was_not_begun if once else None
        return self._repeat(request, may_repeat=may_repeat, reason=reason, timeout_s=timeout_s)

    def _add(
        self,
        body: bytes,
        patient_uid: str | None,
        headers: Mapping[str, str] | None = None,
        *,
        may_repeat: MayRepeat | None = None,
        timeout_s: float | None = None,
    ) -> Any:
        request = self._request("/casesheet/readings/add", body, headers or {}, patient_uid)
        return self._repeat(request, may_repeat=may_repeat, timeout_s=timeout_s)

    def _add_each(
        self,
        body: bytes,
        patient_uid: str | None,
        *,
        may_repeat: MayRepeat | None = None,
        timeout_s: float | None = None,
    ) -> AddVerdicts:
        headers = {"prefer": "return=representation"}
        answer = self._add(body, patient_uid, headers, may_repeat=may_repeat, timeout_s=timeout_s)
        if isinstance(answer.get("data"), list):
            return cast(AddVerdicts, answer)
        # A proxy that drops the header, or an older service.
        message = "The readings are stored, but the service gave no verdict on each."
        raise RoundsError(message, code="UnexpectedAnswer", status=200)

    def _patient_in(self, readings: object) -> str | None:
        listed = readings if isinstance(readings, (list, tuple)) else [readings]
        for reading in listed:
            _must_be_reading(reading)
        if not self.by_patient:
            return None
        patients = {reading.get("patientUid") for reading in listed}
        if len(patients) > 1:
            raise TypeError("The token is by patient, so one call may add readings of one patient only.")
        return cast("str | None", next(iter(patients), None))

    def _request(
        self, target: str, body: bytes | None, headers: Mapping[str, str], patient_uid: str | None
    ) -> _Request:
        if not re.fullmatch(r"/[\x21-\x7e]*", target):
            raise ValueError('A path must begin with "/" and have no spaces; put values into the query.')
        prefix = "/" + target[1:].split("/", 1)[0]
        base = self._bases.get(prefix)
        address, root = base or self._bases[""]
        kept = target[len(prefix) :] if base else target
        return _Request(address, root + kept, body, headers, patient_uid)

    def _repeat(
        self,
        request: _Request,
        *,
        endless: bool = False,
        may_repeat: MayRepeat | None = None,
        hold_s: float = 0,
        reason: str | None = None,
        timeout_s: float | None = None,
    ) -> Any:
        whole_s = self._timeout_s if timeout_s is None else _must_be_seconds(timeout_s, "timeout_s")
        give_up_at = math.inf if endless else time.monotonic() + whole_s
        headers = dict(request.headers)
        if request.body is not None:
            headers["content-type"] = "application/json"
        if reason is not None:
            headers["x-access-reason"] = _quoted(reason)
        failures = 0
        while True:
            started = time.monotonic()
            # An answer that is held is not slow.
            deadline = min(started + self._attempt_timeout_s + hold_s, give_up_at)
            try:
                return self._attempt(request, headers, deadline, endless)
            except RoundsError as error:
                if not error.retryable:
                    raise
                if may_repeat is not None and not may_repeat(error, time.monotonic() - started):
                    raise
                failures += 1
                if failures >= self._attempts and not endless:
                    raise
                wait_s = _wait_before(failures - 1, error.retry_after_s, random.random())
                # The error that is known says more than a time-out that is sure to come.
                if time.monotonic() + wait_s >= give_up_at:
                    raise
            if self._pool.closed.wait(wait_s):
                self._pool.must_be_open()

    def _attempt(self, request: _Request, headers: dict[str, str], deadline: float, endless: bool) -> Any:
        token = self._token(lambda: self._tokens.current(request.patient_uid), endless)
        try:
            return self._send(request, headers, token, deadline)
        except RoundsError as error:
            if error.code not in ("TokenExpired", "TokenInvalid"):
                raise
            fresh = self._token(lambda: self._tokens.instead_of(token, request.patient_uid), endless)
            if fresh == token:
                raise
        return self._send(request, headers, fresh, deadline)

    def _token(self, obtain: Callable[[], str], endless: bool) -> str:
        """What never ends repeats also what your function raises, as it repeats a network that is away."""
        try:
            return obtain()
        except Exception as cause:
            if not endless or isinstance(cause, TokenMisuse):
                raise
            message = f"The token function gave no token. {cause}".rstrip()
            raise RoundsError(message, code="TokenUnavailable", retryable=True) from cause

    def _send(self, request: _Request, headers: dict[str, str], token: str, deadline: float) -> Any:
        named = {"user-agent": f"rounds-client-python/{__version__}", **headers, "authorization": f"Bearer {token}"}
        answer = self._pool.exchange(request, named, deadline)
        return _read_answer(answer, datetime.datetime.now(datetime.timezone.utc))


def _each(fetch: Callable[[dict[str, Any]], Any], query: Mapping[str, Any] | None) -> Iterator[Any]:
    page: dict[str, Any] = {"limit": _PAGE, **(query or {})}
    while True:
        answer = fetch(page)
        yield from answer["data"]
        if answer["nextCursor"] is None:
            return
        page["cursor"] = answer["nextCursor"]


_Base = tuple[_Address, str]


def _bases_of(url: str | None, appointments_url: str | None, casesheet_url: str | None) -> dict[str, _Base]:
    """Where paths begin: the root of all by "", and where modules run apart, theirs by the first part of the path."""
    if url is not None:
        return {"": _base_of(url, "url")}
    if appointments_url is None or casesheet_url is None:
        raise TypeError(
            "RoundsClient needs url, such as 'https://rounds.example', or both appointments_url and casesheet_url."
        )
    casesheet = _base_of(casesheet_url, "casesheet_url")
    # The other modules stand beside the readings.
    return {
        "": (casesheet[0], ""),
        "/casesheet": casesheet,
        "/appointments": _base_of(appointments_url, "appointments_url"),
    }


def _base_of(url: str, name: str) -> _Base:
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{name} must be an address that begins with https:// or http://.")
    if parts.username is not None or parts.query or parts.fragment or not re.fullmatch(r"[\x21-\x7e]*", parts.path):
        raise ValueError(f"{name} must be an address without a user, a query or spaces.")
    return _Address(parts.scheme == "https", parts.hostname, parts.port), parts.path.rstrip("/")


def _tokens_of(token: str | TokenProvider | Tokens) -> Tokens:
    if isinstance(token, str):
        held = token
        return _SharedToken(lambda _refused: held)
    if callable(token):
        return _SharedToken(token)
    if hasattr(token, "instead_of"):
        return token
    raise TypeError("RoundsClient needs token: a function that gives an access token, or the token itself.")


_Number = TypeVar("_Number", int, float)


def _must_be_count(value: _Number, name: str) -> _Number:
    if isinstance(value, bool) or not (value == math.inf or (isinstance(value, int) and value >= 1)):
        raise ValueError(f"{name} must be a whole number of at least 1.")
    return value


def _must_be_seconds(value: float, name: str) -> float:
    if not value > 0:
        raise ValueError(f"{name} must be a number of seconds above 0.")
    return value


def _must_be_reading(reading: object) -> None:
    if not isinstance(reading, Mapping):
        wanted = "a reading, such as {'patientUid': …, 'readingType': …, 'timestamp': …}, or a list of them"
        raise TypeError(f"Pass {wanted}, not a value of the type {type(reading).__name__}.")


# The queue. A device adds readings whenever it takes them and flushes whenever it has a network. A reading leaves the
# queue only after Ok, or after it was handed to on_refused. Nothing is dropped to make room.

# Of one request, as the service takes it.
_MAX_BATCH = 1_000
_MAX_BODY_BYTES = 4 * 1_048_576
# A connection that is cut sooner than this was hardly cut because of the size of the body.
_SLOW_S = 1.0
_LOCK_WAIT_S = 30.0
_FORMAT = 1

# A commit in a write-ahead log is one fsync, and with synchronous=full it has happened before the commit returns. The
# default, a rollback journal, can undo the last commit after a power failure (its removal is not synced).
_PRAGMAS = (
    "pragma synchronous = full",
    "pragma fullfsync = on",
    "pragma checkpoint_fullfsync = on",
    # What was sent is overwritten in the file.
    "pragma secure_delete = on",
)
_SCHEMA = (
    # No key is ever used twice: a removal that comes late removes nothing else.
    "create table if not exists queued (key integer primary key autoincrement, patient_uid text not null,"
    " reading blob not null)",
    "create index if not exists queued_by_patient on queued (patient_uid, key)",
    f"pragma user_version = {_FORMAT}",
)


@dataclass(frozen=True)
class Flushed:
    sent: int
    refused: int


class _Queued(NamedTuple):
    key: int
    patient_uid: str
    text: bytes

    def reading(self) -> StoredReading:
        return cast(StoredReading, _parsed(self.text))


class ReadingQueue:
    """Readings in a file until they are sent. It survives kill -9 and power loss; several threads and processes may use
    one file, and one of them flushes at a time. It must be opened after a fork, and not be on a network's file system.

    `on_refused` takes a reading that the service will never accept, with the reason. It leaves the queue when this
    returns; when this raises, it stays and the flush fails.

    `on_held_back`: with a token for each patient, takes a
    patient whose readings could not be sent for a reason of their own (no token, a rate limit). The readings stay,
    those of others are sent, and the flush raises at its end.

    `max_readings`: an add beyond that fails with QueueFull.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        client: RoundsClient,
        *,
        on_refused: Callable[[StoredReading, RoundsError], object],
        on_held_back: Callable[[str, RoundsError], object] | None = None,
        max_readings: int = 10_000,
    ) -> None:
        if not callable(on_refused):
            raise TypeError("on_refused must be a function that takes a reading and a RoundsError.")
        self._path = os.fspath(path)
        self._client = client
        self._on_refused = on_refused
        self._on_held_back = on_held_back
        self._max_readings = _must_be_count(max_readings, "max_readings")
        self._batch_size = _BatchSize(_MAX_BATCH)
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._db = _open_queue(self._path)

    def __enter__(self) -> ReadingQueue:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def add(self, readings: Reading | Sequence[Reading]) -> None:
        """Returns when the file has the readings, all of them or none."""
        listed = readings if isinstance(readings, (list, tuple)) else [readings]
        rows = [(self._patient_in(reading), _json_bytes(reading)) for reading in listed]
        try:
            with self._transaction() as db:
                (count,) = db.execute("select count(*) from queued").fetchone()
                if count + len(rows) > self._max_readings:
                    message = f"The queue holds at most {self._max_readings} readings. Flush it and try again."
                    raise RoundsError(message, code="QueueFull", retryable=True)
                db.executemany("insert into queued (patient_uid, reading) values (?, ?)", rows)
        except sqlite3.OperationalError as cause:
            if cause.sqlite_errorcode & 0xFF != sqlite3.SQLITE_FULL:
                raise
            message = "The disk has no more room for readings. Flush the queue, or free space on the device."
            raise RoundsError(message, code="StorageFull", retryable=True) from cause

    def count(self) -> int:
        with self._transaction("begin") as db:
            return int(db.execute("select count(*) from queued").fetchone()[0])

    def flush(self) -> Flushed:
        """Sends everything, also what is added meanwhile, in smaller batches where large ones take too long. When the
        service cannot be reached it raises, and what was not sent stays. It waits for a flush of another thread or
        process."""
        with _flush_lock(self._path + "-flush", self._client._timeout_s):
            return _Flush(self, self._client).run()

    def _patient_in(self, reading: Reading) -> str:
        _must_be_reading(reading)
        patient_uid = reading.get("patientUid")
        if isinstance(patient_uid, str):
            # SQLite has no text for half a surrogate pair; such readings are together, and the service refuses them.
            return patient_uid.encode("utf-8", "replace").decode()
        if self._client.by_patient:
            raise TypeError("The token is by patient, so each reading must have a patientUid.")
        return ""

    @contextlib.contextmanager
    def _transaction(self, begin: str = "begin immediate") -> Iterator[sqlite3.Connection]:
        if self._pid != os.getpid():
            raise RuntimeError("A queue must be opened in the process that uses it, after the fork.")
        with self._lock:
            try:
                self._db.execute(begin)
                yield self._db
                self._db.execute("commit")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                raise

    def _patients(self) -> list[str]:
        """Those with the oldest readings first."""
        with self._transaction("begin") as db:
            found = db.execute("select patient_uid, min(key) from queued group by patient_uid order by 2")
            return [patient_uid for patient_uid, _ in found]

    def _oldest(self, limit: int, patient_uid: str | None) -> list[_Queued]:
        """The oldest readings, of all or of one patient, as many as fit into one request; at least one."""
        which = "" if patient_uid is None else "where patient_uid = :patient_uid"
        statement = f"select key, patient_uid, reading from queued {which} order by key limit :limit"
        batch: list[_Queued] = []
        # The brackets, then each reading with the comma after it.
        body_bytes = 1
        with self._transaction("begin") as db:
            for row in db.execute(statement, {"patient_uid": patient_uid, "limit": limit}):
                queued = _Queued(*row)
                body_bytes += len(queued.text) + 1
                if batch and body_bytes > _MAX_BODY_BYTES:
                    break
                batch.append(queued)
        return batch

    def _remove(self, batch: Sequence[_Queued]) -> None:
        with self._transaction() as db:
            db.executemany("delete from queued where key = ?", [(queued.key,) for queued in batch])


def _open_queue(path: str) -> sqlite3.Connection:
    _create_private(path)
    # Used by one thread at a time, under the queue's lock.
    db = sqlite3.connect(path, timeout=_LOCK_WAIT_S, isolation_level=None, check_same_thread=False)
    try:
        (version,) = db.execute("pragma user_version").fetchone()
        if version > _FORMAT:
            raise RuntimeError(f"The queue was written by a newer version of this package (format {version}).")
        _use_write_ahead_log(db)
        for pragma in _PRAGMAS:
            db.execute(pragma)
        if version < _FORMAT:
            db.execute("begin immediate")
            for statement in _SCHEMA:
                db.execute(statement)
            db.execute("commit")
    except BaseException:
        db.close()
        raise
    return db


def _create_private(path: str) -> None:
    """Readable by its owner only: these are patients' readings. SQLite gives the files beside it the same rights."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def _use_write_ahead_log(db: sqlite3.Connection) -> None:
    """Only one process can change the mode, and SQLite does not wait for another one that is about to."""
    give_up_at = time.monotonic() + _LOCK_WAIT_S
    while True:
        try:
            (mode,) = db.execute("pragma journal_mode = wal").fetchone()
            if mode == "wal":
                return
            raise RuntimeError(f"The file of the queue cannot have a write-ahead log (its journal is {mode}).")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > give_up_at:
                raise
        time.sleep(random.random() * 0.02)


@contextlib.contextmanager
def _flush_lock(path: str, timeout_s: float) -> Iterator[None]:
    """One flush at a time among all threads and processes, by the locks that SQLite has on every system. The system
    takes it away from a process that was killed."""
    _create_private(path)
    lock = sqlite3.connect(path, timeout=min(timeout_s, 1e6), isolation_level=None)
    try:
        try:
            lock.execute("begin exclusive")
        except sqlite3.OperationalError as cause:
            if cause.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            raise RoundsError("Another flush takes too long.", code="TimedOut", retryable=True) from cause
        yield
    finally:
        lock.close()


class _BatchSize:
    """How many readings are sent at a time. On a slow network a request takes as long as its body is large, and
    something on the way ends it. So a batch that took too long is halved, and with each failure in a row divided
    further, because each costs as much time as the one before. Batches grow again while they are quick."""

    def __init__(self, most: int) -> None:
        self.current = most
        self._ceiling = most
        self._failures_in_a_row = 0
        # How long the last batch took that failed; no batch grows that could come near it.
        self._failed_after_s = math.inf

    def succeeded(self, count: int, took_s: float) -> None:
        self._failures_in_a_row = 0
        # A smaller batch than allowed says nothing about larger ones.
        if count >= self.current and took_s * 3 <= self._failed_after_s:
            self.current = min(self._ceiling, self.current * 2)

    def failed(self, count: int, took_s: float) -> None:
        self._failures_in_a_row += 1
        self._failed_after_s = max(took_s, _SLOW_S)
        self.current = max(1, count // 2**self._failures_in_a_row)

    def was_too_large(self, count: int) -> None:
        """Its body was too large for the service or for a proxy, which is so at all times."""
        self._ceiling = max(1, count // 2)
        self.current = min(self.current, self._ceiling)


def _took_too_long(error: RoundsError, attempt_s: float) -> bool:
    """Whether an attempt failed because it took too long, so that a smaller one may succeed."""
    if error.code == "TimedOut" or error.status == 408:
        return True
    was_cut = error.code == "ConnectionFailed" or error.status in (502, 504)
    return was_cut and attempt_s >= _SLOW_S


class _Flush:
    """One flush. A reading in it is in one state:

    from    to         when
    queued  sent       a batch takes it
    sent    stored     the service has it: it is removed
    sent    refused    the service will never take it, and on_refused has it: it is removed
    sent    queued     its batch took too long: the next batch is smaller
    sent    held back  its patient cannot be sent now: it stays, and this flush passes over it

    A list is stored all or none, so one bad reading refuses its neighbours. From the first refusal on the service is
    asked for a verdict on each reading, which settles a batch in one request. An older service gives none: then the
    list is divided until the bad ones are alone. A list whose patients several clusters serve is divided by patient,
    and nothing in it is refused.
    """

    def __init__(self, queue: ReadingQueue, client: RoundsClient) -> None:
        self._queue = queue
        self._client = client
        self._sent = 0
        self._refused = 0
        self._held: set[str] = set()
        self._first_held_back: RoundsError | None = None
        self._wants_verdicts = False
        self._gives_verdicts = True
        self._was_too_large = False

    def run(self) -> Flushed:
        while True:
            was_empty = True
            for batch in self._next_batches():
                was_empty = False
                self._send_or_hold_back(batch)
            if not was_empty:
                continue
            if self._first_held_back is not None:
                raise self._first_held_back
            return Flushed(self._sent, self._refused)

    def _next_batches(self) -> Iterator[list[_Queued]]:
        """With one token for all, the oldest readings. Where each patient has a token, a batch of each patient."""
        patients: list[str | None] = [None]
        if self._client.by_patient:
            patients = [*self._queue._patients()]
        for patient_uid in patients:
            if patient_uid not in self._held:
                batch = self._queue._oldest(self._queue._batch_size.current, patient_uid)
                if batch:
                    yield batch

    def _send_or_hold_back(self, batch: list[_Queued]) -> None:
        try:
            self._send_or_shrink(batch)
        except RoundsError as error:
            is_of_patient = error.code == "TokenUnavailable" or error.status in (401, 429)
            if not self._client.by_patient or not is_of_patient:
                raise
            patient_uid = batch[0].patient_uid
            self._held.add(patient_uid)
            self._first_held_back = self._first_held_back or error
            if self._queue._on_held_back is not None:
                self._queue._on_held_back(patient_uid, error)

    def _send_or_shrink(self, batch: list[_Queued]) -> None:
        """Where it took too long it stays in the queue, and the next one is smaller."""
        size = self._queue._batch_size
        started = time.monotonic()
        last_s: float | None = None
        was_too_long = False

        # The same large batch would fail again. A single reading cannot be divided, so that is for the client to
        # repeat. One patient's rate limit must not make the other patients wait.
        def may_repeat(error: RoundsError, attempt_s: float) -> bool:
            nonlocal last_s, was_too_long
            last_s, was_too_long = attempt_s, _took_too_long(error, attempt_s)
            if self._client.by_patient and error.status == 429:
                return False
            return len(batch) == 1 or not was_too_long

        self._was_too_large = False
        try:
            self._send(batch, may_repeat)
        except RoundsError as error:
            # The time of the whole call may be over before that of an attempt is.
            was_too_long = was_too_long or error.code == "TimedOut"
            if was_too_long or error.code == "ConnectionFailed":
                size.failed(len(batch), time.monotonic() - started if last_s is None else last_s)
            if not was_too_long or len(batch) == 1:
                raise
            wait_s = _wait_before(0, error.retry_after_s, random.random())
        else:
            if self._was_too_large:
                size.was_too_large(len(batch))
            else:
                size.succeeded(len(batch), time.monotonic() - started)
            return
        if self._client._pool.closed.wait(wait_s):
            self._client._pool.must_be_open()

    def _send(self, batch: list[_Queued], may_repeat: MayRepeat) -> None:
        # The same list would be refused again.
        def may_repeat_list(error: RoundsError, attempt_s: float) -> bool:
            return not _is_misdirected(error, batch) and may_repeat(error, attempt_s)

        try:
            if self._wants_verdicts and self._gives_verdicts and self._send_for_verdicts(batch, may_repeat):
                return
            self._client._add(_body_of(batch), self._patient_of(batch), may_repeat=may_repeat_list)
        except RoundsError as error:
            if _is_misdirected(error, batch):
                parts = _by_patient(batch)
            elif not _is_refusal(error):
                raise
            else:
                parts = self._parts_of_refused(batch, error)
        else:
            self._stored(batch)
            return
        for part in parts:
            self._send(part, may_repeat)

    def _parts_of_refused(self, batch: list[_Queued], error: RoundsError) -> list[list[_Queued]]:
        """What to send next instead of the batch; nothing once all of its readings were handed over."""
        # A proxy that lets no such body pass would not let it pass again.
        is_of_the_service = error.code != "UnexpectedAnswer"
        if is_of_the_service and len(batch) > 1 and self._gives_verdicts and not self._wants_verdicts:
            self._wants_verdicts = True
            return [batch]
        parts = _split_refused(batch, error)
        if len(parts) == 1:
            for queued in batch:
                self._hand_over(queued, error)
            return []
        if error.status == 413:
            self._was_too_large = True
        return parts

    def _send_for_verdicts(self, batch: list[_Queued], may_repeat: MayRepeat) -> bool:
        """Whether the service gave verdicts."""
        verdicts: list[AddVerdict] = []
        try:
            answer = self._client._add_each(_body_of(batch), self._patient_of(batch), may_repeat=may_repeat)
            verdicts = answer["data"]
        except RoundsError as error:
            # An older service that has stored them, or something else that answered: the plain add shows which.
            if error.code != "UnexpectedAnswer" or error.status != 200:
                raise
        self._gives_verdicts = len(verdicts) == len(batch)
        if self._gives_verdicts:
            self._settle(batch, verdicts)
        return self._gives_verdicts

    def _settle(self, batch: list[_Queued], verdicts: list[AddVerdict]) -> None:
        rejected = [
            (queued, _error_of(verdict))
            for queued, verdict in zip(batch, verdicts)
            if verdict["verdict"] == "rejected"
        ]
        rejected_keys = {queued.key for queued, _ in rejected}
        self._stored([queued for queued in batch if queued.key not in rejected_keys])
        for queued, error in rejected:
            if not error.retryable:
                self._hand_over(queued, error)
        later = next((error for _, error in rejected if error.retryable), None)
        if later is not None:
            raise later

    def _stored(self, batch: list[_Queued]) -> None:
        self._queue._remove(batch)
        self._sent += len(batch)

    def _hand_over(self, queued: _Queued, error: RoundsError) -> None:
        self._queue._on_refused(queued.reading(), error)
        self._queue._remove([queued])
        self._refused += 1

    def _patient_of(self, batch: list[_Queued]) -> str | None:
        return batch[0].patient_uid if self._client.by_patient else None


def _body_of(batch: list[_Queued]) -> bytes:
    """As it was when it was added. Alone it goes as an object, so that pointers in its error are into the reading."""
    if len(batch) == 1:
        return batch[0].text
    return b"[" + b",".join(queued.text for queued in batch) + b"]"


def _is_refusal(error: RoundsError) -> bool:
    """Whether an error is about these readings, and would be the same at every later time."""
    # A proxy's own 400 or 403 says nothing about a reading. Its 413 does: it will never let that one pass.
    if error.status == 413:
        return True
    return error.status in (400, 403) and error.code != "UnexpectedAnswer"


def _is_misdirected(error: RoundsError, batch: list[_Queued]) -> bool:
    """Whether another cluster serves some patients of a list. The readings of each patient alone find theirs."""
    return error.status == 421 and len({queued.patient_uid for queued in batch}) > 1


def _by_patient(batch: list[_Queued]) -> list[list[_Queued]]:
    groups: dict[str, list[_Queued]] = {}
    for queued in batch:
        groups.setdefault(queued.patient_uid, []).append(queued)
    return list(groups.values())


def _split_refused(batch: list[_Queued], error: RoundsError) -> list[list[_Queued]]:
    """The lists to try next; one list when all of its readings share the refusal."""
    if error.status == 403:
        return _by_patient(batch)
    suspected, others = _partition(batch, _pointed_at(error))
    # A suspect goes alone, so that its error speaks of nothing else.
    middle = (len(batch) + 1) // 2
    parts = [others, *([one] for one in suspected)] if suspected else [batch[:middle], batch[middle:]]
    return [part for part in parts if part]


def _pointed_at(error: RoundsError) -> set[int]:
    """The indexes of the list at which an error points."""
    found = (re.match(r"/([0-9]{1,9})(?:/|$)", one["pointer"]) for one in error.errors)
    return {int(match[1]) for match in found if match}


def _partition(items: list[_Item], chosen: set[int]) -> tuple[list[_Item], list[_Item]]:
    return (
        [item for index, item in enumerate(items) if index in chosen],
        [item for index, item in enumerate(items) if index not in chosen],
    )


_STATUS_OF = {
    "PatientMismatch": 403,
    "PatientNotInToken": 403,
    "ScopeMissing": 403,
    "PatientErased": 403,
    "BodyTooLarge": 413,
}


def _error_of(verdict: AddVerdict) -> RoundsError:
    """As if the reading had been sent alone."""
    code = verdict.get("code", "UnexpectedAnswer")
    return RoundsError(
        verdict.get("message", ""),
        code=code,
        retryable=verdict.get("retryable", False),
        status=_STATUS_OF.get(code, 400),
        errors=verdict.get("errors", ()),
    )
