"""Sections 6 and 7: order text to orders and problems."""

from __future__ import annotations

from games.fleet_action.orders.reading import read_orders

__all__ = ["read_orders"]
