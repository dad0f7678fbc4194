"""Stamp packages with the commit and day they are built from; hatchling loads this file by its path when it builds."""

import json
import runpy
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class StampHook(BuildHookInterface[Any]):
    """Adds `gateway/build.json`. A source archive brings its own, which the package built from it keeps."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Write the stamp into a temporary folder and name it as part of the package."""
        known = runpy.run_path(str(Path(self.root, "gateway", "version.py")))
        build = known["find_build"]()
        if build is None or known["STAMP"].is_file():
            return
        self._folder = tempfile.TemporaryDirectory()
        stamp = Path(self._folder.name, "build.json")
        stamp.write_text(json.dumps(asdict(build)), encoding="utf-8")
        build_data["force_include"][str(stamp)] = "gateway/build.json"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's signature
        """Remove the temporary folder."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()
