"""Maps: what is drawn, where names stand, what a further player's map costs."""

from __future__ import annotations

import io
import itertools
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from pbem.kit.hexgrid import from_column_row
from pbem.kit.scene import Ghost, HexGrid, Scene, ScenePart, StarField, Unit, hex_point
from pbem.letters.pen import Pen
from pbem.maps import drawer
from pbem.maps.drawer import Drawer, compose_pixels
from pbem.maps.frame import Box, frame
from pbem.maps.labels import Placer, TextLine, text_width
from pbem.maps.look import DARK, LIGHT, SIDES, Theme
from pbem.maps.png import fitted, packed, pixels, png_size
from pbem.maps.svgmap import MapWriter
from tests.bench.letters import map_cost, units_only
from tests.letters.seats import pen as new_pen
from tests.maps import scenes

ONE_SIDE = (ScenePart("earth", "Earth", 0),)


def lone_unit(label: str = "Alpha", **changes: object) -> Scene:
    unit = Unit(hex_point(from_column_row(4, 4)), "earth", "capital", label, 60.0)
    return Scene("One", HexGrid(8, 6), ONE_SIDE, (), (replace(unit, **changes),))  # type: ignore[arg-type]


def ink(image: Image.Image, box: Box) -> int:
    """Pixels in the box that are clearly darker than paper."""
    area = image.convert("L").crop((int(box.left), int(box.top), int(box.right), int(box.bottom)))
    return sum(area.histogram()[:128])


def as_image(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


# --- text is really there --------------------------------------------------------------------------------------------


def test_a_label_leaves_ink_where_it_stands(pen: Pen) -> None:
    """Without fonts resvg drops all text and says nothing; so the pixels of a known label are looked at."""
    scene = lone_unit("Alpha")
    picture, bare = as_image(pen.draw(scene).png), as_image(pen.draw(lone_unit("")).png)
    laid = frame(scene, "large")
    at = laid.at(hex_point(from_column_row(4, 4)))
    beside = Box(at.x + 36, at.y - 12, text_width("Alpha", 18, "bold"), 24)

    assert ink(picture, beside) > 100
    assert ink(bare, beside) < 20


def test_hex_names_and_title_leave_ink(pen: Pen) -> None:
    picture = as_image(pen.draw(lone_unit()).png)

    assert ink(picture, Box(14, 8, 60, 30)) > 100
    named = replace(lone_unit(), ground=HexGrid(8, 6))
    assert MapWriter(pen.words.markup).write(named, "large", "light").svg.count(">0101<") == 1


@pytest.mark.parametrize("name", sorted(scenes.ALL))
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_every_ground_is_drawn_in_both_themes_and_fits_a_mailbox(name: str, colours: str, pen: Pen) -> None:
    picture = pen.draw(scenes.ALL[name](), "large", colours)  # type: ignore[arg-type]
    image = as_image(picture.png)

    assert image.size == (picture.width, picture.height)
    assert len(picture.png) < 250 * 1024
    assert picture.width >= 900


def test_a_picture_too_large_for_a_mailbox_is_made_smaller() -> None:
    noise = Image.effect_noise((1600, 1200), 90).convert("RGB")
    palette = [f"#{grey:02x}{grey:02x}{grey:02x}" for grey in range(0, 256, 8)]
    png = fitted(noise, palette, most=900_000)

    assert len(packed(noise, palette)) > 900_000
    assert len(png) < 900_000
    assert png_size(png) == as_image(png).size
    assert 900 <= png_size(png)[0] < 1600


def test_the_layers_composed_are_the_whole_picture(pen: Pen) -> None:
    """A player's layer over the kept background gives what a render of the full SVG gives."""
    drawing = MapWriter(pen.words.markup).write(scenes.sea_with_galleys(), "large", "light")
    composed, full = as_image(compose_pixels(drawing, None)), as_image(packed(pixels(drawing.svg), drawing.palette))
    difference = ImageStat.Stat(ImageChops.difference(composed, full).convert("L"))

    assert composed.size == full.size
    assert difference.mean[0] < 0.5


# --- choices drawn ---------------------------------------------------------------------------------------------------


def haunted(*ghosts: Ghost, ground: HexGrid | None = None) -> Scene:
    return replace(lone_unit(), ground=ground or HexGrid(8, 6), items=(*lone_unit().items, *ghosts))


def test_a_ghost_leaves_ink_and_its_number_where_a_choice_leads(pen: Pen) -> None:
    there = hex_point(from_column_row(6, 3))
    scene = haunted(Ghost(there, "earth", 60.0, 12))
    at = frame(scene, "large").at(there)
    picture, bare = as_image(pen.draw(scene).png), as_image(pen.draw(lone_unit()).png)

    assert ink(picture, Box.about(at, 14)) > ink(bare, Box.about(at, 14)) + 50
    assert ">12</text>" in pen.draw(scene).svg
    assert "a choice, by its number" in pen.draw(scene).svg
    assert "a choice" not in pen.draw(lone_unit()).svg


@pytest.mark.parametrize(
    ("numbers", "text"), [([7], "7"), ([7, 9], "7,9"), ([7, 8, 9], "7-9"), ([7, 8], "7,8"), ([7, 9, 12], "7+")]
)
def test_choices_that_lead_to_one_place_share_a_badge(numbers: list[int], text: str, pen: Pen) -> None:
    there = hex_point(from_column_row(6, 3))
    scene = haunted(*(Ghost(there, "earth", None, number) for number in numbers))

    svg = pen.draw(scene).svg

    assert svg.count(f">{text}</text>") == 1
    assert ("+: and others" in svg) == text.endswith("+")


def test_a_ghost_stands_beside_the_unit_that_is_there_and_keeps_the_map_s_window(pen: Pen) -> None:
    own, far = hex_point(from_column_row(4, 4)), hex_point(from_column_row(70, 60))
    scene, large = haunted(Ghost(own, "earth", None, 5)), HexGrid(100, 90)
    at = frame(scene, "large").at(own)
    drawn = re.search(r'translate\(([\d.]+) ([\d.]+)\)">\s*<rect[^>]*/>\s*<text[^>]*>5<', pen.draw(scene).svg)

    assert drawn is not None
    assert float(drawn[1]) < at.x - 10
    assert float(drawn[2]) > at.y + 10
    assert not frame(haunted(ground=large), "large").shows(far)
    assert frame(haunted(Ghost(far, "earth"), ground=large), "large").shows(far)


def test_a_choice_off_the_map_is_not_drawn(pen: Pen) -> None:
    off = haunted(Ghost(hex_point(from_column_row(99, 99)), "earth", None, 77))

    assert ">77</text>" not in pen.draw(off).svg


# --- made once -------------------------------------------------------------------------------------------------------


def test_the_background_is_rasterised_once_for_all_players() -> None:
    """Two players with different units share ground, grid, names and terrain."""
    drawer._background.cache_clear()
    with new_pen() as pen:
        first, second = scenes.space_60_by_40(20, 1), scenes.space_60_by_40(20, 2)
        pen.draw(first)
        pen.draw(second)

        assert drawer._background.cache_info().misses == 1
        assert drawer._background.cache_info().hits == 1


def test_a_further_players_map_costs_at_most_0_35_of_a_full_render() -> None:
    """60 by 40 named hexes and 60 units, measured as the processor's work in the same run."""
    further, full, size = map_cost(units_only(scenes.space_60_by_40()), times=3)

    assert further <= 0.35 * full
    assert size < 250_000


def test_a_players_layer_has_none_of_the_ground_in_it(pen: Pen) -> None:
    drawing = MapWriter(pen.words.markup).write(scenes.space_60_by_40(), "large", "light")

    assert ">2214<" in drawing.background
    assert ">2214<" not in drawing.foreground
    assert len(drawing.foreground) < 0.5 * len(drawing.svg)


def test_players_who_share_a_view_share_the_picture(pen: Pen) -> None:
    assert pen.draw(lone_unit("Twin")).png is pen.draw(lone_unit("Twin")).png


def test_a_background_is_kept_on_disk_for_the_next_start(tmp_path: Path) -> None:
    drawer._background.cache_clear()
    with new_pen(cache=tmp_path) as pen:
        before = pen.draw(lone_unit("Kept")).png
    kept = list(tmp_path.glob("*.png"))
    drawer._background.cache_clear()
    with new_pen(cache=tmp_path) as pen:
        after = pen.draw(lone_unit("Kept")).png

    assert len(kept) == 1
    assert list(tmp_path.iterdir()) == kept
    assert before == after


def test_a_pool_of_processes_draws_the_same_bytes(pen: Pen) -> None:
    drawing = MapWriter(pen.words.markup).write(lone_unit("Pooled"), "small", "light")
    pool = Drawer(workers=1)
    pool.begin(drawing)
    try:
        assert pool.draw(drawing).png == compose_pixels(drawing, None)
    finally:
        pool.close()


def test_a_picture_is_drawn_even_when_the_pool_has_died(pen: Pen) -> None:
    drawing = MapWriter(pen.words.markup).write(lone_unit("Orphan"), "small", "light")
    pool = Drawer(workers=1)
    pool.draw(MapWriter(pen.words.markup).write(lone_unit("First"), "small", "light"))
    assert pool._pool is not None
    for process in list(pool._pool._processes.values()):
        process.kill()
        process.join()
    try:
        assert pool.draw(drawing).png == compose_pixels(drawing, None)
    finally:
        pool.close()


def test_old_backgrounds_are_swept_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawer, "KEPT_FILES", 2)
    for number in range(4):
        path = tmp_path / f"{number}.png"
        path.write_bytes(b"")
        os.utime(path, (number, number))
    drawer._sweep(tmp_path)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["2.png", "3.png"]


def test_the_same_scene_is_the_same_bytes_under_any_hash_seed() -> None:
    program = (
        "import hashlib; from tests.letters import seats; from tests.maps import scenes\n"
        "picture = seats.pen().draw(scenes.sea_with_galleys(), 'small')\n"
        "print(hashlib.sha256(picture.svg.encode() + picture.png).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(digests) == 1


# --- names -----------------------------------------------------------------------------------------------------------


def test_names_do_not_cover_each_other_or_units() -> None:
    placer = Placer(Box(0, 0, 400, 400))
    line = (TextLine("Hyperion", 18, "#000000", "bold"),)
    spots = [hex_point(from_column_row(column, 2)) for column in (4, 5, 6)]
    points = [type(spot)(spot.x * 40, spot.y * 40) for spot in spots]
    for point in points:
        placer.take(Box.about(point, 20), 3.0)
    placed = [placer.place(point, 20, line) for point in points]

    boxes = [label.box for label in placed if label]
    assert len(boxes) == 3
    assert all(a.shared(b) == 0 for a, b in itertools.combinations(boxes, 2))
    assert all(box.shared(Box.about(point, 20)) == 0 for box in boxes for point in points)


def test_a_name_that_finds_no_room_is_counted_in_the_legend(pen: Pen) -> None:
    drawing = MapWriter(pen.words.markup).write(scenes.table_with_400_ships(), "large", "light")

    assert "names left out for want of room; the tables have all" in drawing.svg


def test_units_in_one_hex_are_drawn_apart_and_named_together(pen: Pen) -> None:
    drawing = MapWriter(pen.words.markup).write(scenes.stacked_hexes(), "large", "light")

    for words in ("S12-0 (6)", "S12-3 (6)", "and 5 more"):
        assert f">{words}<" in drawing.svg


def test_what_was_last_seen_says_how_long_ago(pen: Pen) -> None:
    drawing = MapWriter(pen.words.markup).write(lone_unit(age=3, states=("crippled",)), "large", "light")

    assert ">crippled, 3 turns ago<" in drawing.svg
    assert ">last seen there<" in drawing.svg
    assert ">badly hurt<" in drawing.svg


def test_the_legend_explains_only_what_is_drawn(pen: Pen) -> None:
    svg = MapWriter(pen.words.markup).write(lone_unit(), "large", "light").svg

    assert ">Earth<" in svg
    assert ">5 hexes<" in svg
    for absent in ("course flown", "shot, hit", "asteroids", "number in it"):
        assert absent not in svg


def test_player_text_is_escaped_in_the_drawing(pen: Pen) -> None:
    """resvg reads local files named by an href, so no markup of a player may reach it."""
    svg = MapWriter(pen.words.markup).write(lone_unit('<image href="/etc/passwd"/>'), "large", "light").svg

    assert "<image" not in svg
    assert "&lt;image href=" in svg


# --- what part is shown ----------------------------------------------------------------------------------------------


def test_a_map_of_60_by_40_is_drawn_whole() -> None:
    laid = frame(scenes.space_60_by_40(), "large")

    assert laid.whole
    assert laid.scale > 17


def test_a_larger_map_follows_its_units_and_shows_the_whole_in_small(pen: Pen) -> None:
    scene = scenes.great_map_with_a_corner_fight()
    laid = frame(scene, "large")
    units = [item for item in scene.items if isinstance(item, Unit)]

    assert not laid.whole
    assert all(laid.shows(unit.at) for unit in units)
    assert laid.window.width < 100


def test_the_window_moves_in_steps_so_that_a_background_lasts() -> None:
    scene = scenes.great_map_with_a_corner_fight()
    moved = replace(
        scene,
        items=tuple(
            replace(item, at=type(item.at)(item.at.x + 0.1, item.at.y)) if isinstance(item, Unit) else item
            for item in scene.items
        ),
    )

    assert frame(scene, "large").window == frame(moved, "large").window


def test_an_empty_scene_is_still_a_picture(pen: Pen) -> None:
    assert pen.draw(Scene("Nothing", StarField(0, 0, 10, 10), ONE_SIDE)).png.startswith(b"\x89PNG")


# --- told without colour ---------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_ink_is_readable_on_its_ground(theme: Theme) -> None:
    """WCAG asks for 4.5 to 1 between text and what is behind it."""
    inks = [theme.ink, theme.quiet, theme.loss, theme.fire, *(theme.side(index) for index in range(len(SIDES)))]
    grounds = [theme.paper, theme.space, theme.sea, theme.table]

    low = [(one, ground) for one in inks for ground in grounds if contrast(one, ground) < 4.5]
    assert low == []


def test_sides_differ_in_pattern_and_shape_as_well_as_in_colour() -> None:
    assert len({look.pattern for look in SIDES}) == len(SIDES)
    assert len({look.base for look in SIDES}) == len(SIDES)


# Rows of the usual matrices for red-blind and green-blind sight, on linear light.
RED_BLIND = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
GREEN_BLIND = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))


def seen_by(matrix: tuple[tuple[float, ...], ...], colour: str) -> tuple[float, ...]:
    parts = [(int(colour[n : n + 2], 16) / 255) ** 2.2 for n in (1, 3, 5)]
    mixed = [sum(a * b for a, b in zip(row, parts, strict=True)) for row in matrix]
    return tuple(255 * max(0.0, min(1.0, value)) ** (1 / 2.2) for value in mixed)


@pytest.mark.parametrize("matrix", [RED_BLIND, GREEN_BLIND], ids=["red-blind", "green-blind"])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_first_four_sides_are_told_apart_by_the_colour_blind(
    theme: Theme, matrix: tuple[tuple[float, ...], ...]
) -> None:
    seen = [seen_by(matrix, theme.side(index)) for index in range(4)]
    distances = [
        sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) ** 0.5 for x, y in itertools.combinations(seen, 2)
    ]

    assert min(distances) > 25
