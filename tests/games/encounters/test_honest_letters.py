"""Letters say what is so: who landed, which line fell, what a crippled ship can still do, which orders would stand."""

from __future__ import annotations

import pytest

from games.encounters import GAME
from tests.games.encounters.builders import events, force, play, situation, squadrons


@pytest.mark.rule("EN-GFE-1")
def test_the_witness_of_a_landing_remembers_who_landed() -> None:
    """Zyzzyva lands on neutral Altair beside a Korvan Lance; Talos, who is not there, hears nothing."""
    here = situation(
        force("AUR", "Altair", "Mule Atlas: Line Zyzzyva, Line Quetzal"), force("KOR", "Altair", "Lance Dagh"),
        phase="ground", seats=("AUR", "KOR", "TAL"),
    )  # fmt: skip
    tried = play(here, AUR="Ground Altair:\n invade\n exclude own Quetzal")

    assert [event.facts["units"] for event in events(tried, "landed", "KOR")] == [["Zyzzyva"]]
    assert events(tried, "landed", "TAL") == []
    assert {"Zyzzyva", "Quetzal", "Atlas"} & GAME.secrets(tried.state, "KOR") == {"Quetzal", "Atlas"}
    assert {"Zyzzyva", "Quetzal"} <= GAME.secrets(tried.state, "TAL")
    own = GAME.view(tried.state, "KOR").own
    assert own is not None
    assert own.known == {"Zyzzyva": 4}


@pytest.mark.rule("EN-VAL-22")
def test_the_complaint_about_too_many_squadrons_names_the_line_that_falls() -> None:
    """A Corvette (CR 3) commands three squadrons; of five SC and SD fall, for E's own stands always."""
    ships = force("AUR", "Altair", *(f"Picket {ship}" for ship in "ABCDE"))
    lines = "".join(f" squadron S{ship} = {ship}\n" for ship in "ABCDE")
    here = situation(ships, force("KOR", "Altair", "Mule Ox"))
    tried = play(
        here, 1, AUR=f"Battle Altair:\n fight all\n rounds 1\n{lines} flagship E\n", KOR="Battle Altair:\n retreat none"
    )

    assert list(squadrons(tried, "AUR")) == ["SA", "SB", "SE"]
    assert [(one.rule, one.line, one.text) for one in tried.sheets["AUR"].problems] == [
        ("EN-VAL-22", 6, "squadron SC = C"), ("EN-VAL-22", 7, "squadron SD = D"),
    ]  # fmt: skip
