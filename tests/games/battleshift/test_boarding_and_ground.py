"""Sections 4.13, 4.17 and 4.18: boarding, assault, engulfing, stations, planets, moonbases."""

from __future__ import annotations

import pytest

from games.battleshift.rules.planets import aim_out, rim_toward
from games.battleshift.rules.sight import aim, pose_of, quadrant_at, range_of
from tests.games.battleshift.builders import (
    AZURE_FIRST,
    FAR,
    HULK,
    events,
    field,
    flight,
    foe,
    kinds,
    measured,
    named,
    order_of,
    planet,
    sq,
    state_of,
    statuses,
    tf,
    turn,
)

BOARDING = {"boarding": True}


def hulk(name, ship_class, spot, side="crimson", mate="60,40", **more):
    """A disabled ship with an active mate far away."""
    ships = [{"number": 1, "at": spot, "status": "disabled"}, {"number": 2, "at": mate}]
    return {"name": name, "side": side, "class": ship_class, "ships": ships, "facing": 0, "acted": True, **more}


# --- boarding --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-BRD-1", "BS-BRD-2", "BS-END-2", "BS-R-40", "BS-R-45")
def test_boarders_add_their_sizes_and_must_be_strictly_higher():
    """Two cruisers: d6 1 + 6 = 7 against d6 4 + 2 = 6: captured, 20 VP, no damage to the old pool."""
    ships = [sq("Lion", "Fleet Cruiser", "20,40", "20.4,40"), hulk("Ibis", "Sword Frigate", "20.2,40")]
    state = state_of(ships, switches=BOARDING)
    taken = turn(state, "Lion:\n  hold\n  fire none\n  board Ibis.1", dice=(*AZURE_FIRST, 1, 4))
    repelled = turn(state, "Lion:\n  hold\n  fire none\n  board Ibis.1", dice=(*AZURE_FIRST, 1, 5))

    assert events(taken, "board")[0]["totals"] == [7, 6]
    assert (named(taken.state, "Ibis-1").side, statuses(taken.state, "Ibis-1")) == ("azure", ["disabled"])
    assert named(taken.state, "Ibis").damage == 0
    assert taken.state.vp == {"azure": 20, "crimson": 0}
    assert events(repelled, "board")[0]["result"] == "repelled"


@pytest.mark.rule("BS-BRD-5", "BS-DEA-3")
def test_a_restored_ship_can_no_longer_be_boarded():
    """Ibis rolls a 1 in its own activation before Lion acts."""
    ships = [
        sq("Lion", "Fleet Cruiser", "20,40"),
        hulk("Ibis", "Missile Cruiser", "20.2,40", mate="20.2,42", acted=False),
    ]
    state = state_of(ships, switches=BOARDING)
    met = turn(state, "Lion:\n  hold\n  fire none\n  board Ibis.1", "Ibis:\n  hold\n  missiles none", dice=(1, 6, 1))

    assert kinds(met, "restored", "board") == ["restored"]
    assert events(met, "order_warning")[0]["id"] == "BS-V-43"


@pytest.mark.rule("BS-BRD-2", "BS-BRD-3")
def test_a_repaired_prize_moves_with_its_captor_and_never_fires():
    prize = sq("Ibis-1", "Sword Frigate", "21,40", origin="crimson", captor="Lion")
    ships = [sq("Lion", "Fleet Cruiser", "20,40"), prize, foe("Asp", "Light Carrier", "22,36"), FAR]
    moved = turn(state_of(ships, switches=BOARDING), "Lion:\n  hold\n  fire none\nIbis-1: move ahead 3")
    gone = turn(
        state_of(ships, switches=BOARDING), "Lion:\n  hold\n  fire none\n  shift out return turn 3 sector 1A facing N"
    )

    assert order_of(moved) == ["Lion"]
    assert (named(moved.state, "Ibis-1").ships[0].y, "fire" in kinds(moved)) == (3700, False)
    assert (statuses(gone.state, "Ibis-1"), statuses(gone.state, "Lion")) == (["left"], ["hyperspace"])


@pytest.mark.rule("BS-END-2", "BS-BRD-2")
def test_recapture_takes_the_points_back():
    prize = sq("Ibis-1", "Sword Frigate", "20.2,40", side="crimson", origin="azure", captor="Far", acted=True)
    prize["ships"][0]["status"] = "disabled"
    ships = [sq("Lion", "Fleet Cruiser", "20,40"), prize, FAR]
    state = state_of(ships, switches=BOARDING, vp={"crimson": 20}, scored={"crimson/Ibis-1.1": 20})
    back = turn(state, "Lion:\n  hold\n  fire none\n  board Ibis-1", dice=(*AZURE_FIRST, 6, 1))

    assert back.state.vp == {"azure": 0, "crimson": 0}


@pytest.mark.rule("BS-BRD-4", "BS-STN-6")
def test_a_station_may_be_boarded_while_active():
    ships = [sq("Iron", "Fleet Battleship", "20,38.5", "20,38.6"), foe("Post", "Outpost", "20,40")]
    taken = turn(
        state_of(ships, switches=BOARDING), "Iron:\n  hold\n  fire none\n  board Post", dice=(*AZURE_FIRST, 6, 1)
    )

    assert events(taken, "board")[0]["totals"] == [14, 7]
    assert (named(taken.state, "Post-1").side, named(taken.state, "Post-1").captor) == ("azure", "Iron")


@pytest.mark.rule("BS-TRC-1")
def test_a_tractor_beam_boards_from_three_inches():
    ships = [sq("Reaver", "Reaver", "20,40"), hulk("Ibis", "Sword Frigate", "20,37")]
    taken = turn(
        state_of(ships, switches={"tractor": True}),
        "Reaver:\n  hold\n  fire none\n  board Ibis.1",
        dice=(*AZURE_FIRST, 6, 1),
    )

    assert events(taken, "captured")[0]["ship"] == "Ibis.1"


@pytest.mark.rule("BS-ASL-1", "BS-ASL-2", "BS-ASL-3", "BS-ASL-4", "BS-XP-8", "BS-XP-9")
def test_assault_units_take_an_active_ship():
    """Six units, five hits, one stopped; four d3 make 8, +2 elite, against d6 1 + 2 + 1 veteran."""
    storm = sq("Storm", "Assault Cruiser", "20,40", "21,40", traits=["Elite Marines", "Veteran Marines"])
    ships = [storm, foe("Ibis", "Sword Frigate", "20,38", "22,30", traits=["Veteran Marines"])]
    state = state_of(ships, switches={"assault": True, "experience": True})
    dice = (*AZURE_FIRST, 1, 2, 3, 4, 4, 5, 3, 3, 4, 3, 4, 1)
    taken = turn(state, "Storm:\n  hold\n  fire none\n  assault Ibis.1", dice=dice)

    assert events(taken, "assault")[0]["through"] == 4
    assert events(taken, "assault")[0]["totals"] == [10, 4]
    assert "suppress" not in kinds(taken)
    assert (named(taken.state, "Ibis").damage, statuses(taken.state, "Ibis")) == (3, ["captured", "active"])
    assert [ship.assault_left for ship in named(taken.state, "Storm").ships] == [0, 2]


# --- engulfing -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-ENG-2", "BS-ENG-3")
def test_a_lost_holder_sets_its_captives_free():
    """The Reaver dies; Ibis survives its test on 3 and floats free under its first owner."""
    cls = {"Maw": {"size": 6, "engulf": "cost", "no_shields": True, "hull": 1}, "Gun": {"size": 3, "heavy": 1}}
    maw = sq("Maw", "Maw", "20,20", acted=True)
    maw["ships"][0]["holds"] = ["crimson/Ibis.1"]
    ibis = foe("Ibis", "Sword Frigate", "20,20", "60,5")
    ibis["ships"][0] |= {"status": "engulfed", "captor": "azure"}
    ships = [maw, sq("Other", "Attack Destroyer", "5,45", acted=True), ibis, sq("Gun", "Gun", "20,5", side="crimson")]
    state = state_of(
        ships, switches={"engulf": True}, vp={"azure": 20}, scored={"crimson/Ibis.1": 20}, **field("class", cls)
    )
    freed = turn(state, "", "Gun: hold", dice=(1, 6, 1, 6, 3))

    assert (named(freed.state, "Ibis-1").side, statuses(freed.state, "Ibis-1")) == ("crimson", ["disabled"])
    assert freed.state.vp["azure"] == 0


@pytest.mark.rule("BS-ENG-4", "BS-DEA-4", "BS-ENG-2")
def test_a_friend_is_taken_in_repaired_and_released():
    cls = {"Maw": {"size": 6, "engulf": "cost", "repair": 2}}
    ships = [sq("Maw", "Maw", "20,40"), sq("Tern", "Sword Frigate", "20.2,40", "24,40", damage=2), FAR]
    state = state_of(ships, switches={"engulf": True}, **field("class", cls))
    held = turn(state, "detached Maw, Tern\nMaw:\n  hold\n  engulf Tern.1\nTern: hold", dice=(*AZURE_FIRST, 6, 1, 6))
    freed = turn(held.state, "detached Maw, Tern\nMaw:\n  hold\n  release Tern.1\nTern: hold", dice=(*AZURE_FIRST, 6))

    assert statuses(held.state, "Tern") == ["engulfed", "active"]
    assert named(held.state, "Tern").damage == 1
    assert statuses(freed.state, "Tern") == ["active", "active"]


# --- stations --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-STN-7", "BS-DEA-4")
def test_docked_ships_use_the_stations_repair_and_share_its_fate():
    cls = {
        "Yard": {"kind": "station", "size": 8, "repair": 2, "no_shields": True, "hull": 1},
        "Gun": {"size": 3, "heavy": 1},
    }
    ships = [
        sq("Yard", "Yard", "20,40"),
        sq("Ward", "Defense Frigate", "20.5,40", damage=1),
        sq("Gun", "Gun", "20,10", side="crimson", acted=True),
    ]
    state = state_of(ships, switches={"docking": True}, **field("class", cls))
    docked = turn(state, "detached Ward, Yard\nWard:\n  hold\n  dock Yard", dice=(*AZURE_FIRST, 6, 1, 6))
    left = turn(docked.state, "Ward:\n  undock\n  move ahead 3", "Gun: fire none")
    struck = turn(docked.state, "", "Gun:\n  hold\n  fire heavy at Yard", dice=(1, 6, 5, 6, 4))

    assert (named(docked.state, "Ward").docked, named(docked.state, "Ward").damage) == ("Yard", 0)
    assert (named(left.state, "Ward").docked, named(left.state, "Ward").ships[0].y) == ("", 3700)
    assert statuses(struck.state, "Ward") == ["destroyed"]


# --- planets ---------------------------------------------------------------------------------------------------------


def terra(kind="planet", owner="crimson", radius=600, **quadrants):
    body = {"kind": kind, "name": "Terra", "at": "36,24", "radius": radius, "owner": owner, "defence": 10}
    return {**body, "quadrants": quadrants}


@pytest.mark.rule("BS-PLN-2")
def test_quadrants_share_their_borders():
    body = measured(state_of([FAR], terrain=[terra()])).bodies[0]
    at = {"NE": (3600, 1000), "SE": (4800, 2400), "SW": (3600, 3800), "NW": (2400, 2400)}

    assert {place: quadrant_at(body, spot) for place, spot in at.items()} == {place: place for place in at}


@pytest.mark.rule("BS-PLN-4", "BS-R-36", "BS-R-47", "BS-PLN-3", "BS-MON-1")
def test_planets_fire_out_at_one_less_and_twelve_inches_shorter():
    """Heavy 24.00" from the rim at 3; a moonbase keeps 36.00" and 4; missiles lock on 4, from the rim."""
    for kind, radius, reach, number in (("planet", 600, "36,48", 3), ("moon", 100, "36,48", 4)):
        body = terra(kind, radius=radius, SW={"installations": ["heavy 2", "missile 3"]})
        state = state_of([sq("Lion", "Fleet Cruiser", reach), FAR], terrain=[body])
        table = measured(state)
        quadrant, lion = table.bodies[0].quadrants["SW"], table.squadron("azure", "Lion")
        assert lion is not None

        assert aim_out(table, quadrant, "heavy", lion, 4) == number
        assert aim_out(table, quadrant, "light", lion, 4) is None
        assert rim_toward(quadrant.body, lion) == (3600, 2400 + radius)


@pytest.mark.rule("BS-PLN-4", "BS-PLN-8", "BS-INIT-1")
def test_a_planet_activates_as_a_taskforce_and_repairs_on_3():
    body = terra(SW={"installations": ["heavy 2", "missile 3"], "damage": 1})
    ships = [sq("Lion", "Light Carrier", "36,40", acted=True), FAR]
    shot = turn(state_of(ships, terrain=[body]), dice=(1, 5, 4, 5, 5, 6, 3, 6, 3))

    assert order_of(shot) == ["Terra"]
    assert events(shot, "initiative")[0]["mods"]["crimson"] == {"more taskforces": 1}
    assert (events(shot, "lock")[0]["number"], events(shot, "lock")[0]["missiles"]) == (4, 2)
    assert shot.state.terrain[0].quadrants["SW"].damage == 0


@pytest.mark.rule("BS-PLN-5", "BS-PLN-6", "BS-SHD-3")
def test_attackers_hit_the_quadrant_below_their_leader():
    """Heavy at 3, one shield die a hit at 3; another quadrant is no eligible target."""
    body = terra(SW={"installations": ["missile 3"]}, NE={"installations": ["missile 3"]})
    state = state_of([sq("Lion", "Fleet Cruiser", "36,46"), FAR], terrain=[body])
    table = measured(state)
    lion, quadrants = table.squadron("azure", "Lion"), table.bodies[0].quadrants
    assert lion is not None
    text = "Lion:\n  hold\n  fire heavy at Terra SW"
    shot = turn(state, text, "Terra: missiles none", dice=(6, 1, 3, 3, 3, 4))

    assert range_of("heavy", quadrants["SW"]) == 2400
    assert aim(table, lion, pose_of(lion), "heavy", quadrants["SW"]) == 3
    assert aim(table, lion, pose_of(lion), "heavy", quadrants["NE"]) is None
    assert events(shot, "shields")[0]["need"] == 3
    assert events(shot, "damage")[0]["damage"] == 1


@pytest.mark.rule("BS-PLN-10")
def test_objectives_are_damaged_by_name():
    body = terra(SW={"objectives": [{"name": "Citadel", "total": 4}]})
    state = state_of([sq("Lion", "Fleet Cruiser", "36,46"), FAR], terrain=[body])
    shot = turn(state, "Lion:\n  hold\n  fire heavy at Citadel", dice=(6, 1, 3, 3, 4, 4))

    assert shot.state.terrain[0].quadrants["SW"].objectives[0].damage == 2


@pytest.mark.rule("BS-PLN-9")
def test_a_flight_spends_twelve_inches_to_the_ground():
    """12.00" to the rim and 12.00" down: it attacks; from 12.01" it does not. Interceptors meet it at 3."""
    for start, attacked in (("36,42", True), ("36,42.01", False)):
        body = terra(SW={"installations": ["interceptor 1"]})
        ships = [sq("Roost", "Light Carrier", "36,46", wings_aboard=0), FAR]
        state = state_of(ships, terrain=[body], flights=[flight("Hawk", "Roost", 1, start)])
        dice = (6, 1, 4, 3, 5) if attacked else (6, 1)
        shot = turn(state, "Roost: hold\nHawk: strike Terra SW", "Terra: hold", dice=dice)

        assert ("fire" in kinds(shot)) is attacked
        assert shot.state.flights[0].ground == ("Terra" if attacked else "")


@pytest.mark.rule("BS-PLN-9")
def test_a_quadrants_own_flights_start_at_its_rim_with_half_a_move():
    body = terra(owner="azure", NE={"installations": ["bay 3"]})
    shot = turn(state_of([FAR], terrain=[body]), "Terra: launch 2 NE as Kite\nKite: fly 000 20")

    assert [(f["wings"], f["at"]) for f in events(shot, "launch")] == [(2, [4024, 1976])]
    assert shot.state.flights[0].y == 1976 - 1200


@pytest.mark.rule("BS-PLN-11", "BS-PLN-12", "BS-R-38", "BS-END-2")
def test_invaders_take_a_quadrant():
    """D 10 rolls ten dice less damage; one unit and one installation fall, and the quadrant changes hands: 50 VP."""
    body = terra(SW={"installations": ["heavy"], "assault": 1, "damage": 0})
    cls = {"Troop": {"size": 8, "assault": 12}}
    state = state_of(
        [sq("Storm", "Troop", "36,30"), FAR], terrain=[body], switches={"assault": True}, **field("class", cls)
    )
    dice = (6, 1, *(1,) * 11, *(6,) * 12)
    taken = turn(state, "Storm:\n  hold\n  land 12 Terra SW", "Terra: fire none", dice=dice)
    quadrant = taken.state.terrain[0].quadrants["SW"]

    assert events(taken, "invade")[0]["totals"] == [72, 11]
    assert (quadrant.holder, quadrant.assault, quadrant.damage) == ("azure", 12, 1)
    assert taken.state.vp["azure"] == 50


@pytest.mark.rule("BS-PLN-11", "BS-PLN-13")
def test_beaten_invaders_die_and_units_move_to_the_next_quadrant():
    body = terra(SW={"installations": ["heavy"], "invaders": 2}, SE={"assault": 2})
    state = state_of([sq("Storm", "Assault Cruiser", "36,30.4"), FAR], terrain=[body], switches={"assault": True})
    dice = (6, 1, *(1,) * 12, 4, 4, 3)
    beaten = turn(
        state, "Storm:\n  hold\n  fire none\n  land 1 Terra SW", "Terra:\n  fire none\n  transfer 2 SE to SW", dice=dice
    )
    quadrants = beaten.state.terrain[0].quadrants

    assert events(beaten, "invade")[0]["margin"] == -1
    assert quadrants["SW"].invaders == 2
    assert events(beaten, "transfer_ground")[0]["units"] == 2
    assert (quadrants["SW"].assault, quadrants["SE"].assault) == (2, 0)


# --- corners of these chapters ---------------------------------------------------------------------------------------


@pytest.mark.rule("BS-MSL-4")
def test_a_planets_own_missiles_are_not_halved_by_the_planet() -> None:
    """Lock 5 - 1 on a 4; four missiles leave the rim and none is lost to it; one armour die at 1, two tests."""
    squadrons = [sq("Hulk", "Hulk", "45,15", acted=True), FAR]
    state = state_of(squadrons, terrain=planet("missile 4"), **field("class", {"Hulk": HULK}))
    result = turn(state, dice=(*AZURE_FIRST, 4, 2, 3, 3))
    (strike,) = events(result, "strike")
    assert (strike["started"], strike["lost"], strike["arriving"]) == (4, 0, 4)


@pytest.mark.rule("BS-PLN-5")
@pytest.mark.parametrize(("place", "dice", "numbers"), [("SW", (), []), ("NE", (6,), [4])])
def test_missiles_too_reach_only_the_quadrant_that_holds_their_leader(
    place: str, dice: tuple[int, ...], numbers: list[int]
) -> None:
    """The frigate stands north-east of Terra, 6.73" from the rim; its lock is 5 - 1."""
    state = state_of([sq("Pike", "Missile Frigate", "45,15"), FAR], terrain=planet("interceptor 1"))
    result = turn(state, f"Pike:\n hold\n missiles at Terra {place}", dice=(*AZURE_FIRST, *dice))
    assert [lock["number"] for lock in events(result, "lock")] == numbers


@pytest.mark.rule("BS-DIS-2")
def test_a_planets_ion_beams_disable() -> None:
    """Heavy ion 4 - 1 hits on a 1; armour needs a 1; damage 6 of 6 is one test, and a 6 only disables."""
    squadrons = [sq("Hulk", "Hulk", "40,17", "41,17", acted=True, damage=5), FAR]
    state = state_of(
        squadrons,
        terrain=planet("heavy_ion 1"),
        switches={"ion": True},
        **field("class", {"Hulk": {**HULK, "light": 0}}),
    )
    result = turn(state, dice=(*AZURE_FIRST, 1, 6, 6))
    assert sorted(statuses(result.state, "Hulk")) == ["active", "disabled"]


@pytest.mark.rule("BS-ENG-4")
def test_a_released_ship_acts_only_in_the_next_turn() -> None:
    held = {**sq("Pup", "Fleet Destroyer"), "ships": [{"number": 1, "at": "20,20", "status": "engulfed"}]}
    holder = {**sq("Jaws", "Reaver"), "ships": [{"number": 1, "at": "20,20", "holds": ["azure/Pup.1"]}]}
    state = state_of([holder, held, FAR], [tf("Maw", "Jaws")], switches={"engulf": True, "tractor": True})
    result = turn(state, "Maw: hold\nJaws: release Pup.1")
    assert statuses(result.state, "Pup") == ["active"]
    assert order_of(result) == ["Maw"]


@pytest.mark.rule("BS-ASL-4")
def test_assault_units_attack_once_in_an_activation_however_often_they_are_told() -> None:
    """Three units miss Prey.1; neither the second line nor the third gives them another die."""
    squadrons = [sq("Storm", "Assault Cruiser", "20,20"), foe("Prey", "Sword Frigate", "20,17", "22,18"), FAR]
    state = state_of(squadrons, switches={"assault": True})
    orders = "Storm:\n hold\n fire none\n assault Prey.1\n assault Prey.1\n assault Prey.2"
    result = turn(state, orders, dice=(*AZURE_FIRST, 5, 5, 6))
    assert [one["dice"] for one in events(result, "assault")] == [[[5, 5, 6], []]]
