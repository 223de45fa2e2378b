"""The draw of the seed with the pages of the players: its events, its refusals, and how the events
change the table.

Owns the order of the draw. The hashes are those of `game.engine.wall_proof`. Must not know the time
and draws nothing at random: random bytes are part of the commands.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.commands import BindWall, CommitWall, DrawWall, RevealWall, VoidWall
from game.engine.events import (
    Event,
    WallBound,
    WallCommitted,
    WallDrawOpened,
    WallRevealed,
    WallSeeded,
    WallVoided,
)
from game.engine.refusals import RefusalReason
from game.engine.state import DrawState, Phase, Table, WallDraw, WallTerms
from game.engine.wall_proof import (
    SECRET_BYTES,
    UNSIGNED_VERSION,
    VERSION,
    BoundFacts,
    commitment_of,
    rules_text,
    seed_of,
    terms_of,
    unsigned_binding,
    unsigned_seed,
)

Command = DrawWall | CommitWall | BindWall | RevealWall | VoidWall
DrawEvent = WallDrawOpened | WallCommitted | WallBound | WallRevealed | WallVoided | WallSeeded


def decide_draw(table: Table, command: Command) -> list[Event] | RefusalReason:
    """Return the events that follow from the command, or the code and the sentence of a refusal."""
    if isinstance(command, DrawWall):
        return _open_draw(table, command)
    draw = table.wall_draw
    if draw is None or table.phase != Phase.IDLE:
        return "no_wall_draw", "no wall is being drawn"
    if command.draw != draw.number:
        return "other_wall_draw", f"this is draw {draw.number} of the wall"
    match command:
        case CommitWall():
            return _commit_page(draw, command)
        case BindWall():
            return _bind_server(table, draw, command)
        case RevealWall():
            return _reveal_page(table, draw, command)
        case VoidWall():
            return _void_draw(draw, command)


def _open_draw(table: Table, command: DrawWall) -> list[Event] | RefusalReason:
    if table.phase != Phase.IDLE or table.seed or table.wall_draw is not None:
        return "already_started", "the seed is fixed, or is being drawn"
    if not command.seats or not set(command.seats) <= set(table.seats):
        return "no_such_seat", "the wall is drawn with at least one seat of the table"
    rules = rules_text(table.rules)
    return [WallDrawOpened(1, command.seats, command.table_id, command.players, rules, VERSION)]


def _commit_page(draw: WallDraw, command: CommitWall) -> list[Event] | RefusalReason:
    seat, commitment = command.seat, command.commitment
    if seat not in draw.seats:
        return "not_in_wall_draw", "this page takes no part in this draw"
    if draw.state != DrawState.COMMIT:
        return "wall_commit_late", "the commitments of this draw are closed"
    if draw.commitments[seat]:
        return "wall_committed", "a page of this seat has committed to other bytes"
    if len(commitment) != SECRET_BYTES:
        return "bad_wall_bytes", f"a commitment is {SECRET_BYTES} bytes"
    if commitment in draw.commitments:
        return "wall_commit_copied", "this is the commitment of another seat"
    return [WallCommitted(seat, commitment)]


def _bind_server(table: Table, draw: WallDraw, command: BindWall) -> list[Event] | RefusalReason:
    if draw.state != DrawState.COMMIT:
        return "wall_commit_late", "the commitments of this draw are closed"
    if len(command.fresh) != SECRET_BYTES:
        return "bad_seed", f"a secret is {SECRET_BYTES} bytes"
    if not any(draw.commitments):
        return [WallSeeded(command.fresh, ())]
    terms, secret = table.wall_terms, command.fresh
    assert terms is not None
    if terms.version == UNSIGNED_VERSION:
        binding = unsigned_binding(terms.table_id, terms.players, terms.rules, secret)
        return [WallBound(draw.commitments, binding, secret)]
    facts = facts_to_bind(table, draw.commitments, secret)
    assert facts is not None
    hashes = (facts.terms, facts.secret_hash)
    signed = (command.key, command.signature)
    return [WallBound(draw.commitments, facts.binding, secret, *hashes, *signed)]


def facts_to_bind(table: Table, commitments: BySeat[bytes], secret: bytes) -> BoundFacts | None:
    """Return the facts that the server is about to bind and sign; None for a draw of version 1."""
    terms, draw = table.wall_terms, table.wall_draw
    if terms is None or draw is None or terms.version == UNSIGNED_VERSION:
        return None
    return BoundFacts(
        table_id=terms.table_id,
        terms=terms_of(terms.players, terms.rules),
        draw=draw.number,
        commitments=commitments,
        secret_hash=sha256(secret).digest(),
        left_out=draw.left_out,
        previous=draw.previous,
    )


def _reveal_page(table: Table, draw: WallDraw, command: RevealWall) -> list[Event] | RefusalReason:
    seat, contribution = command.seat, command.contribution
    if draw.state == DrawState.COMMIT:
        return "wall_reveal_early", "the server has not published its hash yet"
    if seat not in table.seats or not draw.commitments[seat]:
        return "not_in_wall_draw", "no page of this seat has committed in this draw"
    if draw.contributions[seat]:
        return "wall_revealed", "a page of this seat has revealed its bytes"
    if len(contribution) != SECRET_BYTES or commitment_of(contribution) != draw.commitments[seat]:
        return "bad_wall_bytes", "the bytes do not fit the commitment"
    contributions = [*draw.contributions]
    contributions[seat] = contribution
    revealed = WallRevealed(seat, contribution)
    if not all(contributions[committed] for committed in _committed_seats(draw)):
        return [revealed]
    return [
        revealed,
        WallSeeded(_computed_seed(table, draw, contributions), _committed_seats(draw)),
    ]


def _computed_seed(table: Table, draw: WallDraw, contributions: Sequence[bytes]) -> bytes:
    terms, secret = table.wall_terms, table.wall_secret
    assert terms is not None
    if terms.version == UNSIGNED_VERSION:
        return unsigned_seed(terms.table_id, secret, contributions)
    return seed_of(terms.table_id, draw.binding, secret, contributions)


def _void_draw(draw: WallDraw, command: VoidWall) -> list[Event] | RefusalReason:
    if draw.state != DrawState.REVEAL:
        return "wall_reveal_early", "the server has not published its hash yet"
    if len(command.fresh) != SECRET_BYTES:
        return "bad_seed", f"a seed is {SECRET_BYTES} bytes"
    left_out = tuple([seat for seat in _committed_seats(draw) if not draw.contributions[seat]])
    voided = WallVoided(left_out)
    if left := tuple([seat for seat, given in enumerate(draw.contributions) if given]):
        return [voided, WallDrawOpened(draw.number + 1, left)]
    return [voided, WallSeeded(command.fresh, ())]


def _committed_seats(draw: WallDraw) -> tuple[int, ...]:
    return tuple([seat for seat, commitment in enumerate(draw.commitments) if commitment])


def evolve_draw(table: Table, event: DrawEvent) -> Table:
    """Return the table after the event."""
    if isinstance(event, WallDrawOpened):
        return _on_opened(table, event)
    draw = table.wall_draw
    if draw is None:
        raise ValueError("no wall is being drawn")
    match event:
        case WallCommitted(actor=actor, commitment=commitment):
            row = with_value_of_seat(draw.commitments, actor, commitment)
            return replace(table, wall_draw=replace(draw, commitments=row))
        case WallBound(commitments=commitments, binding=binding, secret=secret):
            draw = replace(
                draw,
                state=DrawState.REVEAL,
                commitments=commitments,
                binding=binding,
                terms=event.terms,
                secret_hash=event.secret_hash,
                key=event.key,
                signature=event.signature,
            )
            return replace(table, wall_draw=draw, wall_secret=secret)
        case WallRevealed(actor=actor, contribution=contribution):
            row = with_value_of_seat(draw.contributions, actor, contribution)
            return replace(table, wall_draw=replace(draw, contributions=row))
        case WallVoided(left_out=silent):
            left_out = tuple(sorted({*draw.left_out, *silent}))
            draw = replace(draw, void=draw.void + 1, left_out=left_out)
            return replace(table, wall_draw=draw, wall_secret=b"")
        case WallSeeded(seed=seed, pages=pages):
            draw = replace(draw, state=DrawState.FIXED if pages else DrawState.NONE)
            return replace(table, seed=seed, wall_draw=draw, wall_secret=b"", wall_terms=None)


def _on_opened(table: Table, event: WallDrawOpened) -> Table:
    terms = table.wall_terms
    if event.table_id:
        terms = WallTerms(event.table_id, event.players, event.rules, event.version)
    nothing = (b"",) * table.rules.players
    draw = WallDraw(event.number, event.seats, commitments=nothing, contributions=nothing)
    if before := table.wall_draw:
        kept = {"void": before.void, "left_out": before.left_out, "previous": before.binding}
        draw = replace(draw, **kept)
    return replace(table, wall_draw=draw, wall_terms=terms)


def with_value_of_seat(row: BySeat[bytes], seat: int, value: bytes) -> BySeat[bytes]:
    return (*row[:seat], value, *row[seat + 1 :])
