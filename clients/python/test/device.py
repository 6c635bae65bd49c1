"""A device as a process of its own, for a test to kill: it takes readings and flushes them all the time, and prints the
number of each reading once its queue has it.   python3 device.py URL TOKEN PATIENT FILE FIRST"""

import itertools
import sys

from rounds_client import ReadingQueue, RoundsClient, RoundsError, StoredReading

url, token, patient_uid, file, first = sys.argv[1:]


def refused(_reading: StoredReading, error: RoundsError) -> None:
    raise error


with RoundsClient(url, token=token, attempts=1) as client, ReadingQueue(file, client, on_refused=refused) as queue:
    for sequence in itertools.count(int(first)):
        queue.add(
            {
                "patientUid": patient_uid,
                "readingType": "acme.step",
                "timestamp": 1_763_000_000_000 + sequence,
                "sequence": sequence,
            }
        )
        print(sequence, flush=True)
        if sequence % 20 == 0:
            try:
                queue.flush()
            except RoundsError:
                pass  # Its network is bad: what was not sent is for the next flush.
