"""Preferences by mail."""

from __future__ import annotations

import pytest

from pbem.desk.settings import BadSetting, read_setting
from pbem.store.letters import PreferenceChange


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("zone europe/berlin", PreferenceChange(7, zone="Europe/Berlin")),
        ("text-only", PreferenceChange(7, text_only=True)),
        ("text-only off", PreferenceChange(7, text_only=False)),
        ("html", PreferenceChange(7, text_only=False)),
        ("map Small", PreferenceChange(7, map="small")),
        ("map none", PreferenceChange(7, map="none")),
        ("theme Dark", PreferenceChange(7, theme="dark")),
        ("reminders 6h, 48h", PreferenceChange(7, reminders=(48, 6))),
        ("reminders 2d 12", PreferenceChange(7, reminders=(48, 12))),
        ("reminders none", PreferenceChange(7, reminders=())),
    ],
)
def test_a_setting_is_read(words: str, change: PreferenceChange) -> None:
    assert read_setting(7, words).change == change


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("colour red", "there is no setting called 'colour'"),
        ("zone Atlantis", "no time zone called 'Atlantis'"),
        ("map huge", "'huge' is no size of map"),
        ("theme pink", "'pink' is no theme of maps"),
        ("text-only perhaps", "'perhaps' is neither on nor off"),
        ("reminders soon", "'soon' is no time before the deadline"),
        ("reminders 9999h", "9999 hours; a reminder comes 1 to 336"),
        ("reminders 1h,2h,3h,4h,5h,6h", "6 reminders are asked for; 1 to 5"),
        ("reminders", "0 reminders are asked for"),
    ],
)
def test_a_bad_setting_says_what_would_do(words: str, complaint: str) -> None:
    with pytest.raises(BadSetting, match=complaint):
        read_setting(7, words)
