"""Packs a compiled extension and the package's Python sources into a wheel, without compiling anything.

    python pack.py LIBRARY FOLDER

The tests use it with the library that the workspace's tests were built with; wheels for users are built by maturin (`make wheel`).
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
import sysconfig
import zipfile
from pathlib import Path

CRATE = Path(__file__).resolve().parent.parent


def version() -> str:
    """The version of the workspace."""
    text = (CRATE.parent.parent / "Cargo.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "([^"]+)"', text, re.MULTILINE)
    if found is None:
        raise SystemExit("no version in Cargo.toml")
    return found.group(1)


def metadata() -> str:
    """What installers need to know."""
    lines = ["Metadata-Version: 2.4", "Name: clearance", f"Version: {version()}", "Requires-Python: >=3.11", "Requires-Dist: numpy>=1.24"]
    return "\n".join(lines) + "\n"


def pack(library: Path, folder: Path) -> Path:
    """Writes the wheel and gives its path."""
    tag = f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    info = f"clearance-{version()}.dist-info"
    files = {f"clearance/{path.name}": path.read_bytes() for path in sorted((CRATE / "python" / "clearance").glob("*.py*")) if path.suffix != ".pyc"}
    files["clearance/py.typed"] = b""
    files["clearance/_clearance.abi3.so"] = library.read_bytes()
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: pack\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    digests = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode() for name, data in files.items()}
    record = [f"{name},sha256={digests[name]},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"clearance-{version()}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as wheel:
        for name, data in files.items():
            wheel.writestr(name, data)
    return path


if __name__ == "__main__":
    print(pack(Path(sys.argv[1]), Path(sys.argv[2])))
