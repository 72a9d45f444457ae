"""A campaign lived through at random: whatever players, moderators and the clock do, the books stay right."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pbem.kit.dice import commitment
from pbem.turns.reminders import remind_due
from tests.office_bench import Bench, bench_on

SHIPS = {"Anna": ("Ares", "Argo"), "Bob": ("Boreas", "Bellona")}
PLAYERS = st.sampled_from(sorted(SHIPS))


class LifeCycle(RuleBasedStateMachine):
    """Compares the office with a model that is nothing but two dictionaries."""

    @initialize(delay=st.sampled_from([0, 30]), early=st.booleans())
    def open(self, delay: int, *, early: bool) -> None:
        self.stack = ExitStack()
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        self.bench: Bench = self.stack.enter_context(bench_on(f"sqlite:///{Path(folder) / 'pbem.sqlite'}"))
        self.bench.open_duel(last_turn=4, delay_minutes=delay, early=early, fog=True)
        self.sheets: dict[str, dict[str, int]] = {}
        self.letters = 0

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            shown = self.bench.office.show("duel")
            for turn in self.bench.office.turns("duel"):
                assert self.bench.office.replay("duel", turn.turn)
            assert shown.status in ("running", "paused", "over")
            self.stack.close()

    def status(self) -> str:
        return self.bench.office.show("duel").status

    # --- what players do

    @precondition(lambda self: self.status() != "over")
    @rule(player=PLAYERS, ship=st.integers(0, 1), speed=st.integers(0, 9))
    def order(self, player: str, ship: int, speed: int) -> None:
        """Speeds over 6 are refused, and never replace a good one."""
        name = SHIPS[player][ship]
        (answer,) = self.bench.send(player, f"{name}: speed {speed}")
        self.letters += 1
        if speed <= 6:
            self.sheets.setdefault(player, {})[name] = speed
        assert answer.recipient.startswith(player.lower())

    @precondition(lambda self: self.status() != "over")
    @rule(player=PLAYERS)
    def withdraw(self, player: str) -> None:
        self.bench.send(player, "withdraw")
        self.letters += 1
        self.sheets.pop(player, None)

    @precondition(lambda self: self.status() != "over")
    @rule(player=PLAYERS, word=st.sampled_from(["status", "orders", "why", "set map none", "help", "report"]))
    def ask(self, player: str, word: str) -> None:
        answers = self.bench.send(player, word)
        self.letters += 1
        assert len(answers) == 1

    # --- what moderators and the clock do

    @rule(hours=st.sampled_from([0, 1, 25, 73]))
    def time_passes(self, hours: int) -> None:
        before = self.bench.office.show("duel")
        self.bench.later(hours=hours)
        resolved = self.bench.resolve_due()
        remind_due(self.bench.house, self.bench.now)
        if before.status != "running":
            assert resolved == ()
        if resolved:
            self.was_resolved()

    def was_resolved(self) -> None:
        """The archive holds exactly the sheets that were in force."""
        played = [turn for turn in self.bench.office.turns("duel") if turn.phase == "orders"][-1]
        for player, side in (("Anna", "red"), ("Bob", "blue")):
            ordered = {ship: f"{ship}:\n  speed {speed}\n" for ship, speed in self.sheets.get(player, {}).items()}
            for text in ordered.values():
                assert text in played.sheets[side]
            assert (player in played.absent) == (player not in self.sheets)
        self.sheets.clear()

    @precondition(lambda self: self.status() == "running")
    @rule()
    def pause(self) -> None:
        self.bench.office.pause("duel", "", self.bench.now)

    @precondition(lambda self: self.status() == "paused")
    @rule()
    def resume(self) -> None:
        self.bench.office.resume("duel", "", self.bench.now)

    # --- what always holds

    @invariant()
    def every_letter_has_one_answer(self) -> None:
        rows = [row for row in self.bench.store.outgoing.all() if row.letter_id is not None]
        assert len(rows) == len({row.letter_id for row in rows}) == self.letters

    @invariant()
    def phases_follow_each_other(self) -> None:
        phases = self.bench.store.phases.all(1)
        assert [phase.number for phase in phases] == list(range(1, len(phases) + 1))
        assert [phase.status for phase in phases if phase.status == "open"] == ["open"] * (self.status() != "over")
        assert len(self.bench.office.turns("duel")) == sum(phase.status == "resolved" for phase in phases)
        assert all(commitment(phase.secret) == phase.commitment for phase in phases)

    @invariant()
    def sheets_are_in_force_block_by_block(self) -> None:
        if self.status() == "over":
            return
        for player in SHIPS:
            text = self.bench.sheet(player)
            for ship, speed in self.sheets.get(player, {}).items():
                assert text is not None
                assert f"{ship}:\n  speed {speed}\n" in text
            assert (text is not None) == (player in self.sheets)

    @invariant()
    def nobody_is_told_what_they_may_not_know(self) -> None:
        for mail in self.bench.sent():
            hidden = "Vesuvius" if mail.recipient.startswith("anna") else "Krakatoa"
            assert hidden not in mail.text


LifeCycle.TestCase.settings = settings(max_examples=8, stateful_step_count=15, deadline=None)
TestLifeCycle = LifeCycle.TestCase
