"""Finds exercise.c in an archive without unpacking it: nothing is written, no link is followed, sizes are limited."""
import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib

LARGEST_ARCHIVE = 64 << 20
OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}


class Bad(Exception):
    """Why an archive cannot be read, in one line."""


def _plain(file):
    """The tar's own bytes; packed, it may not become much larger than what may be handed in."""
    start = file.read(6)
    file.seek(0)
    opener = next((opener for magic, opener in OPENERS.items() if start.startswith(magic)), None)
    data = (opener(file) if opener else file).read(LARGEST_ARCHIVE + 1)
    if len(data) > LARGEST_ARCHIVE:
        raise Bad(f"an archive of more than {LARGEST_ARCHIVE >> 20} MiB")
    return io.BytesIO(data)


def _zip(file, wanted, most, largest):
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        if len(members) > most:
            raise Bad(f"an archive of more than {most} files")
        for member in members:
            is_link = member.external_attr >> 16 & 0o170000 == 0o120000
            if not member.is_dir() and not is_link and wanted(member.filename):
                with archive.open(member) as opened:
                    yield member.filename, opened.read(largest + 1)


def _tar(file, wanted, most, largest):
    with tarfile.open(fileobj=_plain(file), mode="r:") as archive:
        for count, member in enumerate(archive):
            if count >= most:
                raise Bad(f"an archive of more than {most} files")
            if member.isreg() and wanted(member.name):
                yield member.name, archive.extractfile(member).read(largest + 1)


def sources(file, wanted, most, largest):
    """[(name in the archive, its bytes, `largest` + 1 at most)] of the members whose names `wanted` takes."""
    try:
        if file.seek(0, io.SEEK_END) > LARGEST_ARCHIVE:
            raise Bad(f"an archive of more than {LARGEST_ARCHIVE >> 20} MiB")
        file.seek(0)
        read = _zip if zipfile.is_zipfile(file) else _tar
        file.seek(0)
        return list(read(file, wanted, most, largest))
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError,
            NotImplementedError, ValueError, OverflowError) as error:
        raise Bad(f"an archive that cannot be read ({type(error).__name__})") from error
