"""build-python.py FOLDER: the wheel and the source package of the project in this directory, with the same bytes each time."""

import gzip
import io
import os
import sys
import tarfile

from setuptools import build_meta

into = sys.argv[1]
built_at = int(os.environ["SOURCE_DATE_EPOCH"])
build_meta.build_wheel(into)  # takes the time from SOURCE_DATE_EPOCH
sdist = os.path.join(into, build_meta.build_sdist(into))

# setuptools writes the time and the user of the build into the source package.
with tarfile.open(sdist) as made:
    members = [(member, made.extractfile(member)) for member in sorted(made, key=lambda member: member.name)]
    contents = [(member, file.read() if file else b"") for member, file in members]
with (
    open(sdist, "wb") as file,
    gzip.GzipFile("", "wb", fileobj=file, mtime=built_at) as packed,
    tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar,
):
    for member, content in contents:
        kept = tarfile.TarInfo(member.name)
        kept.type, kept.size, kept.mtime = member.type, len(content), built_at
        kept.mode = 0o755 if member.isdir() else 0o644
        tar.addfile(kept, io.BytesIO(content))
