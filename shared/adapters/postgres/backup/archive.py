"""The file of a backup: a tar archive of the dump, followed by the manifest.

It is written under a temporary name and renamed when it is complete, so a file with the final name is a backup.
"""

import hashlib
import os
import tarfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from shared.adapters.postgres.backup.manifest import Manifest, read_manifest
from shared.core.errors import BadInputError, ConflictError

DUMP, MANIFEST = "slowwave.dump", "manifest.json"
_CHUNK = 1 << 20


def write_backup(file: Path, chunks: Iterable[bytes], describe: Callable[[int, str], Manifest]) -> Manifest:
    """Write a backup: the dump as a stream, then the description that `describe` makes from its length and digest.

    Raises:
        ConflictError: the file already exists.
        BadInputError: it cannot be written.
    """
    if file.exists():
        raise ConflictError(f"{file} exists already; a backup never overwrites a file")
    draft = file.with_name(f".{file.name}.partial-{os.getpid()}")
    try:
        # Private from the first byte: it contains every tenant's texts.
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            manifest = _fill(out, chunks, describe)
            out.flush()
            os.fsync(out.fileno())
        draft.rename(file)
    except OSError as error:
        raise BadInputError(f"The backup cannot be written to {file}: {error.strerror or error}") from error
    finally:
        draft.unlink(missing_ok=True)
    return manifest


def _fill(out: IO[bytes], chunks: Iterable[bytes], describe: Callable[[int, str], Manifest]) -> Manifest:
    digest, size = hashlib.sha256(), 0
    out.write(_header(DUMP, 0))
    for chunk in chunks:
        digest.update(chunk)
        size += out.write(chunk)
    out.write(bytes(-size % tarfile.BLOCKSIZE))
    manifest = describe(size, digest.hexdigest())
    raw = manifest.to_json()
    out.write(_header(MANIFEST, len(raw)) + raw + bytes(-len(raw) % tarfile.BLOCKSIZE))
    out.write(bytes(2 * tarfile.BLOCKSIZE))  # two empty blocks end an archive
    out.seek(0)
    out.write(_header(DUMP, size))  # the length was unknown before
    return manifest


def _header(name: str, size: int) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.mode, info.mtime = size, 0o600, int(time.time())
    return info.tobuf(tarfile.GNU_FORMAT)  # one block, whatever the size


@contextmanager
def open_backup(file: Path) -> Iterator[tuple[Manifest, IO[bytes]]]:
    """Open a backup: its manifest, and its dump, which is checked against its digest.

    Raises:
        BadInputError: it is no backup, or it is damaged.
    """
    try:
        with tarfile.open(file, "r:") as archive:
            manifest = read_manifest(_member(archive, MANIFEST).read())
            _check_dump(file, manifest, _member(archive, DUMP))
            yield manifest, _member(archive, DUMP)
    except tarfile.TarError as error:
        raise BadInputError(f"{file} is not a backup of slowwave, or was cut off: {error}") from None
    except OSError as error:
        raise BadInputError(f"{file} cannot be read: {error.strerror or error}") from None


def _member(archive: tarfile.TarFile, name: str) -> IO[bytes]:
    try:
        found = archive.extractfile(name)
    except KeyError:
        found = None
    if found is None:
        raise BadInputError(f"This is not a backup of slowwave: it has no {name}")
    return found


def _check_dump(file: Path, manifest: Manifest, dump: IO[bytes]) -> None:
    digest, size = hashlib.sha256(), 0
    for chunk in chunks_of(dump):
        digest.update(chunk)
        size += len(chunk)
    if (size, digest.hexdigest()) != (manifest.dump_bytes, manifest.dump_sha256):
        raise BadInputError(f"{file} is damaged: its dump does not match the manifest. Use another backup")


def chunks_of(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a stream in pieces."""
    while chunk := stream.read(_CHUNK):
        yield chunk
