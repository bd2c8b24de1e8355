"""Builds what is published (PEP 517). Nothing is compiled, and nothing is needed for it."""
from __future__ import annotations

import base64
import hashlib
import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, Optional

try:
    import tomllib
except ImportError:
    import tomli as tomllib

ROOT = Path(__file__).parent
PROJECT: Dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAME = f"{PROJECT['name'].replace('-', '_')}-{PROJECT['version']}"
SOURCES = [*sorted(ROOT.glob("src/duka/*.py")), ROOT / "src/duka/py.typed"]


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    info = f"{NAME}.dist-info"
    tags = "Wheel-Version: 1.0\nGenerator: duka\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {f"duka/{source.name}": source.read_bytes() for source in SOURCES}
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = _metadata()
    files[f"{info}/WHEEL"] = tags.encode()
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD")
    wheel = f"{NAME}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w") as archive:
        for name, content in files.items():
            # Without the time of the build: the same sources make the same wheel.
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return wheel


def build_sdist(
    sdist_directory: str, config_settings: Optional[Dict[str, Any]] = None
) -> str:
    names = ["pyproject.toml", "backend.py", "README.md", "LICENSE"]
    with tarfile.open(Path(sdist_directory) / f"{NAME}.tar.gz", "w:gz") as archive:
        for file in [*(ROOT / name for name in names), *SOURCES]:
            archive.add(file, f"{NAME}/{file.relative_to(ROOT).as_posix()}")
        metadata = _metadata()
        entry = tarfile.TarInfo(f"{NAME}/PKG-INFO")
        entry.size = len(metadata)
        archive.addfile(entry, io.BytesIO(metadata))
    return f"{NAME}.tar.gz"


def _metadata() -> bytes:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {PROJECT['name']}",
        f"Version: {PROJECT['version']}",
        f"Summary: {PROJECT['description']}",
        f"License: {PROJECT['license']['text']}",
        f"Requires-Python: {PROJECT['requires-python']}",
        *(f"Classifier: {one}" for one in PROJECT["classifiers"]),
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / PROJECT["readme"]).read_text(),
    ]
    return "\n".join(lines).encode()


def _record(files: Dict[str, bytes], own: str) -> bytes:
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode()
        lines.append(f"{name},sha256={digest.rstrip('=')},{len(content)}\n")
    return "".join([*lines, f"{own},,\n"]).encode()
