"""Skirmish: two squadrons on a sea of hexes; they move and fire at once."""

from __future__ import annotations

from pbem.kit.game import Game

from skirmish.bot import bot
from skirmish.choices import choices
from skirmish.form import template
from skirmish.imagined import imagined
from skirmish.orders import Order, read_orders
from skirmish.phase import outcome, phase, secrets, sides, units
from skirmish.resolve import resolve
from skirmish.scene import forecast, scene
from skirmish.setup import setup
from skirmish.state import State
from skirmish.view import View, gauges, view

GAME: Game[State, Order, View] = Game(
    slug="skirmish",
    title="Skirmish",
    version="0.1",
    state_type=State,
    setup=setup,
    sides=sides,
    phase=phase,
    units=units,
    read_orders=read_orders,
    resolve=resolve,
    view=view,
    scene=scene,
    template=template,
    forecast=forecast,
    outcome=outcome,
    bot=bot,
    secrets=secrets,
    gauges=gauges,
    imagined=imagined,
    choices=choices,
)
