"""Dice that nobody can choose."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.kit.dice import DuplicateLabel, KeyedDice, LoadedDice, OutOfDice, Roll, WrongDie, commitment, phase_key


def test_a_keyed_die_is_found_by_its_label_whatever_was_rolled_before() -> None:
    one, other = KeyedDice(b"key"), KeyedDice(b"key")

    first = [one.roll(6, "Alpha", n).face for n in range(5)]
    backwards = [other.roll(6, "Alpha", n).face for n in reversed(range(5))]

    assert first == backwards[::-1]


def test_keyed_dice_are_the_same_on_every_machine() -> None:
    """Written out once, so that a change of the formula cannot pass unseen: archives depend on it."""
    dice = KeyedDice(bytes(range(32)))

    faces = [dice.roll(sides, "pulse 1", "to hit", sides).face for sides in (4, 6, 8, 10, 12, 20, 100)]

    assert faces == [3, 1, 1, 5, 10, 16, 1]


@pytest.mark.parametrize("sides", [2, 6, 10, 12])
def test_every_face_comes_up_about_equally_often(sides: int) -> None:
    dice = KeyedDice(b"fair")

    counts = Counter(dice.roll(sides, n).face for n in range(sides * 500))

    assert set(counts) == set(range(1, sides + 1))
    # Chi-square with so few degrees of freedom stays far below this for fair dice.
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 50


def test_a_label_is_rolled_once() -> None:
    dice = KeyedDice(b"key")
    dice.roll(6, "morale", "Alpha")

    with pytest.raises(DuplicateLabel, match="morale/Alpha"):
        dice.roll(6, "morale", "Alpha")


def test_loaded_dice_give_their_faces_in_order_and_keep_the_rolls() -> None:
    dice = LoadedDice(5, 4, 9)

    dice.roll(6, "a")
    dice.roll(6, "b")

    assert dice.rolls == [Roll("a", 6, 5), Roll("b", 6, 4)]
    assert dice.left == (9,)


def test_loaded_dice_that_run_out_say_which_roll_was_next() -> None:
    dice = LoadedDice()

    with pytest.raises(OutOfDice, match="next roll is a d10 for 'pulse 1/Alpha'"):
        dice.roll(10, "pulse 1", "Alpha")


def test_a_loaded_face_must_exist_on_the_die() -> None:
    with pytest.raises(WrongDie, match="die 1 shows 9, but 'a' is a d6"):
        LoadedDice(9).roll(6, "a")


def test_the_key_depends_on_the_secret_and_on_every_sheet() -> None:
    keys = {
        phase_key(b"secret", [("earth", "path F3"), ("narn", "")]),
        phase_key(b"secret", [("earth", "path F3"), ("narn", "hold")]),
        phase_key(b"other", [("earth", "path F3"), ("narn", "")]),
        phase_key(b"secret", [("earth", "path F"), ("narn", "3")]),
    }

    assert len(keys) == 4
    assert phase_key(b"s", [("a", "1"), ("b", "2")]) == phase_key(b"s", [("b", "2"), ("a", "1")])


def test_the_commitment_is_the_plain_sha256_anyone_can_recompute() -> None:
    assert commitment(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
