"""The ship sheets as pictures: what the boxes of a damaged ship say."""

from __future__ import annotations

from games.broadsides import GAME
from games.broadsides.diagrams import PLACES, diagrams
from games.broadsides.rules.catalogue import printed
from pbem.kit.scene import Boxes, Diagram, SheetSection
from tests.games.broadsides.builders import state_of, unit


def drawn(*units: dict[str, object]) -> list[Diagram]:
    return list(diagrams(GAME.view(state_of(*units), "EA")))


def section(diagram: Diagram, name: str) -> SheetSection:
    return next(one for one in diagram.sections if one.structure.label == name)


def test_boxes_say_what_is_left_what_is_gone_and_what_is_out() -> None:
    (found,) = drawn(
        unit(
            "EA",
            "Raider-1",
            "Raider",
            structure={"main": 20},
            blocks_lost={"BO1": 6, "engine": 3},
            weapon={"LPC1": {"charge": 0, "dropped_out": True}},
            deactivated={"sensors": "permanent"},
        ),
        unit("Narn", "Foe", "Raider", (5, 5)),
    )

    main = section(found, "main")
    assert main.structure == Boxes("main", 26, 20, armour=main.structure.armour)
    assert {one.label: (one.full, one.left, one.out, one.note) for one in main.systems} == {
        "thruster": (6, 6, False, ""),
        "BO1": (6, 0, False, "gone"),
        "LPC1": (4, 4, True, "out"),
        "reactor": (5, 5, False, ""),
        "engine": (10, 7, False, ""),
        "C&C": (4, 4, False, ""),
        "sensors": (4, 4, True, "off"),
    }
    assert found.title == "Raider-1, Raider"
    assert found.alt == ("Raider-1: main structure 20 of 26, BO1, LPC1, sensors out; blocks left: engine 7 of 10.")


def test_a_weapon_notes_its_charge() -> None:
    (found,) = drawn(unit("EA", "Alpha", "Resolute", weapon={"HL1": {"charge": 12}, "MP1": {"charge": 6}}))
    notes = {one.label: one.note for one in section(found, "fore").systems}

    assert (notes["HL1"], notes["MP1"]) == ("12/24", "ready")
    assert found.alt == "Alpha: no damage."
    assert found.damage == 0


def test_only_own_ships_in_the_battle_are_drawn() -> None:
    units = (
        unit("EA", "Alpha", "Resolute"),
        unit("EA", "Beta", "Lance", (1, 1), status="withdrawn"),
        unit("Narn", "Foe", "Karn-Tal", (5, 5)),
    )

    assert [one.title for one in drawn(*units)] == ["Alpha, Resolute"]
    everything = diagrams(GAME.view(state_of(*units), None))
    assert [(one.title, one.index) for one in everything] == [("Alpha, Resolute", 0), ("Foe, Karn-Tal", 1)]


def test_every_printed_class_has_a_place_for_each_section() -> None:
    for sheet in printed().classes.values():
        places = PLACES[len(sheet.sections)]

        assert {one.name for one in sheet.sections} == set(places)
        assert len(set(places.values())) == len(places)
