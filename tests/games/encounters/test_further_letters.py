"""Further lines of battle letters, each with the validation cases the rule book's section 7 gives for it."""

from __future__ import annotations

from typing import Any

import pytest

from games.encounters.orders import read_orders
from pbem.kit.sheet import Sheet
from tests.games.encounters.builders import force, play, rules_of, situation, squadrons, start


def read(text: str) -> Sheet[Any]:
    """A letter of AUR before a battle at Altair, where it is at D3 and has no budget."""
    scene = situation(
        force(
            "AUR", "Altair", "Bulwark Hood", "Lance Ajax", "Lance Lynx", "Nest Roc: Kestrel K1, Hammer H1", "Bastion"
        ),
        force("KOR", "Altair", "Bulwark Khar", "Lance Dagh"),
    )
    return read_orders(start(scene), "AUR", text)


SOUND = (
    "Battle Altair: fight all\n squadron Red = Hood, Ajax\nAjax: fire control",
    "Battle Altair: squadron Red = Hood\nHood: round 2 fire control\nHood: fire control\nHood: round 3 suppress 2",
    "BATTLE ALTAIR: FIGHT KORVAN\n RETREAT LOSSES 50%\n Retreat To vega",
    "Battle Altair:\n direct all at kill biggest x2, DD x 1, Escort",
    "Battle Altair:\n station Bastion 1\n flagship Bastion 1",
    "Battle Altair:\n squadron Red = Hood, Ajax\nRed: guard Hood 4, flagship, biggest x 1 2, Lance 2, CA",
    "Empire: doctrine direct ships at crippled, kill flagship\ndoctrine engage always\nBattle Altair: decline",
    "Altair Squadron: doctrine retreat all",
    "Home: mission screen\nPressed: engage\nLanding: screen\n1: mission screen",
    "Battle Altair:\n fight all\nHood: rounds 2",
    "fight all",
)
FAULTY = {
    "Battle Altair:\n flagship Bastion 1": ["EN-VAL-21"],
    "Battle Altair:\n squadron Red = Hood\nRed: guard Foo": ["EN-VAL-2"],
    "Battle Altair:\n squadron Red = Hood\nRed: guard Ajax": ["EN-VAL-33"],
    "Battle Altair:\n squadron Red = Hood\nRed: guard Hood 5": ["EN-VAL-33"],
    "Battle Altair:\n exclude own K1": ["EN-VAL-4"],
    "Battle Altair:\n invade": ["EN-VAL-4"],
    "Battle Rigel:\n fight all": ["EN-VAL-4"],
    "Ground Altair:\n fight all": ["EN-VAL-4"],
    "Ground Altair:\n invade\n bombard strike prod, cen\n orbital yes": ["EN-VAL-30"],
    "build Lance at Vega": ["EN-VAL-4"],
    "Battle Altair:\n fite all": ["EN-VAL-1"],
    "Battle Altair:\n mission engage": ["EN-VAL-4"],
    "Bastion 1: mission disengage\nK1: mission firecontrol\nH1: disengage": ["EN-VAL-26", "EN-VAL-26"],
    "Battle Altair:\n hold K1, Hood, Foo": ["EN-VAL-38", "EN-VAL-2"],
    "Battle Altair:\n rounds 4\n rounds 0\nHood: round 4 mission screen": ["EN-VAL-27", "EN-VAL-27", "EN-VAL-27"],
    "Battle Altair:\n squadron Red = Hood, K1, Bastion 1": ["EN-VAL-24", "EN-VAL-24"],
    "Battle Altair:\n squadron Red = Hood\n squadron Blue = Hood, Ajax": ["EN-VAL-24"],
    "Battle Altair:\n squadron Home = Hood": ["EN-VAL-37"],
    "Battle Altair:\n direct ships at Khar": ["EN-VAL-28"],
    "Battle Altair:\n direct troops at biggest": ["EN-VAL-4"],
    "Battle Altair:\n include biggest": ["EN-VAL-29"],
    "Battle Altair:\n retreat to Deneb": ["EN-VAL-35"],
    "Battle Altair:\n doctrine engage always": ["EN-VAL-4"],
    "Hood: doctrine retreat all": ["EN-VAL-4"],
    "Battle Altair:\n squadron Red = Hood, Ajax, Lynx": ["EN-VAL-23"],
}


@pytest.mark.parametrize("text", SOUND)
def test_a_sound_letter_has_no_problems(text: str) -> None:
    assert read(text).problems == ()


@pytest.mark.parametrize(("text", "rules"), FAULTY.items())
def test_a_fault_is_named_by_its_case(text: str, rules: list[str]) -> None:
    assert sorted(rules_of(read(text))) == sorted(rules)


def test_what_stands_of_a_list_is_said_as_it_is() -> None:
    """Section 7: legal items of a list stand, so the complaint about the others must not call the line ignored."""
    (complaint,) = read("Battle Altair:\n direct ships at Khar, biggest").problems
    assert (complaint.rule, complaint.instead) == ("EN-VAL-28", "the rest of the line stands")


@pytest.mark.rule("EN-VAL-22")
def test_a_squadron_formed_anew_stands_where_its_last_line_stands() -> None:
    """Pickets have CR 3: of A, B, C, D and A again the first three in line order are B, C, D."""
    scene = situation(force("AUR", "Altair", "5 Picket"), force("KOR", "Altair", "Mule Ox"))
    named = "".join(f"squadron {name} = Picket {number}\n" for number, name in enumerate("ABCD", 1))
    aur = f"Battle Altair:\n fight all\n rounds 1\n direct all none\n flagship Picket 2\n{named}squadron A = Picket 5\n"
    tried = play(scene, 1, AUR=aur, KOR="Battle Altair:\n rounds 1\n")
    assert list(squadrons(tried, "AUR")) == ["B", "C", "D"]
    assert [problem.instead for problem in tried.sheets["AUR"].problems] == ["these stand: B, C, D"]
