"""Lets a synthetic voice speak the calls: ``python -m tools.speak_calls``.

The program writes `static/js/sound/spoken_calls.js`. It needs the packages
``pyopenjtalk-plus==0.4.1.post10`` and ``soundfile==0.14.0``, which nothing else here uses. The
voice is "Mei" of the Nagoya Institute of Technology, which the first of them contains (NOTICE).
"""

from __future__ import annotations

import base64
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).parents[1] / "static" / "js" / "sound" / "spoken_calls.js"
WORDS: Final = {
    "chi": "チー",
    "pon": "ポン",
    "kan": "カン",
    "kita": "ペー",
    "riichi": "リーチ",
    "ron": "ロン",
    "tsumo": "ツモ",
}
_SPEED: Final = 0.85
_AUDIBLE: Final = 0.01
"""The least part of the loudest sample that is no silence."""
_MARGIN_S: Final = 0.02
_PEAK: Final = 0.9
_COMPRESSION: Final = 0.85
"""From 0, the best sound, to 1, the smallest files."""
_HEAD: Final = """\
/**
 * Written by tools/speak_calls.py: the calls as MP3, in base64. The voice is HTS Voice "Mei" of
 * the Nagoya Institute of Technology, under the licence CC BY 3.0.
 *
 * @type {Readonly<Record<import("./cues.js").Call, string>>}
 */
export const SPOKEN = {
"""


def speak_word(word: str) -> bytes:
    """Return the word as MP3, without silence around it."""
    speech: Any = import_module("pyopenjtalk")
    samples, rate = speech.synthesize(speech.extract_fullcontext(word), speed=_SPEED)
    samples = samples / abs(samples).max() * _PEAK
    audible = (abs(samples) > _AUDIBLE).nonzero()[0]
    margin = int(_MARGIN_S * rate)
    samples = samples[max(0, audible[0] - margin) : audible[-1] + margin]
    even = samples[: len(samples) // 2 * 2]
    halved = (even[::2] + even[1::2]) / 2
    written = BytesIO()
    files: Any = import_module("soundfile")
    files.write(
        written,
        halved,
        rate // 2,
        format="MP3",
        subtype="MPEG_LAYER_III",
        compression_level=_COMPRESSION,
    )
    return written.getvalue()


def main() -> None:
    rows = [
        f'  {call}: "{base64.b64encode(speak_word(word)).decode()}",\n'
        for call, word in WORDS.items()
    ]
    FILE.write_text(f"{_HEAD}{''.join(rows)}}};\n", encoding="utf-8")


if __name__ == "__main__":
    main()
