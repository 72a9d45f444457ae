"""Alembic's entry: run the migrations on the connection the store hands over."""

from __future__ import annotations

from alembic import context

from pbem.store.rows import Row

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Row.metadata, render_as_batch=True, compare_type=True)
with context.begin_transaction():
    context.run_migrations()
