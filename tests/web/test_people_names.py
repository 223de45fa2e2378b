"""Names of accounts: which are allowed, and which look alike."""

# ruff: noqa: RUF001  the tests need letters that look like others

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.accounts.forms import NAME_ERRORS
from lobby.accounts.names import NameRefused, clean_name, look_key, name_key


@pytest.mark.parametrize(
    "name",
    [
        *("Anna", "anna2", "Jean-Luc", "O'Neil", "Zoé", "Ödön", "J. P. Dupont", "Badminton"),
        *("花子", "サトウ", "ア・イ", "Anna花", "李小龍", "김철수", "Мария", "Ελένη", "Robot"),
    ],
)
def test_names_of_many_scripts_are_allowed(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("  Anna   Maria ", "Anna Maria"), ("ｆｕｌｌ", "full"), ("ﬁnn", "finn"), ("ｻﾄｳ", "サトウ")],
)
def test_names_are_normalised(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    ("name", "why"),
    [
        *[(name, "length") for name in ("", "a", " a ", "x" * 21, "力")],
        *[
            (name, "sign")
            for name in ("a\u200bb", "a\u202eb", "an\tna", "ok👍", "<b>x</b>", "a__b")
        ],
        *[(name, "sign") for name in ("\u0663abc", "a\ufeffb", "a@b", "x\U000e0041y", "a\x00b")],
        *[(name, "blank") for name in ("\u3164\u3164", "a\u115fb", "ab\u034fc")],
        *[(name, "scripts") for name in ("Аdmin1", "Аnna", "Annаб", "pаypal")],
        ("e\u0301\u0301\u0301x", "marks"),
        *[(name, "letter") for name in ("1234", "12 34")],
        *[(name, "edges") for name in ("-anna", "anna-", ".anna", "anna'")],
        *[(name, "reserved") for name in ("admin", "Admin", "ADM1N", "a.d.m.i.n", "Admin Anna")],
        *[(name, "reserved") for name in ("Guest 1234", "invité 12", "ゲスト 1", "m0derator")],
        ("compte supprimé", "reserved"),
        *[(name, "reserved") for name in ("Deleted Player", "joueur supprimé", "system2", "運営")],
    ],
)
def test_refused_name_gets_a_reason(name: str, why: str) -> None:
    with pytest.raises(NameRefused) as refusal:
        clean_name(name)
    assert refusal.value.code == why
    assert NAME_ERRORS[why]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *[
            ("paypal", look_alike)
            for look_alike in ("PayPal", "раураl", "paypaI", "PAYPA1", "pay-pal")
        ],
        *[("momma", look_alike) for look_alike in ("rnomma", "ＭＯＭＭＡ", "Mömma", "mo.m.ma")],
        *[("BOB", look_alike) for look_alike in ("ΒΟΒ", "ВОВ", "B0B", "bob")],
        *[("Zoé", look_alike) for look_alike in ("Zoe", "ZOE\u0301", "zoe")],
        ("カラ", "力ラ"),
        ("willy", "vvi11y"),
    ],
)
def test_names_that_look_alike_share_a_key(one: str, other: str) -> None:
    keys = name_key(one), look_key(one)
    others = name_key(other), look_key(other)
    assert keys[0] == others[0] or keys[1] == others[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Anne"),
        ("かき", "がき"),
        ("花子", "花江"),
        ("Мария", "Марина"),
        ("Max", "Marx"),
        ("Lucia", "Luda"),
    ],
)
def test_other_names_have_other_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)
    assert look_key(one) != look_key(other)


@given(st.text(alphabet=st.characters(max_codepoint=0x24F), min_size=1, max_size=20))
def test_name_key_ignores_case_and_is_stable(text: str) -> None:
    try:
        name = clean_name(text)
    except NameRefused:
        return
    assert clean_name(name) == name
    assert name_key(name.upper()) == name_key(name.lower()) == name_key(name)
    assert name_key(name)
