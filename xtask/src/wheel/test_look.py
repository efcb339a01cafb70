"""Faults of a small wheel, each of which `look.py` must find. A wheel without one must pass."""

from __future__ import annotations

import base64
import hashlib
import json
import sys
import tempfile
import unittest
import zipfile
from collections.abc import Callable
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import look  # noqa: E402
import plain  # noqa: E402

INFO = "gjk-1.2.3.dist-info"
NAME = "gjk-1.2.3-cp310-abi3-linux_x86_64.whl"
SECRET = "/builder/of/this"
METADATA = """Metadata-Version: 2.4
Name: gjk
Version: 1.2.3
Summary: Words
Keywords: words
Classifier: Typing :: Typed
License-Expression: MIT OR Apache-2.0
License-File: LICENSE-MIT
License-File: LICENSE-APACHE
License-File: LICENSE-THIRD-PARTY
Requires-Python: >=3.10
Requires-Dist: numpy>=1

# gjk for Python
"""
SOURCE = {
    "LICENSE-MIT": "MIT",
    "LICENSE-APACHE": "Apache",
    "python/gjk/__init__.py": "import numpy\n",
    "python/gjk/py.typed": "",
    "python/gjk/fcl/data.py": "data = 1\n",
    "python/gjk/__pycache__/a.pyc": "no file of the package",
    "python/tests/test_a.py": "neither",
}
Files = dict[str, str]


def good() -> Files:
    """The files of a wheel with which nothing is wrong, without its record."""
    components = [
        {"name": "ours", "version": "1.2.3", "purl": "pkg:cargo/ours@1.2.3?download_url=file://."},
        {"name": "theirs", "version": "4.5.6", "purl": "pkg:cargo/theirs@4.5.6"},
    ]
    return {
        "gjk/__init__.py": "import numpy\n",
        "gjk/py.typed": "",
        "gjk/fcl/data.py": "data = 1\n",
        "gjk/_gjk.abi3.so": "\x7fELF /tm" "p/is/a/word/of/the/module",
        f"{INFO}/METADATA": METADATA,
        f"{INFO}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp310-abi3-linux_x86_64\n",
        f"{INFO}/entry_points.txt": "[console_scripts]\ngjk=gjk.__main__:main\n",
        f"{INFO}/licenses/LICENSE-MIT": "MIT",
        f"{INFO}/licenses/LICENSE-APACHE": "Apache",
        f"{INFO}/licenses/LICENSE-THIRD-PARTY": "The module: these crates:\n\ntheirs 4.5.6: MIT\n",
        f"{INFO}/sboms/gjk.cyclonedx.json": json.dumps({"components": components}),
    }


def recorded(files: Files) -> Files:
    """The files with their record."""
    lines = [f"{INFO}/RECORD,,"]
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(text.encode())}")
    return files | {f"{INFO}/RECORD": "\n".join(lines) + "\n"}


class Look(unittest.TestCase):
    """Wheels in a temporary folder."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name, text in SOURCE.items():
            place = self.folder / "source" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, newline="\n")

    def found(self, files: Files, name: str = NAME, limit: int = 0, platform: str = "") -> list[str]:
        """What is wrong with a wheel of these files."""
        path = self.folder / name
        with zipfile.ZipFile(path, "w") as archive:
            for file, text in files.items():
                archive.writestr(file, text)
        expected = look.Expected(self.folder / "source", "1.2.3", True, platform, limit, [SECRET])
        return look.findings(look.read(path), path.stat().st_size, expected)

    def one(self, fault: Callable[[Files], object], words: str) -> None:
        """A fault that is put in before the record is written is the only finding."""
        files = good()
        fault(files)
        found = self.found(recorded(files))
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_nothing_is_wrong_with_a_good_wheel(self) -> None:
        self.assertEqual(self.found(recorded(good())), [])

    def test_files_that_are_missing_or_too_many_are_named(self) -> None:
        self.one(lambda files: files.pop("gjk/fcl/data.py"), "gjk/fcl/data.py: missing")
        self.one(lambda files: files.pop("gjk/py.typed"), "gjk/py.typed: missing")
        self.one(lambda files: files.pop("gjk/_gjk.abi3.so"), "0 compiled modules")
        self.one(lambda files: files.update({"gjk/_gjk.pyd": "two"}), "2 compiled modules")
        self.one(lambda files: files.update({"gjk/__init__.py": "old"}), "not the repository's")
        self.one(lambda files: files.update({f"{INFO}/licenses/LICENSE-MIT": "link"}), "not the repository's")
        self.one(lambda files: files.pop(f"{INFO}/sboms/gjk.cyclonedx.json"), "sboms/*.cyclonedx.json: missing")
        for name in ("gjk/tests/test_a.py", "gjk/__pycache__/a.pyc", "tests/a.py", "gjk.libs/libc.so"):
            self.one(lambda files, name=name: files.update({name: ""}), f"{name}: nobody expects it")

    def test_licences_of_others_are_those_of_the_bill_of_materials(self) -> None:
        name = f"{INFO}/licenses/LICENSE-THIRD-PARTY"
        self.one(lambda files: files.update({name: "theirs 4.5.5: MIT\n"}), "theirs 4.5.5 is not in the bill of materials")
        held = "crates/index-0123456789abcdef/late-bird-0.1.2+3/src/lib.rs"
        self.one(lambda files: files.update({"gjk/_gjk.abi3.so": held}), "late-bird 0.1.2+3 is not in it, and is in the module")

    def test_the_folder_of_who_builds_is_taken_out(self) -> None:
        files = good()
        name = f"{INFO}/sboms/gjk.cyclonedx.json"
        files[name] = files[name].replace("file://.", f"file://{SECRET}/crates/ours")
        self.assertIn("a path of one machine", self.found(recorded(files))[0])
        self.assertEqual(plain.plain(self.folder / NAME, Path(SECRET), "gjk"), 1)
        with zipfile.ZipFile(self.folder / NAME) as archive:
            files = {one: archive.read(one).decode() for one in archive.namelist()}
        self.assertIn("file:///gjk/crates/ours", files[name])
        self.assertEqual(self.found(files), [])

    def test_a_record_that_does_not_hold_is_found(self) -> None:
        files = recorded(good())
        self.assertIn("another hash", self.found(files | {"gjk/_gjk.abi3.so": "another"})[0])
        del files["gjk/_gjk.abi3.so"]
        self.assertIn("gjk/_gjk.abi3.so: in the record, not in the wheel", self.found(files))
        self.assertIn("gjk/late.py: not in the record", self.found(recorded(good()) | {"gjk/late.py": ""}))

    def test_metadata_is_held_to_what_is_known(self) -> None:
        def changed(name: str, old: str, new: str) -> Callable[[Files], object]:
            return lambda files: files.update({f"{INFO}/{name}": files[f"{INFO}/{name}"].replace(old, new)})

        self.one(changed("METADATA", "Version: 1.2.3", "Version: 1.2.4"), "Version is 1.2.4")
        self.one(changed("METADATA", ">=3.10", ">=3.9"), "Requires-Python")
        self.one(changed("METADATA", "License-File: LICENSE-MIT\n", ""), "License-File")
        self.one(changed("METADATA", "Requires-Dist: numpy>=1\n", ""), "numpy is not required")
        self.one(changed("METADATA", "# gjk for Python\n", ""), "no readme")
        self.one(changed("METADATA", "Words", SECRET), "a path of one machine")
        self.one(changed("METADATA", "Words", "see /ho" "me/me/notes"), "a path of one machine")
        self.one(changed("WHEEL", "linux_x86_64", "any"), "other tags than in the name")
        self.one(changed("WHEEL", "false", "true"), "does not say that it holds a compiled module")
        self.one(changed("entry_points.txt", ":main", ":mein"), "the command gjk is not")
        self.one(lambda files: files.update({"gjk/_gjk.abi3.so": SECRET}), "a path of one machine")

    def test_name_size_and_platform_are_looked_at(self) -> None:
        files = recorded(good())
        self.assertEqual(len(self.found(files, limit=10)), 1)
        self.assertIn("not for manylinux_2_17", self.found(files, platform="manylinux_2_17")[0])
        other = self.found(files, name="gjk-1.2.3-cp311-cp311-linux_x86_64.whl")
        self.assertTrue(any("not for all interpreters" in one for one in other), other)


if __name__ == "__main__":
    unittest.main()
