"""Known seatings of several rounds in which no pair meets twice, for numbers of players for which
the shifts of `lobby.events.balanced` give fewer rounds.

Each line is a round, each word a table; a letter is a player.
"""

from __future__ import annotations

from random import Random
from typing import Final

_DESIGNS: Final = {
    # The first round has three classes of seven players and three fixed players. The others follow
    # from it by adding 1 to 6, modulo 7, in each class.
    24: """
        ABCD EFGH IJKL MNOP QRST UVWX
        AGNX BFMW CJPS DLOT EKQU HIRV
        AKOW BIPU CGTV DFQX EJMR HLNS
        AFLR BGKS CHOU DEPV IMTX JNQW
        AHPQ BENT CKRX DISW FJOV GLMU
        AJTU BLQV CFIN DHKM EOSX GPRW
        AMSV BHJX CELW DNRU FKPT GIOQ
    """,
    # The Hermitian unital over GF(9): its 28 points and 63 secants. Each point of a tangent, but
    # the one where it touches, gives a round: the six secants through it, and its polar line.
    # Everybody meets everybody once in nine rounds.
    28: """
        ABCD EFGH IJKL MNOP QRST UVWX YZ01
        ANT1 BFJO CKVY DGRX ELSZ HPW0 IMQU
        AFQW BLUY CGIP DMS1 EOX0 HKTZ JNRV
        AJXY BPQ1 CETU DHLN FIRZ GMV0 KOSW
        APVZ BERW CFLM DKQ0 GOTY HJU1 INSX
        AHIO BMXZ CJS0 DFTV ENQY GLW1 KPRU
        AEKM BHSV COR1 DIWY FNU0 GJQZ LPTX
        AGSU BIT0 CNWZ DEJP FKX1 HMRY LOQV
        ALR0 BGKN CHQX DOUZ EIV1 FPSY JMTW
    """,
}


def known_rounds(seats: int, rounds: int, rng: Random) -> list[list[list[int]]]:
    """Return the tables of that many rounds, or of as many as are known: the rounds and the players
    (from 1) by lot."""
    players = list(range(1, seats + 1))
    rng.shuffle(players)
    lines = _DESIGNS.get(seats, "").strip().splitlines()
    if not lines:
        return []
    numbers = dict(zip("".join(lines[0].split()), players, strict=True))
    chosen = rng.sample(lines, min(rounds, len(lines)))
    return [[[numbers[one] for one in table] for table in line.split()] for line in chosen]
