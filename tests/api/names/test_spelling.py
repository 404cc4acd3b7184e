"""Tests which spellings of nicknames are allowed, and that names that look alike count as the same
name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from api.names.account_names import name_of, words
from api.names.skeleton import SEPARATORS, plain_skeleton, skeleton
from api.names.spelling import MAX_LENGTH, MAX_TYPED, MIN_LENGTH, RESERVED, keys_of, normalized_name
from api.problems import Rejection
from tests.api.playground import ALICE

GOOD = [
    "Ann", "Åsa Ek", "J.R Tolk", "O'Neil", "x-1_2", "Максим", "Ελένη", "张三丰", "ユーザー名", "Yumiゆみ",
    "김철수 abc", "ㄅㄆㄇ", "हिन्दी", "ไทยแลนด์", "שלום", "نادية", "Iris 42", "Nguyễn Văn", "ייי",
    "မြန်မာ", "Calm Ann 7", "José", "Calm Ibex Zoe", "คุ่1ก่", "Bold Bob",
]  # fmt: skip
BAD = {
    "long": ["a" * (MAX_LENGTH + 1), "x" * 10_000, " " * (MAX_TYPED + 1)],
    "short": ["", "ab", "  a  ", "   "],
    "character": [
        "ab\u202ecd", "\u200fabc", "abc\u200b", "Ann\u200dLee", "Ann😀", "☃ man", "a\tb c", "a\u0301\u0301bc",
        "x\u0336yz", "\u3164\u3164\u3164", "\u1160\u1160\u1160", "ក\u17b4ខគ", "١٢٣ab", "a/b c", "<b>", "Ann’s",
        "ab\ud800", "ab\uffff", "ก็็ก", "ab \u0e47", "a\x00bc", "\ufe0fabc", "\U000e0041bc", "ab\u0378", "50€",
        "ᏣᎳᎩ", "ǃǃǃ", "ꞏꞏꞏ", "ꓽꓽꓽ", "ꓸꓹꓺ", "ʔʔʔ", "ǀǀǀ", "Ɂbc", "Ꞌab", "נ\u05b0\u05b1\u05b2",
    ],
    "separators": ["-ann", "ann_", "a--b", "a -b", "a. b", "'ann'"],
    "letter": ["123", "1-2"],
    "address": ["0xabc", "0X12", "０ｘ123"],
    "scripts": ["аnn", "Αnn", "abвг", "ゆみ김", "ㄅㄆゆ", "張мир"],
    "account": ["Calm Ibis", "calm-ibis", "CalmIbis", "Ca1m lbis", name_of(ALICE),
        "Calm Ibis 7", "Calm Ibis A", "calm ibis 70", "CalmIbis4F", "Cạlm Ibis", "Calm Ibís", "Cáḷm Ibis b",
    ],
    "blocked": [
        "admin", "Admin", "the admin", "a.d.m.i.n", "adrnin", "ᴀᴅᴍɪɴ", "Chain Board", "我.电脑",
        "ordinateur 7", "Ạdmin", "aɗmin", "Admin1", "4 ad-min 2", "The Chain Board 7", "modérator",
    ],
}  # fmt: skip
names = st.text(
    st.characters(categories=["L", "M", "N"]) | st.sampled_from([*SEPARATORS, *"abmwIl10Oа"]), max_size=MAX_LENGTH + 4
)


@pytest.mark.parametrize("name", GOOD)
def test_a_good_name_is_kept_as_it_is(name: str) -> None:
    assert normalized_name(name) == name


@pytest.mark.parametrize(("why", "name"), [(why, name) for why, names in BAD.items() for name in names])
def test_a_bad_name_is_refused_with_the_reason(why: str, name: str) -> None:
    with pytest.raises(Rejection) as refused:
        normalized_name(name)
    assert refused.value.key == f"bad-nickname.{why}"
    assert refused.value.detail.isprintable()


def test_a_name_of_any_length_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.names.spelling.unicodedata", None)
    with pytest.raises(Rejection, match="3 to 20"):
        normalized_name("\ufdfa" * 10_000)


def test_a_name_is_normalised() -> None:
    assert normalized_name("  Ａｎｎ\u3000\u00a0 Lee ") == "Ann Lee"
    assert normalized_name("Zoe\u0308") == "Zoë"
    assert normalized_name("\u1112\u1161\u11ab" * MAX_LENGTH) == "한" * MAX_LENGTH


@given(names)
def test_what_is_accepted_is_in_its_normal_form_and_shows_all_that_it_has(typed: str) -> None:
    try:
        name = normalized_name(typed)
    except Rejection:
        return
    assert normalized_name(name) == name == unicodedata.normalize("NFKC", name)
    assert MIN_LENGTH <= len(name) <= MAX_LENGTH
    assert name.isprintable()
    assert skeleton(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Аnnа"), ("O0o", "ООО"), ("Il1i", "llll"), ("modern", "modem"), ("mum", "rnurn"),
        ("wow", "vvovv"), ("Ann Lee", "ann-lee"), ("сосо", "coco"), ("Максим", "МАКСИМ"), ("Нина", "нина"),
        ("ʜᴇʟʟᴏ", "Hello"), ("ӧlа", "öla"), ("ΑΓΟ", "αγο"), ("Ɓob", "Bob"),
    ],
)  # fmt: skip
def test_look_alikes_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("V", "N"), ("v", "n"), ("Ann", "Anne"), ("b", "d"), ("é", "e"), ("六", "大"), ("ים", "ם"), ("ꞌab", "ab")],
)
def test_names_that_differ_have_different_ones(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(st.text(st.characters(categories=["L"], max_codepoint=0x24F)))
def test_the_skeleton_of_a_skeleton_and_of_other_spacing_is_the_same(name: str) -> None:
    assume("ſ" not in name)
    assert skeleton(skeleton(name)) == skeleton(name) == skeleton(" ".join(name))


def test_no_two_letters_of_ascii_are_taken_for_one_but_the_known_ones() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    same = [(a, b) for a in letters for b in letters if a < b and skeleton(a) == skeleton(b)]
    assert sorted(same) == [("0", "o"), ("1", "i"), ("1", "l"), ("i", "l")]


def test_no_reserved_word_is_an_accounts_word() -> None:
    table = words()
    used = {skeleton(one) for one in (*table.adjectives, *table.animals)}
    assert not used & {skeleton(one) for one in RESERVED}


def test_the_keys_of_a_name_are_those_of_its_words_too() -> None:
    assert keys_of("Bad Guy") == {"badguy", "bad", "guy"}
    assert keys_of("ru-dé 2go") == {"ru", "de", "2go", "go", "rude", "de2go", "rude2go"}
    assert keys_of("7") == {"7"}


def test_only_accents_are_dropped_not_the_vowels_of_other_scripts() -> None:
    for one, other in (("Ạdmín", "admln"), ("søn", "son"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد")):
        assert plain_skeleton(one) == plain_skeleton(other)
    for one, other in (("हिन", "हन"), ("バカ", "ハカ"), ("มา", "มี")):
        assert plain_skeleton(one) != plain_skeleton(other)


def test_no_letter_has_an_empty_skeleton() -> None:
    letters = (chr(code) for code in range(0x3000) if unicodedata.category(chr(code))[0] == "L")
    assert [one for one in letters if not skeleton(one)] == []
