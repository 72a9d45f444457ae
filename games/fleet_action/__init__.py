"""Fleet Action: squadron fleet battles on hexes."""

from __future__ import annotations

from games.fleet_action.arcs import arcs
from games.fleet_action.bot import bot
from games.fleet_action.choices import choices
from games.fleet_action.form import template
from games.fleet_action.imagined import imagined
from games.fleet_action.orders.reading import read_orders
from games.fleet_action.orders.records import Order
from games.fleet_action.orders.verbs import FLEET
from games.fleet_action.phase import outcome, phase, secrets, sides, units
from games.fleet_action.resolve import resolve
from games.fleet_action.scene import forecast, scene
from games.fleet_action.setup import setup
from games.fleet_action.state import State
from games.fleet_action.status import gauges
from games.fleet_action.view import View, view
from pbem.kit.game import Game

GAME: Game[State, Order, View] = Game(
    slug="fleet_action",
    title="Fleet Action",
    version="1.0.0",
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
    arcs=arcs,
)
