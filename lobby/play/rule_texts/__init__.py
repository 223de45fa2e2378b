"""Names and explanations of all switches of the rules, in groups.

The tables of `docs/rules.md` are written from them (`tools/rule_tables.py`).
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from lobby.play.rule_texts.game import FRAME
from lobby.play.rule_texts.play import ABORTS, FURITEN, NORTHS, RIICHI, TILES
from lobby.play.rule_texts.scoring import CHOMBO, LIMITS, PAO, YAKU
from lobby.play.rule_texts.switch import Group, Switch

__all__ = ["GROUPS", "SWITCHES", "Switch"]

GROUPS: Final = (
    Group(_("Game format"), FRAME),
    Group(_("Tiles, calls, wins"), TILES),
    Group(_("Abortive draws"), ABORTS),
    Group(_("Riichi, kan, dora"), RIICHI),
    Group(_("Norths set aside"), NORTHS),
    Group(_("Furiten"), FURITEN),
    Group(_("Yaku"), YAKU),
    Group(_("Limits and fu"), LIMITS),
    Group(_("Pao (liability)"), PAO),
    Group(_("Chombo"), CHOMBO),
)
SWITCHES: Final = {name: switch for group in GROUPS for name, switch in group.switches.items()}
