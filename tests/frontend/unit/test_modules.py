"""What the page ships of others, and what its sources never do. Node tests its modules: `make test-page`."""

import filecmp
import re
import shutil
import subprocess
from pathlib import Path

from api.static.bundle import esbuild

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "frontend-static"
NODE = shutil.which("node") or "node"


def test_ethers_is_the_locked_one() -> None:
    package = ROOT / "node_modules" / "ethers"
    assert filecmp.cmp(PAGE / "vendor" / "ethers.min.js", package / "dist" / "ethers.min.js", shallow=False)
    assert filecmp.cmp(PAGE / "vendor" / "ethers.LICENSE.md", package / "LICENSE.md", shallow=False)


PARTS = {
    "abi": "Interface",
    "address": "getAddress, isAddress",
    "constants": "ZeroAddress",
    "crypto": "keccak256, randomBytes, sha256",
    "utils": "concat, formatEther, formatUnits, getBytes, hexlify, isHexString, toUtf8Bytes",
}
"""What boards are drawn with; a module of its own, so that a framed page loads nothing that knows keys."""


def test_the_parts_of_ethers_without_keys_are_of_the_locked_one() -> None:
    entry = "".join(f'export {{ {names} }} from "ethers/{part}";\n' for part, names in PARTS.items())
    options = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8")
    made = subprocess.run([str(esbuild()), *options], cwd=ROOT, input=entry.encode(), capture_output=True, check=True)
    assert (PAGE / "vendor" / "ethers-abi.js").read_bytes() == made.stdout
    assert not re.search(rb"SigningKey|Mnemonic|scrypt|secp256k1|privateKey", made.stdout)
    licences = (PAGE / "vendor" / "ethers-abi.LICENSE.md").read_text("utf-8")
    for file in ("ethers/LICENSE.md", "@noble/hashes/LICENSE"):
        assert (ROOT / "node_modules" / file).read_text("utf-8").strip() in licences


def test_intl_messageformat_is_the_locked_one() -> None:
    package = ROOT / "node_modules" / "intl-messageformat"
    options = ("--bundle", "--format=esm", "--target=es2022", "--charset=utf8")
    command = [str(esbuild()), *options, "node_modules/intl-messageformat/index.js"]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    assert (PAGE / "vendor" / "intl-messageformat.js").read_bytes() == made
    licences = (PAGE / "vendor" / "intl-messageformat.LICENSE.md").read_text("utf-8")
    parts = sorted((ROOT / "node_modules" / "@formatjs").glob("*/LICENSE.md"))
    assert len(parts) == 3
    for licence in (package / "LICENSE.md", *parts):
        assert licence.read_text("utf-8").strip() in licences


def test_nothing_is_inline_or_from_elsewhere() -> None:
    html = (PAGE / "index.html").read_text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|https?:|//", html)
    sheets = [sheet for sheet in PAGE.rglob("*.css") if "vendor" not in sheet.parts]
    assert [sheet.name for sheet in sheets if re.search(r"@import|url\(", sheet.read_text())] == []


def test_data_never_become_markup() -> None:
    own = [path for path in PAGE.rglob("*.js") if "vendor" not in path.parts]
    found = [
        path.name
        for path in own
        if re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", path.read_text())
    ]
    assert len(own) > 20
    assert found == []
