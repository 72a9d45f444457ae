"""Chapters 4.1 to 4.4: general rules, sequence, readiness, detection and the decision to fight."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.encounters.rules.rounding import nearest_whole
from games.encounters.setup import setup
from games.encounters.table import Table
from pbem.kit.dice import LoadedDice
from tests.games.encounters.builders import (
    NO_SUPPLY,
    alive,
    damage,
    events,
    find,
    force,
    play,
    points,
    readiness,
    seats_asked,
    situation,
    start,
    told,
    unit,
)

RICH = "treasury = 50"
QUIET = "Battle Altair:\n decline"


@pytest.mark.rule("EN-GEN-1", "EN-RUL-1")
def test_readiness_dice_may_be_two_d6() -> None:
    """With the switch the two dice are summed: 6 + 5 = 11 gives +1."""
    here = situation(
        force("AUR", "Altair", "Lance Ajax"),
        force("KOR", "Altair", "Lance Dagh"),
        phase="strategic",
        switches=f'{NO_SUPPLY}\nreadiness_dice = "2d6"',
        AUR=RICH,
        KOR=RICH,
    )
    tried = play(here, 6, 5, 1, 1)

    assert [(one["total"], one["modifier"]) for one in told(tried, "readiness")] == [(11, 1), (2, -3)]
    assert [(roll.sides, roll.label) for roll in tried.rolls][:2] == [
        (6, "readiness/Altair/AUR/1"),
        (6, "readiness/Altair/AUR/2"),
    ]


@pytest.mark.rule("EN-GEN-2", "EN-RUL-11")
def test_values_are_rounded_once_halves_up() -> None:
    assert [nearest_whole(Fraction(value, 4)) for value in (1, 2, 3, 5, 6, 10)] == [0, 1, 1, 1, 2, 3]


@pytest.mark.rule("EN-GEN-3", "EN-GEN-4", "EN-RUL-14")
def test_a_crippled_unit_has_no_fire_no_mission_and_no_ability() -> None:
    """A crippled Watcher neither scouts nor fires; it is Armor alone that still works (EN-DR-2)."""
    here = situation(
        unit("AUR", "Altair", "Watcher", "Argus", state="crippled"),
        force("KOR", "Altair", "Lance Dagh"),
        phase="strategic",
        switches=NO_SUPPLY,
        AUR=RICH,
        KOR=RICH,
    )
    tried = play(here, 6, 6)
    assert told(tried, "readiness")[0]["parts"]["Scout"] == 0

    fought = play(
        situation(unit("AUR", "Altair", "Watcher", "Argus", state="crippled"), force("KOR", "Altair", "Mule Ox")),
        AUR="Battle Altair:\n fight all\n retreat none\n rounds 1",
    )
    assert points(fought) == []


@pytest.mark.rule("EN-GEN-5", "EN-CMB-2")
def test_peace_does_not_stop_encounters_but_the_default_decision() -> None:
    """Readiness is rolled at peace too; the doctrine ``owner`` fights only whom it is at war with."""
    ships = force("AUR", "Vega", "Lance Ajax"), force("KOR", "Vega", "Lance Dagh")
    once = "max_rounds = 1"
    peace = play(situation(*ships, switches=once, AUR='stance = { KOR = "peace" }', KOR='stance = { AUR = "peace" }'))
    war = play(situation(*ships, switches=once), 1, 1)

    assert told(peace, "no_combat")
    assert not told(peace, "combat")
    assert told(war, "combat")[0]["wanted_by"] == ["AUR"]


@pytest.mark.rule("EN-SEQ-1")
def test_a_station_counts_as_a_ship_for_the_sequence() -> None:
    tried = play(
        situation(
            force("AUR", "Vega", "Bastion"),
            force("KOR", "Vega", "Lance Dagh"),
            phase="strategic",
            switches=NO_SUPPLY,
            AUR=RICH,
            KOR=RICH,
        ),
        5,
        5,
    )

    assert tried.state.phase == "battle"
    assert seats_asked(tried.state) == {"AUR", "KOR"}


@pytest.mark.rule("EN-SEQ-2", "EN-SEQ-3", "EN-RUL-37")
def test_readiness_is_rolled_without_a_battle_where_ships_meet_an_owner() -> None:
    """Korvan owns Rigel without a unit there: both blocs roll once, and no battle letter is asked for."""
    tried = play(
        situation(force("AUR", "Rigel", "Lance Ajax"), phase="strategic", switches=NO_SUPPLY, AUR=RICH, KOR=RICH),
        7,
        3,
    )

    assert [roll.label for roll in tried.rolls] == ["readiness/Rigel/AUR", "readiness/Rigel/KOR"]
    assert tried.state.phase == "strategic"


@pytest.mark.rule("EN-SEQ-5")
def test_a_bloc_shares_its_readiness_but_each_power_rolls_and_fires_for_itself() -> None:
    """Aurigan and Talos are allied: one readiness die, two fire dice with the same modifier, damage in seat order."""
    allied: dict[str, Any] = {"AUR": 'stance = { TAL = "ally" }', "TAL": 'stance = { AUR = "ally" }'}
    here = situation(
        force("AUR", "Altair", "Lance Ajax"),
        force("TAL", "Altair", "Lance Yak"),
        force("KOR", "Altair", "Mule Ox"),
        readiness("Altair", AUR_KOR="modifier = 1"),
        seats=("AUR", "KOR", "TAL"),
        **allied,
    )
    tried = play(here, 8, 8, AUR="Battle Altair:\n fight all\n rounds 1", KOR="Battle Altair:\n retreat none")

    assert [(one["power"], one["total"]) for one in told(tried, "fire_roll") if one["die"]] == [("AUR", 9), ("TAL", 9)]
    assert damage(tried) == [("Ox", "directed", 2, "crippled"), ("Ox", "nondirected", 2, "destroyed")]
    assert len(tried.before.encounters[0].blocs) == 2


@pytest.mark.rule("EN-RDY-2")
def test_stealth_and_jammer_of_one_unit_count_both() -> None:
    ghost = '[design.Ghost]\nclass = "DD"\nlevel = 1\nDV = 3\nAS = 2\nAF = 1\nabilities = ["Stealth", "Jammer"]\n'
    tried = play(
        situation(
            ghost,
            force("AUR", "Altair", "Lance Ajax"),
            force("KOR", "Altair", "Ghost Wraith"),
            phase="strategic",
            switches=NO_SUPPLY,
            AUR=RICH,
            KOR=RICH,
        ),
        9,
        5,
    )

    assert told(tried, "readiness", "AUR")[0]["total"] == 9 - 2 - 2


@pytest.mark.rule("EN-RDY-4")
def test_the_modifier_serves_every_fire_roll_of_the_turn() -> None:
    tried = play(
        situation(
            force("AUR", "Altair", "Roost: Kestrel"),
            force("KOR", "Altair", "Mule Ox"),
            readiness("Altair", AUR_KOR="total = 13"),
        ),
        2,
        AUR="Battle Altair:\n fight all\n rounds 1",
    )

    assert told(tried, "fire_roll", "AUR")[0]["modifiers"]["readiness"] == 2


@pytest.mark.rule("EN-RDY-5", "EN-UNT-6")
@pytest.mark.parametrize(
    ("total", "text"),
    [
        (2, ""),
        (3, "more units than ours"),
        (5, "5 units"),
        (6, "Escort 1, Auxiliary 1, Fortification 1, Troop 2"),
        (11, "DD 1, TP 1, DF 1, IN 2"),
        (13, "DD-1 1, TP-1 1, DF-1 1, IN-1 2"),
        (
            15,
            (
                "Dagh (Lance, DD-1, crippled), Ox (Mule, TP-1, intact), 1st Guard (Line, IN-1, intact), "
                "Turret 1 (Turret, DF-1, intact), Militia 1 (Militia, IN-1, intact)"
            ),
        ),
    ],
)
def test_detection_counts_everything_and_tells_what_the_level_allows(total: int, text: str) -> None:
    here = situation(
        force("AUR", "Rigel", "Lance Ajax"),
        unit("KOR", "Rigel", "Lance", "Dagh", state="crippled"),
        unit("KOR", "Rigel", "Mule", "Ox"),
        '[[unit]]\nowner = "KOR"\ndesign = "Line"\nname = "1st Guard"\ncarrier = "Ox"\n',
        unit("KOR", "Rigel", "Turret", "Turret 1"),
        unit("KOR", "Rigel", "Militia", "Militia 1"),
        readiness("Rigel", AUR_KOR=f"total = {total}"),
    )
    state = start(here)
    game = play(here, AUR="Battle Rigel:\n decline", KOR="Battle Rigel:\n decline").game

    presence = game.view(state, "AUR").presences[0]
    assert (presence.contact.powers, presence.text) == (("KOR",), text)


@pytest.mark.rule("EN-CMB-1", "EN-CMB-3")
def test_one_power_that_wants_it_is_enough_and_nobody_stays_out() -> None:
    """Korvan declined and reserved everything, yet fights: the auto-arrangement takes its ships."""
    tried = play(
        situation(force("AUR", "Altair", "Lance Ajax"), force("KOR", "Altair", "Lance Dagh", "Lance Vorn")),
        1,
        1,
        AUR="Battle Altair:\n fight Korvan\n rounds 1",
        KOR="Battle Altair:\n decline\n reserve Dagh, Vorn",
    )

    assert told(tried, "combat")[0]["wanted_by"] == ["AUR"]
    assert [(one["power"], one["reserve"]) for one in told(tried, "forces", "KOR")] == [("AUR", None), ("KOR", 0)]


@pytest.mark.rule("EN-CMB-2")
@pytest.mark.parametrize(
    ("doctrine", "place", "fights"),
    [("always", "Altair", True), ("never", "Vega", False), ("owner", "Vega", True), ("owner", "Altair", False)],
)
def test_silent_powers_follow_their_doctrine(doctrine: str, place: str, *, fights: bool) -> None:
    here = situation(
        force("AUR", place, "Lance Ajax"),
        force("KOR", place, "Mule Ox"),
        AUR=f'doctrine = {{ engage = "{doctrine}" }}',
        KOR='doctrine = { retreat = "none" }',
        switches="max_rounds = 1",
    )
    tried = play(here, *([1] if fights else []))

    assert bool(told(tried, "combat")) is fights


@pytest.mark.rule("EN-SEQ-4")
def test_units_lost_in_one_engagement_are_missing_in_the_next() -> None:
    """Aurigan's only ship dies against Korvan; its engagement with Talos does not take place."""
    here = situation(
        unit("AUR", "Altair", "Picket", "Mite", state="crippled"),
        force("KOR", "Altair", "Citadel"),
        force("TAL", "Altair", "Mule Yak"),
        readiness("Altair", AUR_KOR="total = 10"),
        seats=("AUR", "KOR", "TAL"),
    )
    tried = play(
        here,
        9,
        KOR="Battle Altair:\n fight AUR",
        AUR="Battle Altair:\n retreat none",
        TAL="Battle Altair:\n fight AUR",
    )

    assert not alive(tried.state, "Mite")
    assert len(told(tried, "combat")) == 2
    assert len(events(tried, "battle_end")) == 1


@pytest.mark.rule("EN-DIP-1")
def test_a_bloc_is_a_chain_of_mutual_allies() -> None:
    """AUR-KOR and KOR-TAL are mutual, so all three are one bloc; a one-sided offer makes none."""
    chain = situation(
        seats=("AUR", "KOR", "TAL"),
        AUR='stance = { KOR = "ally" }',
        KOR='stance = { AUR = "ally", TAL = "ally" }',
        TAL='stance = { KOR = "ally" }',
    )
    offer = situation(AUR='stance = { KOR = "ally" }')

    assert Table(setup(chain, LoadedDice())).members("TAL") == ("AUR", "KOR", "TAL")
    assert Table(setup(offer, LoadedDice())).members("AUR") == ("AUR",)


@pytest.mark.rule("EN-DIP-1")
def test_stances_change_at_step_1_and_everybody_hears_of_it() -> None:
    tried = play(situation(phase="strategic"), AUR="stance Korvan peace")

    assert tried.state.powers["AUR"].stance == {"KOR": "peace"}
    assert events(tried, "stance")[0].seen_by == {"AUR", "KOR"}


def test_find_is_exact() -> None:
    state = start(situation(force("AUR", "Vega", "Lance Ajax")))

    assert find(state, "Ajax").design == "Lance"


@pytest.mark.rule("EN-SEQ-4")
def test_three_engagements_by_the_sum_of_the_totals() -> None:
    """Sums: KOR-TAL 13, AUR-KOR 12, AUR-TAL 6. Points: 2 at 100%, 2 at 75% (10 - 3), 1 and 1, 1 and 1 (4 - 2: 25%)."""
    scene = situation(
        *(force(key, "Altair", f"Lance {key} 1") for key in ("AUR", "KOR", "TAL")),
        readiness(
            "Altair",
            AUR_KOR="total = 6",
            KOR_AUR="total = 6",
            AUR_TAL="total = 3",
            TAL_AUR="total = 3",
            KOR_TAL="total = 11",
            TAL_KOR="total = 2",
        ),
        seats=("AUR", "KOR", "TAL"),
    )
    letter = "Battle Altair:\n fight all\n rounds 1\n"
    tried = play(scene, 8, 10, 5, 5, 5, 4, AUR=letter, KOR=letter, TAL=letter)
    assert [roll.label.removeprefix("space/Altair/") for roll in tried.rolls] == [
        "1/round 1/ships/KOR", "1/round 1/ships/TAL", "2/round 1/ships/AUR", "2/round 1/ships/KOR",
        "3/round 1/ships/AUR", "3/round 1/ships/TAL",
    ]  # fmt: skip
    assert [one[2] for one in points(tried)] == [2, 2, 1, 1, 1, 1]


@pytest.mark.rule("EN-SEQ-3")
@pytest.mark.rule("EN-RDY-1")
def test_a_bloc_rolls_in_the_place_of_its_lead() -> None:
    """Of AUR and TAL the weightier TAL (seat 3) leads, so KOR rolls first. TAL: 9 + 2 - 2 - 3 + 2 = 8."""
    scene = situation(
        force("AUR", "Altair", "Watcher Argus"),
        force("KOR", "Altair", "Shade Umbra", "Hush Static"),
        force("TAL", "Altair", "Bulwark Tor"),
        phase="strategic",
        switches=NO_SUPPLY,
        seats=("AUR", "KOR", "TAL"),
        AUR='stance = { TAL = "ally" }\ntreasury = 20\nintel = { Altair = 2 }',
        KOR="treasury = 20",
        TAL='stance = { AUR = "ally" }\ntreasury = 20',
    )
    tried = play(scene, 7, 9, AUR="intel spend 2 at Altair\n")
    assert [roll.label for roll in tried.rolls] == ["readiness/Altair/KOR", "readiness/Altair/TAL"]
    pairs = [(one.bloc, one.versus, one.total) for one in tried.state.encounters[0].pairs]
    assert pairs == [("KOR", "TAL", 7), ("TAL", "KOR", 8)]
    assert tried.state.powers["AUR"].contacts["Altair"][0].paths == {"Escort": 1, "Cruiser": 1}
