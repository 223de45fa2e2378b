"""Folds events into a client's view as the last section of `docs/protocol.md` describes.

Imports nothing of the product: a client knows only what it was sent.
"""

from __future__ import annotations

import copy
from typing import Any

from tests.web.short_forms import full_event

View = dict[str, Any]
Fact = dict[str, Any]

ORDER = [
    *(f"{rank}{suit}{red}" for suit in "mps" for rank in range(1, 10) for red in ("", "r")),
    *"ESWNPFC?",
]


def in_order(tiles: list[str]) -> list[str]:
    return sorted(tiles, key=ORDER.index)


def fold(view: View, facts: list[Any]) -> View:
    """Return the view after these events, as a frame carries them."""
    view = copy.deepcopy(view)
    for fact in facts:
        _apply(view, full_event(fact))
    return view


def _apply(view: View, fact: Fact) -> None:
    actor = fact.get("actor", -1)
    hand = view["hands"][actor] if actor >= 0 else {}
    match fact["type"]:
        case "start_game":
            view.update(names=fact["names"], rules=fact["rules"])
        case "start_kyoku":
            _deal(view, fact)
        case "tsumo":
            if fact["rinshan"] and (view["rules"].get("nuki_interrupts", True) or not _north(view)):
                _interrupt(view)
            view.update(phase="turn", turn=actor, drawn=fact["pai"], left=view["left"] - 1)
            view.update(claimed=None, robbing=False)
        case "dahai":
            _discard(view, hand, fact)
        case "reach":
            hand.update(riichi="declared", double_riichi=fact["double"])
        case "reach_accepted":
            hand.update(riichi="accepted", ippatsu=True)
            view["kyotaku"] += 1
            view["scores"][actor] -= 1000
        case "chi" | "pon" | "daiminkan":
            _call(view, hand, fact)
        case "ankan" | "kakan":
            _declare_kan(view, hand, fact)
        case "kita":
            _keep_drawn(view, hand)
            _take(hand, [fact["pai"]])
            hand["norths"] = hand.get("norths", 0) + 1
            view.update(phase="claims", turn=actor, claimed=fact["pai"], robbing=True)
        case "dora":
            view["dora"].append(fact["dora_marker"])
        case "answer" | "confirm" | "restored" | "last_hand":
            pass
        case "wall_draw" | "wall_commit" | "wall_bind" | "wall_reveal" | "wall_void" | "wall_seed":
            pass
        case "hora":
            _return_robbed_north(view, fact["target"])
            hand.update(tiles=fact["tehai"], shown=True)
            if actor == fact["target"]:
                view["drawn"] = fact["pai"]
            view["scores"] = list(fact["scores"])
            view["kyotaku"] -= sum(fact["deltas"]) // 1000
            view["results"].append(fact)
        case "wall_used_up":
            view.update(phase="showing", claimed=None)
        case "ryukyoku":
            for shown, tiles in zip(view["hands"], fact["tehais"], strict=True):
                if tiles:
                    shown.update(tiles=tiles, shown=True)
            view.update(scores=list(fact["scores"]), drawn=None)
            view["kyotaku"] -= sum(fact["deltas"]) // 1000
            view["results"].append(fact)
        case "end_kyoku":
            view["phase"] = "result"
        case "end_game":
            view.update(phase="ended", scores=fact["scores"], kyotaku=0)
            view.update(placement=fact["placement"], bonus=fact["bonus"])
            view.update(broken_off=fact["broken_off"])
        case "away":
            view["away"][actor] = fact["away"]
        case unknown:
            raise AssertionError(f"an event that the protocol does not name: {unknown}")


def _deal(view: View, fact: Fact) -> None:
    for name in ("bakaze", "kyoku", "honba", "kyotaku", "oya"):
        view[name] = fact[name]
    view["scores"] = list(fact["scores"])
    view.update(phase="turn", turn=fact["oya"], drawn=None, claimed=None, robbing=False)
    view.update(left={4: 70, 3: 55}[len(fact["scores"])], dora=[fact["dora_marker"]], results=[])
    dealt = [fact["bakaze"], fact["kyoku"], fact["honba"], fact["scores"]]
    view["history"] = [*view["history"], dealt]
    view["hands"] = [
        {
            "tiles": tiles,
            "melds": [],
            "river": [],
            "riichi": "none",
            "double_riichi": False,
            "ippatsu": False,
            "furiten": False,
            "shown": False,
        }
        for tiles in fact["tehais"]
    ]


def _take(hand: dict[str, Any], tiles: list[str]) -> None:
    """Take those tiles out of the concealed ones; from a closed hand, take any tiles."""
    left = list(hand["tiles"])
    for tile in tiles:
        left.remove(tile if tile in left else "?")
    hand["tiles"] = left


def _keep_drawn(view: View, hand: dict[str, Any]) -> None:
    if view["drawn"] is not None:
        hand["tiles"] = in_order([*hand["tiles"], view["drawn"]])
    view["drawn"] = None


def _discard(view: View, hand: dict[str, Any], fact: Fact) -> None:
    lies_sideways = any(tile["riichi"] and not tile["taken"] for tile in hand["river"])
    is_sideways = hand["riichi"] != "none" and not lies_sideways
    if not fact["tsumogiri"]:
        _take(hand, [fact["pai"]])
        _keep_drawn(view, hand)
    hand["ippatsu"] = False
    hand["river"].append(
        {
            "pai": fact["pai"],
            "tsumogiri": fact["tsumogiri"],
            "riichi": is_sideways,
            "taken": False,
        }
    )
    view.update(phase="claims", turn=fact["actor"], drawn=None, claimed=fact["pai"], robbing=False)


def _interrupt(view: View) -> None:
    for hand in view["hands"]:
        hand["ippatsu"] = False


def _call(view: View, hand: dict[str, Any], fact: Fact) -> None:
    view["hands"][fact["target"]]["river"][-1]["taken"] = True
    _take(hand, fact["consumed"])
    hand["melds"].append(
        {
            "type": fact["type"],
            "tiles": in_order([fact["pai"], *fact["consumed"]]),
            "called": fact["pai"],
            "target": fact["target"],
            "added": None,
        }
    )
    _interrupt(view)
    view.update(phase="turn", turn=fact["actor"], drawn=None, claimed=None)


def _return_robbed_north(view: View, target: int) -> None:
    """Let a north that is won on no longer count for the seat that set it aside."""
    hand = view["hands"][target]
    if _north(view) and not view["results"]:
        hand["norths"] -= 1
        if not hand["norths"]:
            del hand["norths"]


def _north(view: View) -> bool:
    """Return whether the open tile is a north that is being set aside."""
    is_north = view["robbing"] and view["claimed"] == "N"
    return is_north and "norths" in view["hands"][view["turn"]]


def _declare_kan(view: View, hand: dict[str, Any], fact: Fact) -> None:
    _keep_drawn(view, hand)
    if fact["type"] == "ankan":
        tile = fact["consumed"][0]
        _take(hand, fact["consumed"])
        meld = {"type": "ankan", "called": None, "target": fact["actor"], "added": None}
        hand["melds"].append(meld | {"tiles": in_order(fact["consumed"])})
    else:
        tile = fact["pai"]
        _take(hand, [tile])
        (pon,) = (
            meld
            for meld in hand["melds"]
            if meld["type"] == "pon" and meld["tiles"][0][:2] == tile[:2]
        )
        pon.update(type="kakan", tiles=in_order([*pon["tiles"], tile]), added=tile)
    view.update(phase="claims", turn=fact["actor"], claimed=tile, robbing=True)


def differences(one: Any, other: Any, at: str = "view") -> list[str]:
    """Return the differences of two views, one line each."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [*one, *(key for key in other if key not in one)]
        return [
            line
            for key in keys
            for line in differences(one.get(key), other.get(key), f"{at}.{key}")
        ]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [line for n, (a, b) in pairs for line in differences(a, b, f"{at}[{n}]")]
    return [] if one == other else [f"{at}: {one!r}, not {other!r}"]
