"""Runs a program with the system calls that a systemd unit leaves it, as systemd does it, by libseccomp.

    python3 test/support/run-confined.py UNIT PROGRAM ARGUMENT...

Of the unit it reads SystemCallFilter=, RestrictAddressFamilies= and MemoryDenyWriteExecute=.
"""

import ctypes
import os
import socket
import subprocess
import sys

ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | 1  # EPERM
EQUAL, MASKED_EQUAL = 4, 7
PROT_EXEC = 4


class Comparison(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_uint), ("operator", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


def values_of(unit, name):
    with open(unit, encoding="utf8") as lines:
        return [line.strip().split("=", 1)[1] for line in lines if line.startswith(name + "=")]


def members_of(name):
    """The system calls of a set, and of the sets in it."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True).stdout
    words = [line.strip() for line in listed.splitlines()[1:] if line.strip() and not line.strip().startswith("#")]
    return set().union(*(members_of(word) for word in words))


def allowed_by(unit):
    # What systemd itself needs to start a program stays allowed.
    allowed = members_of("@default") | {"execve"}
    for value in values_of(unit, "SystemCallFilter"):
        named = set().union(*(members_of(word) for word in value.lstrip("~").split()))
        allowed = allowed - named if value.startswith("~") else allowed | named
    return allowed


def main():
    unit, *program = sys.argv[1:]
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    filter_ = ctypes.c_void_p(library.seccomp_init(REFUSE))
    families = [getattr(socket, name) for name in " ".join(values_of(unit, "RestrictAddressFamilies")).split()]
    denies_code = "yes" in values_of(unit, "MemoryDenyWriteExecute")

    def allow(name, *comparisons):
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            return  # of another architecture, or newer than the library
        array = (Comparison * len(comparisons))(*comparisons)
        code = library.seccomp_rule_add_array(filter_, ALLOW, number, len(comparisons), array)
        if code != 0:
            raise OSError(-code, f"{name}: {os.strerror(-code)}")

    for name in sorted(allowed_by(unit)):
        if name == "socket":
            for family in families:
                allow(name, Comparison(0, EQUAL, family, 0))
        elif name in ("mprotect", "pkey_mprotect") and denies_code:
            allow(name, Comparison(2, MASKED_EQUAL, PROT_EXEC, 0))
        else:
            allow(name)
    code = library.seccomp_load(filter_)
    if code != 0:
        raise OSError(-code, os.strerror(-code))
    os.execv(program[0], program)


main()
