"""All laws of the contract, ready to be tried on a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games import AnyGame
from pbem.kit.checks.choices import (
    bots_order_what_is_offered,
    choices_keep_the_law,
    imagined_gives_the_same_view,
    random_sheets_are_legal,
)
from pbem.kit.checks.orders import (
    bots_are_legal,
    nonsense_is_answered,
    random_play_ends,
    silence_is_played,
    the_form_reads_back,
)
from pbem.kit.checks.package import (
    former_keys_open_their_scenarios,
    it_imports_only_the_kit,
    its_slug_finds_it,
    scenarios_set_up,
)
from pbem.kit.checks.purity import (
    looking_changes_nothing,
    resolving_is_pure,
    states_survive_json,
    the_hash_seed_does_not_matter,
)
from pbem.kit.checks.sample import SEED, Sample, sample_of
from pbem.kit.checks.telling import (
    events_are_told,
    events_name_sides_and_rules,
    its_templates_are_there,
    letters_can_be_written,
    nobody_learns_a_secret,
    views_can_be_drawn,
)
from pbem.kit.scenario import Scenario

Law = Callable[[Sample], None]

LAWS: tuple[Law, ...] = (
    its_slug_finds_it,
    it_imports_only_the_kit,
    scenarios_set_up,
    former_keys_open_their_scenarios,
    states_survive_json,
    resolving_is_pure,
    looking_changes_nothing,
    the_hash_seed_does_not_matter,
    bots_are_legal,
    the_form_reads_back,
    silence_is_played,
    nonsense_is_answered,
    random_play_ends,
    imagined_gives_the_same_view,
    choices_keep_the_law,
    bots_order_what_is_offered,
    random_sheets_are_legal,
    views_can_be_drawn,
    nobody_learns_a_secret,
    events_name_sides_and_rules,
    its_templates_are_there,
    events_are_told,
    letters_can_be_written,
)


@dataclass(frozen=True, eq=False)
class Check:
    """One law tried on one game; calling it raises AssertionError where the game breaks it."""

    law: Law
    sample: Sample

    @property
    def __name__(self) -> str:
        """What pytest shows."""
        return self.law.__name__

    def __call__(self) -> None:
        self.law(self.sample)


def every_check(game: AnyGame, scenario: Scenario | None = None, seed: str = SEED) -> tuple[Check, ...]:
    """Every law, to be tried on this scenario, or on the first that the game brings."""
    sample = sample_of(game, scenario, seed)
    return tuple(Check(law, sample) for law in LAWS)
