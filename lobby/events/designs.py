"""Seatings of several rounds in which no pair meets twice, for the numbers of players for which the
shifts of `lobby.events.balanced` give fewer rounds.

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
    # The Hermitian unital over GF(9): its 28 points and 63 secants. Each point of a tangent,
    # except the point of contact, gives a round: the six secants through it, and its polar line.
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
    # Three classes of eleven and three fixed players, as for 24.
    36: """
        ABCD EFGH IJKL MNOP QRST UVWX YZ01 2345 6789
        AFU9 BL47 CEY2 DN56 GIV8 HMQX JPR1 KOSZ TW03
        AQY6 BFJ0 CO19 DET8 GLN2 HPWZ ISX5 KMV4 RU37
        AP58 BNX9 CGJS DQV1 ERZ4 FI36 HOU0 KW27 LMTY
        ALW1 BMR6 CX48 DFKP EV05 GOY7 HS39 INTZ JQU2
        AGM3 BPSY CHIR DX07 EKQ9 FLO5 JNW8 TU14 VZ26
        ANR0 BOTV CMW5 DGZ9 ELX3 FS12 HJ46 IPQ7 KUY8
        ASV7 BH28 CLQZ DIMU EOW6 FRXY GP04 JT59 KN13
        AJXZ BEI1 CFT7 DSW4 GKR5 HNVY LPU6 M029 OQ38
        AHKT BUZ5 CPV3 DOR2 EJM7 FNQ4 GX16 IWY9 LS08
        AIO4 BGQW CK06 DJY3 ENSU FMZ8 H157 LRV9 PTX2
    """,
    # Three classes of thirteen players and one fixed player. The other rounds follow from the first
    # by adding 1 to 12, modulo 13, in each class. Everybody meets everybody once in 13 rounds.
    40: """
        ABCD EFGH IJKL MNOP QRST UVWX YZ01 2345 6789 abcd
        AEOc BSZ4 CFIP DMR5 GKX9 HT8b JY2a LQV7 NU0d W136
        AFW2 BJ15 CT3d DK4b EMX0 GRV6 HNZ7 IOQa LPS8 UY9c
        AGI4 BRW8 CHJM DEV9 FSY5 KO1d LX3c NQ26 PUZb T07a
        APQX BM3a COVY DL12 ETU4 FZ8c GJNb H56d IR09 KSW7
        ANSa BFXd C19b DG7c EKY6 HL04 IMTW JPV3 ORZ2 QU58
        AJ06 BNT9 CX57 DO38 EIS1 FLRb GMU2 HPWc KVZa QY4d
        AV5b BGPY CW4a DFQ0 EJ8d HOS9 IU37 KT2c LMZ6 NRX1
        AZ39 BHKQ C028 DJSU EPRa FTV1 GLWd IN5c MY7b OX46
        AKM8 BV0c CELN DIZd FU6a GOT5 HRY3 JQW9 P147 SX2b
        ALTY BI6b CKRU DHXa EWZ5 FJO7 GS03 MQ1c NV48 P29d
        AR7d BLOU CS6c DNWY EQ3b FM49 G18a HIV2 JTXZ KP05
        AHU1 BE27 CGQZ DPT6 FKN3 IXY8 JR4c L59a MSVd OW0b
    """,
}


def known_rounds(seats: int, rounds: int, rng: Random) -> list[list[list[int]]]:
    """Return the tables of that many rounds, or all known ones. The order of the rounds and the
    numbers of the players (from 1) are drawn by lot."""
    players = list(range(1, seats + 1))
    rng.shuffle(players)
    lines = _DESIGNS.get(seats, "").strip().splitlines()
    if not lines:
        return []
    numbers = dict(zip("".join(lines[0].split()), players, strict=True))
    chosen = rng.sample(lines, min(rounds, len(lines)))
    return [[[numbers[letter] for letter in table] for table in line.split()] for line in chosen]
