"""What is in a wheel, held to what must be in it.

Read `findings` first. Idea: the package's folder says which of its files are expected, the standards of wheels and of licences say the others,
and nothing else may be there. Each finding is a line that begins with `finding: `. Exit codes: 0 nothing is wrong, 1 findings, 2 it cannot be read.
Source: the specifications of binary distributions, of core metadata and of entry points.
"""

from __future__ import annotations

import argparse
import base64
import configparser
import csv
import email.message
import email.parser
import hashlib
import io
import json
import re
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = "gjk"
# The compiled module under the stable interface, on Windows and elsewhere.
MODULES = ("gjk/_gjk.abi3.so", "gjk/_gjk.pyd")
TAG = "cp310-abi3-"
PYTHON = ">=3.10"
COMMAND = "gjk.__main__:main"
LICENCES = ("LICENSE-MIT", "LICENSE-APACHE")
THIRD_PARTY = "LICENSE-THIRD-PARTY"
BILL = ".cyclonedx.json"
# A source of a crate of others: cargo's folder of all, or what the compiler was told to name it; that of a registry; the crate with its version.
CRATE = rb"(?:crates|registry/src)/[\w.-]+-[0-9a-f]{16}/([\w-]+?)-(\d+\.\d+\.\d+[\w.+-]*)/"
# Folders of one machine. They are spelt in two halves, so that this file does not find itself.
MACHINE = tuple(f"/{name}/" for name in ("wo" "rk", "ro" "ot", "ho" "me", "tm" "p", "Us" "ers")) + ("C:\\" "Users",)


@dataclass
class Expected:
    """What the caller knows of the wheel."""

    source: Path
    version: str
    third_party: bool = False
    platform: str = ""
    limit: int = 0
    secrets: list[str] = field(default_factory=list)


@dataclass
class Wheel:
    """The files of a wheel by path, and the name of its file."""

    name: str
    files: dict[str, bytes]

    @property
    def info(self) -> str:
        """The folder of its metadata."""
        return "-".join(self.name.split("-")[:2]) + ".dist-info"

    def text(self, name: str) -> str:
        """A file of the metadata, empty where it is missing."""
        return self.files.get(f"{self.info}/{name}", b"").decode("utf-8", "replace")

    def message(self, name: str) -> email.message.Message:
        """A file of the metadata that has the form of a letter's head."""
        return email.parser.Parser().parsestr(self.text(name))


def read(path: Path) -> Wheel:
    """Read all files of a wheel."""
    with zipfile.ZipFile(path) as archive:
        return Wheel(path.name, {one.filename: archive.read(one) for one in archive.infolist() if not one.is_dir()})


def findings(wheel: Wheel, size: int, expected: Expected) -> list[str]:
    """Name all that is wrong with a wheel."""
    found = [*names(wheel, expected), *record(wheel), *tags(wheel, expected), *metadata(wheel, expected), *paths(wheel, expected)]
    if expected.third_party:
        found += third_party(wheel)
    if expected.limit and size > expected.limit:
        found.append(f"{size} bytes, more than {expected.limit}")
    return found


def package(source: Path) -> dict[str, bytes]:
    """The package's files that a wheel has as they are."""
    folder = source / "python" / PACKAGE
    files = (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {f"{PACKAGE}/{file.relative_to(folder).as_posix()}": file.read_bytes() for file in files}


def names(wheel: Wheel, expected: Expected) -> list[str]:
    """Files that are missing, are others than in the repository, or should not be there."""
    same = package(expected.source)
    for licence in LICENCES:
        same[f"{wheel.info}/licenses/{licence}"] = (expected.source / licence).read_bytes()
    found = [f"{name}: missing" for name in same if name not in wheel.files]
    found += [f"{name}: not the repository's" for name, text in same.items() if wheel.files.get(name, text) != text]
    others = [f"{wheel.info}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt")]
    if expected.third_party:
        others.append(f"{wheel.info}/licenses/{THIRD_PARTY}")
    found += [f"{name}: missing or empty" for name in others if not wheel.files.get(name)]
    modules = [name for name in MODULES if name in wheel.files]
    if len(modules) != 1:
        found.append(f"{len(modules)} compiled modules, not one: {', '.join(MODULES)}")
    bills = [name for name in wheel.files if name.startswith(f"{wheel.info}/sboms/") and name.endswith(BILL)]
    if not bills:
        found.append(f"{wheel.info}/sboms/*{BILL}: missing")
    known = {*same, *others, *modules, *bills}
    return found + [f"{name}: nobody expects it" for name in wheel.files if name not in known]


def record(wheel: Wheel) -> list[str]:
    """Files whose hash or size is not that of the record, and files that only one of the two has."""
    own = f"{wheel.info}/RECORD"
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(wheel.text("RECORD"))) if row}
    found = [f"{name}: in the record, not in the wheel" for name in rows if name not in wheel.files]
    for name, content in wheel.files.items():
        if name not in rows:
            found.append(f"{name}: not in the record")
        elif name != own:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            if rows[name] != [f"sha256={digest}", str(len(content))]:
                found.append(f"{name}: another hash or size than in the record")
    return found


def tags(wheel: Wheel, expected: Expected) -> list[str]:
    """What the wheel says of where it runs, in its name and inside."""
    inside = wheel.message("WHEEL")
    found = []
    if inside.get("Root-Is-Purelib") != "false":
        found.append("WHEEL: it does not say that it holds a compiled module")
    named = wheel.name.removesuffix(".whl").split("-", 2)[-1]
    interpreter, abi, platforms = named.split("-", 2)
    tags = {f"{interpreter}-{abi}-{platform}" for platform in platforms.split(".")}
    if tags != set(inside.get_all("Tag", [])):
        found.append(f"WHEEL: other tags than in the name {wheel.name}")
    if not named.startswith(TAG):
        found.append(f"{named}: not for all interpreters of {TAG}")
    if expected.platform not in platforms:
        found.append(f"{platforms}: not for {expected.platform}")
    return found


def metadata(wheel: Wheel, expected: Expected) -> list[str]:
    """What the wheel says of itself."""
    told = wheel.message("METADATA")
    licences = [*LICENCES, *([THIRD_PARTY] if expected.third_party else [])]
    facts = [
        ("Name", told.get("Name"), PACKAGE),
        ("Version", told.get("Version"), expected.version),
        ("Requires-Python", told.get("Requires-Python"), PYTHON),
        ("License-File", sorted(told.get_all("License-File", [])), sorted(licences)),
        ("the version in the name", wheel.name.split("-")[1], expected.version),
    ]
    found = [f"METADATA: {name} is {is_so}, not {ought}" for name, is_so, ought in facts if is_so != ought]
    for name in ("Summary", "License-Expression", "Classifier", "Keywords"):
        if not told.get(name):
            found.append(f"METADATA: no {name}")
    if not any(need.startswith("numpy") for need in told.get_all("Requires-Dist", [])):
        found.append("METADATA: numpy is not required")
    if told.get_payload() is None or f"# {PACKAGE}" not in str(told.get_payload()):
        found.append("METADATA: no readme")
    points = configparser.ConfigParser()
    points.read_string(wheel.text("entry_points.txt"))
    if points.get("console_scripts", PACKAGE, fallback=None) != COMMAND:
        found.append(f"entry_points.txt: the command {PACKAGE} is not {COMMAND}")
    return found


def paths(wheel: Wheel, expected: Expected) -> list[str]:
    """Texts with a path of some machine, and files with a path of the one that built."""
    found = []
    for name, content in wheel.files.items():
        # A bill of who builds from the sources has their folders.
        is_own = name in MODULES or name.endswith(BILL) and not expected.secrets
        looked_for = [*expected.secrets, *([] if is_own else MACHINE)]
        for path in looked_for:
            at = content.find(path.encode())
            if at >= 0:
                around = content[max(at - 30, 0) : at + 60].decode("utf-8", "replace")
                found.append(f"{name}: a path of one machine, {content.count(path.encode())} times: {around!r}")
                break
    return found


def third_party(wheel: Wheel) -> list[str]:
    """Crates whose licences the wheel should have, and crates that it names and does not hold.

    The bill of materials is of all platforms. Which crates are in the module tell the places of panics in it.
    """
    text = wheel.text(f"licenses/{THIRD_PARTY}")
    head = text.split("=" * 80)[0]
    listed = set(re.findall(r"^(\S+ \d\S*): ", head, re.MULTILINE))
    bills = [json.loads(content) for name, content in wheel.files.items() if name.endswith(BILL)]
    billed = {f"{one.get('name')} {one.get('version')}" for one in bills for one in one.get("components", [])}
    modules = b"".join(wheel.files.get(name, b"") for name in MODULES)
    held = {b" ".join(one).decode() for one in re.findall(CRATE, modules)}
    print(f"{len(listed)} crates of others in {THIRD_PARTY}; the module names {len(held)} of them")
    found = [f"{THIRD_PARTY}: {crate} is not in it, and is in the module" for crate in sorted(held - listed)]
    # That there is none is a finding of its own.
    unknown = sorted(listed - billed) if bills else []
    return found + [f"{THIRD_PARTY}: {crate} is not in the bill of materials" for crate in unknown]


def printed(wheel: Wheel, size: int) -> None:
    """Print the files with their sizes, the largest first."""
    unpacked = sum(map(len, wheel.files.values()))
    print(f"{wheel.name}: {size:,} bytes, unpacked {unpacked:,} in {len(wheel.files)} files")
    for name, content in sorted(wheel.files.items(), key=lambda one: -len(one[1])):
        print(f"{len(content):>12,}  {name}")


def main(arguments: list[str]) -> int:
    """Look at one wheel."""
    parser = argparse.ArgumentParser(description="What is in a wheel, held to what must be in it.")
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--source", type=Path, required=True, help="the folder of pyproject.toml")
    parser.add_argument("--version", required=True)
    parser.add_argument("--third-party", action="store_true", help="the licences of others must be in it")
    parser.add_argument("--platform", default="", help="what its tag must name")
    parser.add_argument("--limit", type=int, default=0, help="the most bytes, packed")
    parser.add_argument("--secret", dest="secrets", action="append", default=[], help="a path that no file may have")
    given = vars(parser.parse_args(arguments))
    path = given.pop("wheel")
    try:
        wheel, size = read(path), path.stat().st_size
    except (OSError, zipfile.BadZipFile) as why:
        print(f"{path.name}: {why}", file=sys.stderr)
        return 2
    printed(wheel, size)
    found = findings(wheel, size, Expected(**given))
    for one in found:
        print(f"finding: {one}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
