"""A wheel's bill of materials without the folder that it was built in, and its record written anew.

maturin names our crates by their folders, as cargo does. Whoever builds has another folder, and it is nobody's business.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

BILL = ".cyclonedx.json"


def plain(wheel: Path, folder: Path, name: str) -> int:
    """Put a name in the place of a folder, and count in how many places."""
    old, new = folder.as_uri().encode(), f"file:///{name}".encode()
    with zipfile.ZipFile(wheel) as archive:
        files = [(one, archive.read(one)) for one in archive.infolist()]
    count, hashes = 0, {}
    for at, (one, content) in enumerate(files):
        if one.filename.endswith(BILL):
            count += content.count(old)
            content = content.replace(old, new)
            files[at] = (one, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            hashes[one.filename] = f"{one.filename},sha256={digest},{len(content)}"
    written = wheel.with_suffix(".part")
    with zipfile.ZipFile(written, "w") as archive:
        for one, content in files:
            if one.filename.endswith(".dist-info/RECORD"):
                lines = content.decode().splitlines()
                content = "".join(hashes.get(line.split(",")[0], line) + "\n" for line in lines).encode()
            archive.writestr(one, content, one.compress_type)
    written.replace(wheel)
    return count


if __name__ == "__main__":
    places = plain(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
    print(f"{places} paths taken out of the bill of materials")
