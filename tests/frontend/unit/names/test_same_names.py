"""Tests that Python and the page derive the same names from 10,000 addresses."""

from __future__ import annotations

import json
import random
import subprocess

import pytest
from eth_utils.address import to_checksum_address

from api.names.account_names import name_of
from tests.frontend.unit.test_modules import NODE, ROOT

COUNT = 10_000
SCRIPT = """
import { wordsOf } from "./frontend-static/names/hash.js";
import { readFileSync } from "node:fs";
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((address) => wordsOf(address))));
"""


def test_python_and_the_page_call_ten_thousand_addresses_alike() -> None:
    chance = random.Random(17)
    small = [f"0x{chance.getrandbits(160):040x}" for _ in range(COUNT)]
    addresses = [to_checksum_address(one) if i % 2 else one for i, one in enumerate(small)]
    command = [NODE, "--no-warnings", "--input-type=module", "-e", SCRIPT]
    question = json.dumps(addresses)
    run = subprocess.run(command, cwd=ROOT, input=question, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    names = json.loads(run.stdout)
    assert names == [name_of(one) for one in addresses]
    assert len(set(names)) > 0.9 * COUNT


def test_what_is_no_address_has_no_name() -> None:
    for wrong in ("", "0x", "0x12", "Calm Ibis"):
        with pytest.raises(ValueError, match=r"address|hexadecimal"):
            name_of(wrong)
