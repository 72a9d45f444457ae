"""Scenario and situation files: data cards, every field a file may set, and complaints that name their place."""

from __future__ import annotations

import pytest

from games.fleet_action import GAME
from games.fleet_action.rules.cards import house_catalogue
from games.fleet_action.state import PULSES, State
from pbem.kit import codec
from pbem.kit.codec import BadData
from pbem.kit.dice import LoadedDice
from pbem.kit.scenario import parse_scenario, scenarios_of
from tests.games.fleet_action.builders import cards, flight, play, ship, situation, squadron, the_flight, the_squadron

NARN = squadron("Kha'Mak", "narn", "5555", "T'Loth-9")
SCENARIOS = scenarios_of("fleet_action")


def test_totals_of_the_scenarios():
    """Section 10.5: points, ships and flights of each side."""
    cards = house_catalogue()
    found = {}
    for key, scenario in SCENARIOS.items():
        state = GAME.setup(scenario, LoadedDice())
        for side in state.sides:
            names = {s.name for s in state.squadrons if s.side == side.id}
            ships = [s for s in state.ships if s.squadron in names]
            flights = [f for f in state.flights if f.side == side.id]
            points = sum(cards.classes[s.ship_class].points for s in ships)
            points += sum(cards.fighters[f.fighter_class].points for f in flights)
            found[key, side.id] = (len(names), len(ships), len(flights), points)
    assert found == {
        ("border-incident", "earth"): (1, 3, 1, 1335),
        ("border-incident", "narn"): (1, 3, 1, 1355),
        ("ragesh-approaches", "centauri"): (4, 14, 10, 7585),
        ("ragesh-approaches", "narn"): (5, 18, 15, 7550),
        ("the-long-line", "minbari"): (14, 54, 48, 42490),
        ("the-long-line", "earth"): (21, 84, 78, 42615),
    }


# --- data cards ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('[weapon.x]\nclass = "laser"\nfc = ["d10", "d8"]\ndamage = "d12"', "weapon.x.fc"),
        (
            '[weapon.x]\nclass = "laser"\nfc = ["d10", "d8", "-"]\ndamage = "d12"\nrange = [9, 8, 7, 6]',
            "weapon.x.range",
        ),
        ('[weapon.x]\nclass = "lazer"\nfc = ["d10", "d8", "-"]\ndamage = "d12"', "weapon.x.weapon_class"),
        ("[class.omega]\narmor = [6, 5]", "class.omega.armor"),
        ("[class.omega]\ngrey = [99]", "class.omega.grey"),
        ("[class.omega]\nstructur = 5", "class.omega.structur"),
        ('[class.omega]\nweapons = [{ weapon = "ray", rating = 1, af = 1 }]', "weapons[0].weapon"),
        ('[fighter.x]\nnavy = "Earth"\npoints = 1\nmove = 9\ndef = 9\noff = "10"', "fighter.x.off"),
        ('[[squadron]]\nname = "A"\nside = "moon"\nships = [{ name = "X", class = "omega" }]', "moon"),
        ('[[squadron]]\nname = "A"\nside = "e"\nhex = "20"\nships = [{ name = "X", class = "omega" }]', "hex"),
    ],
)
def test_bad_cards_are_refused_with_their_place(text, where):
    """A club's own cards are checked on load."""
    head = 'game = "fleet_action"\nmap_w = 9\nmap_h = 9\n'
    sides = '\n[[side]]\nid = "e"\nnavy = "Earth"\n[[side]]\nid = "n"\nnavy = "Narn"\n'
    with pytest.raises(BadData) as error:
        GAME.setup(parse_scenario(head + text + sides, "club.toml"), LoadedDice())
    assert where in str(error.value)


def test_a_club_card_changes_only_what_it_says():
    """An Omega of structure 30 keeps everything else."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-9"),
        **cards(omega={"structure": 30}),
    )
    assert (state.ships[0].structure, state.classes["omega"].sensor) == (30, 6)
    assert isinstance(codec.same(state), State)
    assert PULSES == (1, 2, 3)


# --- entries ---------------------------------------------------------------------------------------------------------

ALPHA = squadron("Alpha", "earth", "2020", "Omega-1")


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"turns": 3}, "test.turns: no such key; did you mean 'turn'?"),
        ({"ships": []}, "test.ships: no such key"),
        ({"stage": "dinner"}, "test.stage: 'dinner' is not one of"),
        ({"gate": {"hex": "20", "direction": 1}}, 'test.gate.hex: a hex such as "2008" is needed'),
        ({"fleet": [{"side": "moon"}]}, "test.fleet[0].side: no side 'moon'; the sides are earth, narn"),
        ({"fleet": [{"side": "earth", "abilities": ["luck"]}]}, "test.fleet[0].abilities: no ability 'luck'"),
        ({"flights": [flight("Fury-1", "aurora", "Omega-9")]}, "test.flight[0].home: no ship 'Omega-9'"),
        ({"flights": [flight("Fury-1", "spitfire", "Omega-1")]}, "test.flight[0].class: no fighter class 'spitfire'"),
        ({"vortex": [{"opener": "Omega-1", "hex": "2020"}]}, "test.vortex[0]: the key 'direction' is missing"),
        ({"plan": [{"opener": "Omega-1", "offset": "F2"}]}, "test.plan[0]: a hex, or an offset behind the plan"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_place(fields, complaint):
    """What the file says of a thing goes straight into its record, so every complaint names where it stands."""
    with pytest.raises(BadData) as error:
        situation(ALPHA, NARN, **fields)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"sped": 3}, "test.squadron[0].sped: no such key; did you mean 'speed'?"),
        ({"default": ["2020", 1]}, "test.squadron[0].default: no such key"),
        ({"heading": 7}, "test.squadron[0].heading: 1 to 6 is possible, not 7"),
        ({"command_ship": "Omega-9"}, "test.squadron[0].command_ship: no ship 'Omega-9' in the squadron"),
        ({"formation": "heap"}, "test.squadron[0].formation: no formation 'heap'"),
        ({"formation": {"Omega-1": "up"}}, "test.squadron[0].formation.Omega-1: a ship of the squadron and an offset"),
        ({"ships": [ship("Omega-1", sensors=2)]}, "test.squadron[0].ships[0].sensors: no such key; did you mean"),
        ({"ships": [ship("Omega-1", weapon_left=[1])]}, "test.squadron[0].ships[0].weapon_left: omega has"),
        ({"ships": [ship("Omega-1", powered_off=["ray"])]}, "test.squadron[0].ships[0].powered_off: no weapon 'ray'"),
        ({"ships": [ship("Omega-1"), ship("omega-1")]}, "test.squadron[0].ships[1].name: two units have the name"),
        ({"ships": [ship("Omega-1", man_left={"up": 1})]}, "test.squadron[0].ships[0].man_left.up: no such key"),
    ],
)
def test_a_wrong_squadron_is_refused_with_its_place(fields, complaint):
    """The same for what a squadron and its ships are said to be."""
    with pytest.raises(BadData) as error:
        situation({**ALPHA, **fields}, NARN)
    assert complaint in str(error.value)


@pytest.mark.rule("FA-FTR-1")
def test_the_flight_in_a_situation_keeps_every_field_it_is_given():
    """All fields of section 2.2 and the doctrine, as the file sets them."""
    fury = flight(
        "Fury-1",
        "aurora",
        "Hyperion-1",
        "3031",
        count=4,
        prev_hex="3032",
        heading=2,
        charge="Alpha",
        station=3,
        launched=2,
        returning=True,
        burned_turn=1,
        ships_attacked_turn=1,
        doctrine={"burn": "no", "react": "ships", "absorb_af": False, "after": "patrol", "losses": "spread"},
    )
    state = situation(squadron("Alpha", "earth", "3030", "Hyperion-1"), NARN, flights=[fury], turn=2)
    found = the_flight(state, "Fury-1")
    assert (found.count, found.heading, found.station, found.launched, found.returning) == (4, 2, 3, 2, True)
    assert (found.burned_turn, found.ships_attacked_turn, found.doctrine.react) == (1, 1, "ships")


@pytest.mark.rule("FA-CMD-6")
def test_a_situation_names_the_first_living_ship_as_command_ship():
    """Omega-1 is already lost; without a word in the file Hyperion-1 leads, and nobody is lost in this turn."""
    state = situation(squadron("Alpha", "earth", "3030", ship("Omega-1", structure=0), "Hyperion-1"), NARN)
    assert the_squadron(state, "Alpha").command_ship == "Hyperion-1"
    result = play(state, earth="Alpha: hold", narn="Kha'Mak: hold")
    assert the_squadron(result.state, "Alpha").lost_commander_turn is None
