"""Prints Slither's findings of high and medium impact in our sources.

This script runs in Slither's own environment, which `make` creates, because Slither needs an older
version of web3 than we do.
"""

from __future__ import annotations

import inspect
import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

from crytic_compile import CryticCompile
from crytic_compile.compilation_unit import CompilationUnit
from crytic_compile.compiler.compiler import CompilerVersion
from crytic_compile.platform.solc_standard_json import SolcStandardJson, parse_standard_json_output
from slither import Slither
from slither.detectors import all_detectors
from slither.detectors.abstract_detector import AbstractDetector, DetectorClassification

REPORTED_IMPACTS = (DetectorClassification.HIGH, DetectorClassification.MEDIUM)
NO_CODE = {"object": "", "sourceMap": ""}


class Sources(SolcStandardJson):  # type: ignore[misc]
    """Our sources, by their path from the top folder. Slither reads only the syntax tree. The
    script therefore skips the compilation to bytecode, which would take a long time."""

    def __init__(self, solc: str, version: str, sources: dict[str, str]) -> None:
        wanted = {"*": {"*": ["abi", "userdoc", "devdoc"], "": ["ast"]}}
        remappings = ["@openzeppelin/=node_modules/@openzeppelin/"]
        super().__init__(
            {
                "language": "Solidity",
                "sources": {path: {"content": text} for path, text in sources.items()},
                "settings": {"remappings": remappings, "evmVersion": "cancun", "outputSelection": wanted},
            }
        )
        self._solc, self._version = solc, version

    def compile(self, crytic_compile: CryticCompile, **_: Any) -> None:
        unit = CompilationUnit(crytic_compile, "chainboard")
        unit.compiler_version = CompilerVersion(compiler="solc", version=self._version, optimized=True)
        asked = json.dumps(self.to_dict())
        answer = subprocess.run(
            [self._solc, "--standard-json"], input=asked, capture_output=True, text=True, check=True
        )
        output = json.loads(answer.stdout)
        if wrong := [one["formattedMessage"] for one in output.get("errors", ()) if one["severity"] == "error"]:
            sys.exit("\n".join(wrong))
        for contracts in output["contracts"].values():
            for made in contracts.values():
                made["evm"] = {"bytecode": NO_CODE, "deployedBytecode": NO_CODE}
        parse_standard_json_output(output, unit)


def findings(top: Path, request: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the findings in our own files. Each contains the check, the impact, the file, the line
    and Slither's description."""
    slither = Slither(CryticCompile(Sources(**request)))
    for name in dir(all_detectors):
        detector = getattr(all_detectors, name)
        if inspect.isclass(detector) and issubclass(detector, AbstractDetector) and detector.IMPACT in REPORTED_IMPACTS:
            slither.register_detector(detector)
    found = [one for results in slither.run_detectors() for one in results if results]
    described = [_described(top, one) for one in found]
    return [one for one in described if one["file"].startswith("contracts/")]


def _described(top: Path, one: dict[str, Any]) -> dict[str, Any]:
    where = next((element for element in one["elements"] if element["type"] == "node"), one["elements"][0])
    first = where["source_mapping"]
    file = Path(first["filename_absolute"]).relative_to(top).as_posix()
    message = one["description"].strip().replace(f"{top}/", "")
    return {"check": one["check"], "impact": one["impact"], "file": file, "line": first["lines"][0], "message": message}


if __name__ == "__main__":
    logging.disable(logging.ERROR)
    print(json.dumps(findings(Path.cwd(), json.load(sys.stdin))))
