"""Describes a table as a spectator's page shows it and as the server stores it, to compare both."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from playwright.async_api import Page

from game.engine.perspective import SPECTATOR, view
from game.live import encoding
from game.live.process import Process
from game.tables.room import Room, TableId
from tests.web.folding import differences

TableView = dict[str, Any]
COMPARED_WITHIN_S: Final = 60.0

VIEW_FROM_PAGE: Final = """() => {
  const isOfThree = document.querySelector(".table.has-three") !== null;
  const places = isOfThree ? ["bottom", "right", "left"] : ["bottom", "right", "top", "left"];
  const pais = (node, selector) =>
    [...node.querySelectorAll(selector)].map(({ dataset }) => dataset.pai);
  const number = (text) => Number(text.replace("\\u2212", "-").replace(/[^-0-9]/g, ""));
  const text = (selector) => document.querySelector(selector).textContent;
  return {
    round: text(".round-name"),
    left: number(text(".counter--wall")),
    honba: number(text(".counter--honba")),
    sticks: number(text(".counter--sticks")),
    dora: pais(document, ".dora-row .tile").filter((pai) => pai !== "?"),
    seats: places.map((place) => {
      const side = document.querySelector(`.side--${place}`);
      const rack = place === "bottom" ? document.querySelector(".own") : side;
      return {
        name: text(`.plate--${place} .plate-who`),
        score: number(text(`.plate--${place} .plate-score`)),
        riichi: !document.querySelector(`.stick--${place}`).hidden,
        hand: pais(rack, "mj-hand .tile"),
        river: [...side.querySelectorAll("mj-river .tile")].map((tile) =>
          [tile.dataset.pai, tile.classList.contains("tile--taken")]),
        melds: [...rack.querySelectorAll(".meld:not(.norths)")]
          .map((meld) => pais(meld, ".tile")).reverse(),
        norths: rack.querySelectorAll(".norths .tile").length,
      };
    }),
  };
}"""


async def compare_views(process: Process, table_id: TableId, spectator: Page) -> list[str]:
    """Return the differences between the spectator's page and the table, after waiting for the page
    to follow. The table may still draw a tile after a pause, although nobody plays."""
    until = asyncio.get_running_loop().time() + COMPARED_WITHIN_S
    while True:
        expected = view_from_server(await process.service.read_room(table_id))
        shown = with_sorted_melds(await spectator.evaluate(VIEW_FROM_PAGE))
        found = differences(shown, expected, "shown")
        if not found or asyncio.get_running_loop().time() > until:
            return found
        await asyncio.sleep(0.05)


def view_from_server(room: Room) -> TableView:
    """Return what a spectator's page should show, seen from seat 0."""
    names = [seat.name for seat in room.meta.seats]
    seen = encoding.encode_table(view(room.table, SPECTATOR), names, [False] * len(names), None)
    winds = {"E": "East", "S": "South", "W": "West", "N": "North"}
    return {
        "round": f"{winds[seen['bakaze']]} {seen['kyoku']}",
        "left": seen["left"],
        "honba": seen["honba"],
        "sticks": seen["kyotaku"],
        "dora": seen["dora"],
        "seats": [_seat(seen, seat) for seat in range(len(names))],
    }


def _seat(seen: dict[str, Any], seat: int) -> TableView:
    hand = seen["hands"][seat]
    tiles = list(hand["tiles"])
    if seen["turn"] == seat and seen["drawn"] is not None and len(tiles) % 3 == 1:
        tiles.append(seen["drawn"])
    return {
        "name": seen["names"][seat],
        "score": seen["scores"][seat],
        "riichi": hand["riichi"] == "accepted",
        "hand": tiles,
        "river": [[entry["pai"], entry["taken"]] for entry in hand["river"]],
        "melds": [_laid(meld) for meld in hand["melds"]],
        "norths": hand.get("norths", 0),
    }


def _laid(meld: dict[str, Any]) -> list[str]:
    """Return the tiles of a meld, sorted; two tiles of a closed kan lie face down."""
    tiles: list[str] = meld["tiles"]
    if meld["type"] != "ankan":
        return sorted(tiles)
    reds_first = sorted(tiles, key=lambda pai: not pai.endswith("r"))
    return sorted(["?", "?", *reds_first[:2]])


def with_sorted_melds(shown: TableView) -> TableView:
    """Return the view with the tiles of each meld sorted as in `view_from_server`."""
    for seat in shown["seats"]:
        seat["melds"] = [sorted(meld) for meld in seat["melds"]]
    return shown
