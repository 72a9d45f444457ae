"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

import pbem.store.rows

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bucket",
        sa.Column("sender", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("left", sa.Float(), nullable=False),
        sa.Column("counted_at", pbem.store.rows.Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("sender", name=op.f("pk_bucket")),
    )
    op.create_table(
        "campaign",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("title", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("game", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("game_version", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("scenario_key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("scenario_title", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("scenario", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("status", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("calendar", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("grace_minutes", sa.Integer(), nullable=False),
        sa.Column("early", sa.Boolean(), nullable=False),
        sa.Column("delay_minutes", sa.Integer(), nullable=False),
        sa.Column("hide_awaited", sa.Boolean(), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=True),
        sa.Column("moderator", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("harmless", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("created_at", pbem.store.rows.Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign")),
        sa.UniqueConstraint("slug", name=op.f("uq_campaign_slug")),
    )
    op.create_table(
        "key",
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_key")),
    )
    op.create_table(
        "note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=True),
        sa.Column("at", pbem.store.rows.Moment(timezone=True), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_note_campaign_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note")),
    )
    with op.batch_alter_table("note", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_note_campaign_id"), ["campaign_id"], unique=False)

    op.create_table(
        "phase",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("sides", sa.JSON(), nullable=False),
        sa.Column("status", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("opened_at", pbem.store.rows.Moment(timezone=True), nullable=False),
        sa.Column("deadline", pbem.store.rows.Moment(timezone=True), nullable=True),
        sa.Column("deadline_changes", sa.Integer(), nullable=False),
        sa.Column("due", pbem.store.rows.Moment(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_phase_campaign_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_phase")),
        sa.UniqueConstraint("campaign_id", "number", name=op.f("uq_phase_campaign_id_number")),
    )
    with op.batch_alter_table("phase", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_phase_campaign_id"), ["campaign_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_phase_due"), ["due"], unique=False)
        batch_op.create_index(batch_op.f("ix_phase_status"), ["status"], unique=False)

    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("address", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("side", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("units", sa.JSON(), nullable=False),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.Column("zone", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("text_only", sa.Boolean(), nullable=False),
        sa.Column("map", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("theme", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("reminders", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_seat_campaign_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat")),
        sa.UniqueConstraint("campaign_id", "name", name=op.f("uq_seat_campaign_id_name")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_address"), ["address"], unique=False)
        batch_op.create_index(batch_op.f("ix_seat_campaign_id"), ["campaign_id"], unique=False)

    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha256", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("too_big", sa.BigInteger(), nullable=False),
        sa.Column("arrived_at", pbem.store.rows.Moment(timezone=True), nullable=False),
        sa.Column("status", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("verdict", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("message_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("sender", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("handled_at", pbem.store.rows.Moment(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name=op.f("fk_letter_phase_id")),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name=op.f("fk_letter_seat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letter")),
        sa.UniqueConstraint("sha256", name=op.f("uq_letter_sha256")),
    )
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_letter_message_id"), ["message_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_letter_status"), ["status"], unique=False)

    op.create_table(
        "token",
        sa.Column("token", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name=op.f("fk_token_phase_id")),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name=op.f("fk_token_seat_id")),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_token")),
        sa.UniqueConstraint("seat_id", "phase_id", name=op.f("uq_token_seat_id_phase_id")),
    )
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_token_phase_id"), ["phase_id"], unique=False)

    op.create_table(
        "turn",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("game", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("game_version", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("sheets", sa.JSON(), nullable=False),
        sa.Column("absent", sa.JSON(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("rolls", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("gauges", sa.JSON(), nullable=False),
        sa.Column("resolved_at", pbem.store.rows.Moment(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_turn_campaign_id")),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name=op.f("fk_turn_phase_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turn")),
        sa.UniqueConstraint("phase_id", name=op.f("uq_turn_phase_id")),
    )
    with op.batch_alter_table("turn", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_turn_campaign_id"), ["campaign_id"], unique=False)

    op.create_table(
        "ahead",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_ahead_letter_id")),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name=op.f("fk_ahead_seat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ahead")),
        sa.UniqueConstraint("seat_id", "turn", name=op.f("uq_ahead_seat_id_turn")),
    )
    op.create_table(
        "outgoing",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("recipient", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("envelope_sender", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("message_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("subject", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("status", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("due", pbem.store.rows.Moment(timezone=True), nullable=False),
        sa.Column("lease_until", pbem.store.rows.Moment(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("why", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("created_at", pbem.store.rows.Moment(timezone=True), nullable=False),
        sa.Column("sent_at", pbem.store.rows.Moment(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_outgoing_campaign_id")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_outgoing_letter_id")),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name=op.f("fk_outgoing_phase_id")),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name=op.f("fk_outgoing_seat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outgoing")),
        sa.UniqueConstraint("key", name=op.f("uq_outgoing_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outgoing_message_id")),
    )
    with op.batch_alter_table("outgoing", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outgoing_campaign_id"), ["campaign_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_outgoing_due"), ["due"], unique=False)
        batch_op.create_index(batch_op.f("ix_outgoing_letter_id"), ["letter_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_outgoing_status"), ["status"], unique=False)

    op.create_table(
        "sheet",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("changed_at", pbem.store.rows.Moment(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_sheet_letter_id")),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name=op.f("fk_sheet_phase_id")),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name=op.f("fk_sheet_seat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sheet")),
        sa.UniqueConstraint("seat_id", "phase_id", name=op.f("uq_sheet_seat_id_phase_id")),
    )
    with op.batch_alter_table("sheet", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sheet_phase_id"), ["phase_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("sheet", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sheet_phase_id"))

    op.drop_table("sheet")
    with op.batch_alter_table("outgoing", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_outgoing_status"))
        batch_op.drop_index(batch_op.f("ix_outgoing_letter_id"))
        batch_op.drop_index(batch_op.f("ix_outgoing_due"))
        batch_op.drop_index(batch_op.f("ix_outgoing_campaign_id"))

    op.drop_table("outgoing")
    op.drop_table("ahead")
    with op.batch_alter_table("turn", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_turn_campaign_id"))

    op.drop_table("turn")
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_token_phase_id"))

    op.drop_table("token")
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_letter_status"))
        batch_op.drop_index(batch_op.f("ix_letter_message_id"))

    op.drop_table("letter")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_campaign_id"))
        batch_op.drop_index(batch_op.f("ix_seat_address"))

    op.drop_table("seat")
    with op.batch_alter_table("phase", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_phase_status"))
        batch_op.drop_index(batch_op.f("ix_phase_due"))
        batch_op.drop_index(batch_op.f("ix_phase_campaign_id"))

    op.drop_table("phase")
    with op.batch_alter_table("note", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_note_campaign_id"))

    op.drop_table("note")
    op.drop_table("key")
    op.drop_table("campaign")
    op.drop_table("bucket")
