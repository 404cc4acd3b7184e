"""The words of an address, in Python and in the page: alike for 10,000 addresses, and in the same languages."""

from __future__ import annotations

import json
import random
import subprocess

import pytest
from eth_utils.address import to_checksum_address

from api.names.account_names import ORDER, name_of
from api.share.document import LOCALES
from api.static.texts import LANGUAGES
from tests.frontend.unit.test_modules import NODE, ROOT

COUNT = 10_000
SCRIPT = """
import { wordsOf } from "./frontend-static/names/hash.js";
import { LANGUAGES } from "./frontend-static/i18n/language.js";
import { loadLanguage } from "./frontend-static/i18n/tables.js";
import { readFileSync } from "node:fs";
const { addresses, languages } = JSON.parse(readFileSync(0, "utf8"));
await Promise.all(Object.keys(LANGUAGES).map(loadLanguage));
const names = languages.map((language) => addresses.map((address) => wordsOf(address, language)));
console.log(JSON.stringify({ names, languages: Object.keys(LANGUAGES) }));
"""


def test_python_and_the_page_call_ten_thousand_addresses_alike() -> None:
    chance = random.Random(17)
    small = [f"0x{chance.getrandbits(160):040x}" for _ in range(COUNT)]
    addresses = [to_checksum_address(one) if i % 2 else one for i, one in enumerate(small)]
    question = json.dumps({"addresses": addresses, "languages": [*LANGUAGES, "xx"]})
    command = [NODE, "--no-warnings", "--input-type=module", "-e", SCRIPT]
    run = subprocess.run(command, cwd=ROOT, input=question, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    by_the_page = json.loads(run.stdout)
    assert by_the_page["languages"] == [*LANGUAGES] == [*ORDER] == [*LOCALES]
    for language, names in zip([*LANGUAGES, "xx"], by_the_page["names"], strict=True):
        assert names == [name_of(one, language) for one in addresses], language
        assert len(set(names)) > 0.9 * COUNT


def test_what_is_no_address_has_no_name() -> None:
    for wrong in ("", "0x", "0x12", "Calm Ibis"):
        with pytest.raises(ValueError, match=r"address|hexadecimal"):
            name_of(wrong)
