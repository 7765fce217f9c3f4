#!/usr/bin/env python3
"""Finds exercise.c in an archive without unpacking it: nothing is written, and no link is followed.

    grade/archives.py LAB <ARCHIVE     prints + and the file's bytes, or - and why there is none

What reads an archive is a process of its own, with limits for memory and processor time. The archive is hostile, and
Python's readers have no such limits: a few hundred bytes may become gigabytes, or take hours (a regular expression of
tarfile is quadratic, and holds Python's lock meanwhile).
"""
import bz2
import gzip
import io
import lzma
import os
import posixpath
import resource
import signal
import subprocess
import sys
import tarfile
import zipfile

import platforms
from platforms import NotSubmitted

LARGEST_ARCHIVE, MOST_FILES = 64 << 20, 10_000
SECONDS, MEMORY = 10, 512 << 20
OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}


def _plain(file):
    """The tar's own bytes; packed, it may not become much larger than what may be handed in."""
    start = file.read(6)
    file.seek(0)
    opener = next((opener for magic, opener in OPENERS.items() if start.startswith(magic)), None)
    data = (opener(file) if opener else file).read(LARGEST_ARCHIVE + 1)
    if len(data) > LARGEST_ARCHIVE:
        raise NotSubmitted(f"an archive of more than {LARGEST_ARCHIVE >> 20} MiB")
    return io.BytesIO(data)


def _zip_members(archive):
    for member in archive.infolist():
        is_link = member.external_attr >> 16 & 0o170000 == 0o120000
        yield member.filename.replace("\\", "/"), member, not member.is_dir() and not is_link


def _tar_members(archive):
    for member in archive:
        yield member.name, member, member.isreg()


def _take(archive, members, lab, largest):
    """Of members with one name the last is meant: a program that unpacks them leaves that one."""
    found = {}
    for count, (name, member, is_file) in enumerate(members):
        if count >= MOST_FILES:
            raise NotSubmitted(f"an archive of more than {MOST_FILES} files")
        place = posixpath.normpath("/" + name.lstrip("/"))
        if is_file and "__MACOSX" not in place:
            found[place] = member
    # An archive often has one folder around everything.
    top = posixpath.commonpath([posixpath.dirname(place) for place in found] or ["/"])
    member = found[platforms.choose([place for place in found if platforms.is_source(place)], top, lab)]
    if isinstance(archive, zipfile.ZipFile) and member.flag_bits & 1:
        raise NotSubmitted("an archive with a password")
    opened = archive.open(member) if isinstance(archive, zipfile.ZipFile) else archive.extractfile(member)
    return opened.read(largest + 1)


def _source(file, lab, largest):
    if file.seek(0, io.SEEK_END) > LARGEST_ARCHIVE:
        raise NotSubmitted(f"an archive of more than {LARGEST_ARCHIVE >> 20} MiB")
    file.seek(0)
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            return _take(archive, _zip_members(archive), lab, largest)
    file.seek(0)
    with tarfile.open(fileobj=_plain(file), mode="r:") as archive:
        return _take(archive, _tar_members(archive), lab, largest)


def read(file, lab, largest):
    """The bytes of exercise.c in an open archive, `largest` + 1 at most. Raises NotSubmitted; OSError where the reader
    does not start, or is ended by others: that is not the archive's fault."""
    try:
        done = subprocess.run([sys.executable, "-E", "-s", __file__, lab, str(largest)], stdin=file,
                              capture_output=True, check=False)
    except OSError as error:
        raise OSError(f"the reader of archives does not start: {error}") from error
    if done.returncode == 0 and done.stdout[:1] == b"+":
        return done.stdout[1:]
    if done.returncode == 0 and done.stdout[:1] == b"-":
        raise NotSubmitted(done.stdout[1:].decode("utf-8", "replace"))
    if done.returncode == -signal.SIGXCPU:
        raise NotSubmitted(f"an archive that takes more than {SECONDS} s to read")
    raise OSError(f"the reader of archives ended with {done.returncode}")


def _limit(what, most):
    soft, hard = resource.getrlimit(what)
    resource.setrlimit(what, (min([most, *(one for one in (soft, hard) if one != resource.RLIM_INFINITY)]), hard))


def main():
    _limit(resource.RLIMIT_CPU, SECONDS)
    _limit(resource.RLIMIT_AS, MEMORY)
    _limit(resource.RLIMIT_CORE, 0)
    try:
        with os.fdopen(0, "rb") as file:
            answer = b"+" + _source(file, sys.argv[1], int(sys.argv[2]))
    except NotSubmitted as why:
        answer = b"-" + str(why).encode()
    except MemoryError:
        answer = f"-an archive that takes more than {MEMORY >> 20} MiB of memory to read".encode()
    except Exception as error:  # whatever Python's readers make of bytes that are no archive
        answer = f"-an archive that cannot be read ({type(error).__name__})".encode()
    sys.stdout.buffer.write(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
