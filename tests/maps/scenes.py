"""Sample scenes on all grounds: large enough to show what crowds a map."""

from __future__ import annotations

import math
import random

from pbem.kit.hexgrid import disk, from_column_row, neighbour
from pbem.kit.scene import (
    Arc,
    Burst,
    Disc,
    Ghost,
    Glyph,
    HexField,
    HexGrid,
    InchTable,
    Item,
    Label,
    Lane,
    Patch,
    Point,
    Ring,
    Scene,
    ScenePart,
    Shot,
    Star,
    StarField,
    Trail,
    Unit,
    Wind,
    hex_point,
    hex_points,
)

SIX = tuple(
    ScenePart(name.lower(), name, n) for n, name in enumerate(("Earth", "Narn", "Centauri", "Minbari", "Vree", "Drazi"))
)
CLASSES: tuple[Glyph, ...] = ("capital", "heavy", "medium", "light", "squadron", "flight")


def space_60_by_40(units: int = 60, seed: int = 1) -> Scene:
    """A large fleet battle: every hex named, ways, shots, losses, rings and arcs."""
    chance = random.Random(seed)
    items: list[Item] = []
    for n in range(units):
        side = SIX[n % 2]
        start = from_column_row(chance.randint(8, 26) if n % 2 else chance.randint(30, 52), chance.randint(6, 34))
        heading = chance.randint(0, 5)
        way = [neighbour(start, heading, k) for k in range(4)]
        items.append(Trail(hex_points(way), side.id, marks=(1, 2, 3)))
        count = 4 if n % 3 == 0 else None
        states = ("crippled",) if n % 11 == 0 else (("suppressed 2",) if n % 7 == 0 else ())
        glyph = CLASSES[n % len(CLASSES)]
        name = f"{side.name} {n // 2 + 1}"
        at = hex_point(way[-1])
        age = 2 if n % 13 == 5 else None
        items.append(Unit(at, side.id, glyph, name, 60.0 * heading, count=count, states=states, age=age, flag=n < 2))
    placed = [item for item in items if isinstance(item, Unit)]
    items += [
        Shot(placed[n].at, placed[n + 1].at, placed[n].side, n % 4 == 0, "5") for n in range(0, min(24, units), 2)
    ]
    items += [Burst(hex_point(from_column_row(22, 9)), 0, "loss", "Hyperion-3")]
    items += [Burst(hex_point(from_column_row(40, 35)), 2, "explosion"), Burst(placed[9].at, 0, "dogfight")]
    items += [Burst(hex_point(from_column_row(5, 36)), 0, "vortex", "opens next turn")]
    items += [Ring(placed[0].at, 6, placed[0].side, "command 3"), Arc(placed[0].at, 300, 60, 12, placed[0].side)]
    terrain = (
        Patch("asteroids", tuple(disk(from_column_row(28, 20), 3)), "Kaldur belt"),
        Patch("nebula", tuple(disk(from_column_row(48, 8), 4)), "Veil"),
        Patch("dust", tuple(disk(from_column_row(12, 30), 3)), "Dust", strength=2),
        Disc("planet", hex_point(from_column_row(33, 32)), 3.2, "Orin VII"),
        Disc("gate", hex_point(from_column_row(6, 5)), 1, "Gate"),
        Patch("deployment", tuple(from_column_row(c, r) for c in (1, 2, 3) for r in range(10, 31)), side="earth"),
    )
    return Scene("Battle of the Kaldur belt, turn 4", HexGrid(60, 40), SIX[:2], terrain, tuple(items), alt="A battle.")


def great_map_with_a_corner_fight() -> Scene:
    """A map far too large to draw whole, with all units in one corner."""
    small = space_60_by_40(12, 3)
    units = tuple(item for item in small.items if not isinstance(item, Arc | Ring | Burst))
    return Scene("The long patrol, turn 9", HexGrid(120, 90), SIX[:2], small.terrain, units, alt="A corner fight.")


def sea_with_galleys() -> Scene:
    """Oared ships off a coast, two of them over two hexes."""
    coast = tuple(from_column_row(c, r) for c in range(1, 21) for r in (1, 2) if (c * 7 + r) % 5)
    reefs = tuple(disk(from_column_row(15, 12), 1))
    items: list[Item] = []
    for n in range(10):
        side, heading = SIX[n % 2], 2 if n % 2 else 5
        at = from_column_row(4 + 2 * (n // 2) if n % 2 else 14 + n // 2, 5 + n // 2 * 2)
        back = hex_point(neighbour(at, heading + 3))
        two = n in (2, 3, 6)
        items.append(
            Unit(
                hex_point(at),
                side.id,
                "two-hex galley" if two else "galley",
                f"{'Quinquereme' if two else 'Trireme'} {n + 1}",
                60.0 * heading,
                stern=back if two else None,
                states=("burning",) if n == 4 else (("sinking",) if n == 7 else ()),
            )
        )
    items.append(Trail(hex_points(from_column_row(c, 9) for c in (6, 7, 8, 9)), "earth", "plotted", (3,)))
    items.append(Burst(hex_point(from_column_row(10, 8)), 0, "fire"))
    terrain = (Patch("land", coast, "Cape Mycale"), Patch("shallows", reefs, "Reef"))
    ground = HexGrid(22, 16, ground="sea")
    return Scene("Off Mycale, turn 3", ground, SIX[:2], terrain, tuple(items), Wind(200, "fresh"), alt="Galleys.")


def stacked_hexes() -> Scene:
    """Several units in one hex, as fighters about their carriers are."""
    items: list[Item] = []
    for count, column in ((1, 3), (2, 6), (3, 9), (4, 12), (7, 15), (11, 18)):
        for n in range(count):
            side = SIX[n % 3]
            glyph: Glyph = "capital" if n == 0 else "flight"
            items.append(
                Unit(hex_point(from_column_row(column, 6)), side.id, glyph, f"S{column}-{n}", 60.0 * n, count=6)
            )
    field = tuple(disk(from_column_row(11, 6), 10))
    return Scene("Stacks", HexField(field), SIX[:3], (), tuple(items), alt="Stacks.")


def table_with_400_ships() -> Scene:
    """A mass battle on an inch table."""
    chance = random.Random(5)
    items: list[Item] = []
    for n in range(400):
        side = SIX[n % 4]
        middle = ((18, 14), (54, 14), (18, 36), (54, 36))[n % 4]
        at = Point(min(71.0, max(1.0, chance.gauss(middle[0], 7))), min(47.0, max(1.0, chance.gauss(middle[1], 5))))
        glyph = CLASSES[(n // 4) % 4]
        items.append(Unit(at, side.id, glyph, f"{side.name[0]}{n // 4 + 1}", float(chance.randint(0, 359))))
    for n in range(0, 80, 4):
        first, second = items[n], items[n + 1]
        assert isinstance(first, Unit)
        assert isinstance(second, Unit)
        items.append(Shot(first.at, second.at, first.side, n % 8 == 0))
    terrain = (
        Disc("asteroids", Point(36, 24), 6, "Shoal"),
        Disc("planet", Point(60, 8), 4, "Tarsis"),
        Disc("dust", Point(10, 40), 7, "Cloud"),
    )
    return Scene("Four fleets, turn 2", InchTable(72, 48), SIX[:4], terrain, tuple(items), alt="400 ships.")


def star_chart() -> Scene:
    """A campaign of systems and lanes."""
    chance = random.Random(9)
    stars: list[Star] = []
    for n in range(26):
        angle, reach = n * 2.4, 6 + 2.6 * math.sqrt(n) * 3
        owner = SIX[n % 4].id if n % 5 else None
        at = Point(50 + reach * math.cos(angle), 40 + 0.75 * reach * math.sin(angle))
        stars.append(
            Star(
                at, f"{chance.choice(('Vega', 'Altair', 'Deneb', 'Orin', 'Tau'))} {n + 1}", owner, f"{n % 7} RU", n < 3
            )
        )
    lanes = tuple(
        Lane(stars[n].at, stars[m].at, ("major", "minor", "plain")[(n + m) % 3])
        for n in range(26)
        for m in (n + 1, n + 8)
        if m < 26
    )
    items: list[Item] = list(stars)
    for n in (0, 3, 7, 12, 18):
        star = stars[n]
        items.append(
            Unit(Point(star.at.x + 2.4, star.at.y - 2), SIX[n % 4].id, "fleet", f"Fleet {n}", None, count=n + 2)
        )
    items.append(Unit(Point(stars[5].at.x - 2, stars[5].at.y + 2), "narn", "army", "2nd Army", count=3))
    items.append(Burst(stars[9].at, 0, "battle", "battle"))
    items.append(Trail((stars[3].at, stars[4].at, stars[5].at), "minbari", "plotted"))
    items.append(Label(Point(8, 6), "Outer Reach", "title"))
    return Scene("The Reach, turn 6", StarField(0, 0, 100, 80), SIX[:4], lanes, tuple(items), alt="Star chart.")


def choices_of_a_squadron() -> Scene:
    """What a squadron could be ordered: ends with one heading or several, its own hex, targets with ships on them."""
    own = from_column_row(10, 12)
    foes = [from_column_row(8, 4), from_column_row(13, 5)]
    items: list[Item] = [
        Unit(hex_point(own), "earth", "squadron", "Alpha", 0.0, count=3),
        Unit(hex_point(foes[0]), "narn", "heavy", "Kha'Mak", 180.0),
        Unit(hex_point(foes[1]), "narn", "squadron", "Ka'Tok", 240.0, flag=True),
        Ghost(hex_point(own), "earth", None, 1),
    ]
    ends = [end for end in disk(neighbour(own, 0, 4), 2) if end != neighbour(own, 0, 4)]
    items += [Ghost(hex_point(end), "earth", 0.0, number) for number, end in enumerate(ends, 2)]
    straight = hex_point(neighbour(own, 0, 4))
    items += [Ghost(straight, "earth", 60.0 * turn, 30 + turn) for turn in range(6)]
    items += [Ghost(hex_point(foe), "earth", None, number) for number, foe in enumerate(foes, 40)]
    items += [Ghost(hex_point(foes[0]), "earth", None, number) for number in (44, 48)]
    items += [Ghost(hex_point(from_column_row(99, 99)), "earth", None, 50)]
    return Scene("Choices of Alpha", HexGrid(22, 18), SIX[:2], (), tuple(items), alt="Choices.")


ALL = {
    "space": space_60_by_40,
    "corner": great_map_with_a_corner_fight,
    "sea": sea_with_galleys,
    "stacks": stacked_hexes,
    "table": table_with_400_ships,
    "stars": star_chart,
    "choices": choices_of_a_squadron,
}
