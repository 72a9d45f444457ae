"""Battleshift: mass starship battles on an inch table."""

from __future__ import annotations

from games.battleshift.bot import bot
from games.battleshift.choices import FLEET, choices
from games.battleshift.form import template
from games.battleshift.imagined import imagined
from games.battleshift.orders.reading import read_orders
from games.battleshift.orders.records import Order
from games.battleshift.phase import outcome, phase, secrets, sides, units
from games.battleshift.resolve import resolve
from games.battleshift.scene import forecast, scene
from games.battleshift.setup import setup
from games.battleshift.state import State
from games.battleshift.status import gauges
from games.battleshift.tools import TOOLS
from games.battleshift.view import View, view
from pbem.kit.game import Game

GAME: Game[State, Order, View] = Game(
    slug="battleshift",
    title="Battleshift",
    version="1.07.1",
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
    fleet=FLEET,
    imagined=imagined,
    choices=choices,
    tools=TOOLS,
)
