"""Whether text that was taken out of a file is what a reader sees on the page.

A PDF may come without the table from its glyphs to characters: what can be taken out is then a text in shifted or shuffled
letters, or signs of no meaning.
"""

import math
import re
from collections import Counter

MOST_MEANINGLESS = 0.15
"""Share of characters without meaning above which a text is broken."""
_SAMPLE = 20_000  # characters
_FEWEST_LETTERS = 200
# Bits for a letter of a Latin text under the frequencies of English: running text of the western European languages takes 4.1
# to 4.9, a text whose letters were shifted or shuffled 5.1 and more.
_MOST_BITS = 5.0
_FEWEST_SMALL_WORDS = 0.05
_LETTERS = dict(
    zip(
        "etaoinshrdlcumwfgypbvkjxqz",
        (12.7, 9.1, 8.2, 7.5, 7.0, 6.7, 6.3, 6.1, 6.0, 4.3, 4.0, 2.8, 2.8, 2.4, 2.4, 2.2, 2.0, 2.0, 1.9, 1.5, 1.0, 0.8, 0.15,
         0.15, 0.1, 0.07),
        strict=True,
    )
)  # fmt: skip
"""Per cent of each letter in English, https://en.wikipedia.org/wiki/Letter_frequency."""
_SMALL_WORDS = frozenset(
    """
    the of and to in is for that on with are by as der die das und ist zu den von mit le la les et de des un une est el los en
    que del il di che per het een van na się nie jest se da do em os och att som og er på at ja ei että on és az nem și ve bir
    """.split()  # noqa: SIM905 - one word a line would be a page
)
_GLYPH_NUMBER = re.compile(r"\(cid:\d+\)")
_MEANINGLESS = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f\x80-\x9f\ufffe\uffff]")
_WORD = re.compile(r"[^\W\d_]+")


def is_broken(text: str) -> bool:
    """Whether a text shows signs of a lost encoding: glyph numbers, characters without meaning, shifted letters."""
    sample = text[:_SAMPLE]
    visible = sum(not character.isspace() for character in sample)
    meaningless = len(_MEANINGLESS.findall(sample)) + sum(map(len, _GLYPH_NUMBER.findall(sample)))
    return meaningless > MOST_MEANINGLESS * visible or _is_shuffled(sample)


def _is_shuffled(text: str) -> bool:
    counts = Counter(character for character in text.lower() if character in _LETTERS)
    total = counts.total()
    letters = sum(character.isalpha() for character in text)
    if total < _FEWEST_LETTERS or total * 2 < letters:
        return False
    words = [word.lower() for word in _WORD.findall(text)]
    if sum(word in _SMALL_WORDS for word in words) > _FEWEST_SMALL_WORDS * len(words):
        return False
    bits = -sum(count * math.log2(_LETTERS[letter] / 100) for letter, count in counts.items()) / total
    return bits > _MOST_BITS
