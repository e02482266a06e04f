"""Which language a text is in, by its script and its most frequent words: enough to choose headings and word rules."""

import re
from collections import Counter

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_KANA = re.compile("[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9d]")
_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7af]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_SCRIPTS = (
    (re.compile("[\u0370-\u03ff]"), "el"),
    (re.compile("[\u0590-\u05ff]"), "he"),
    (re.compile("[\u0600-\u06ff]"), "ar"),
    (re.compile("[\u0900-\u097f]"), "hi"),
    (re.compile("[\u0e00-\u0e7f]"), "th"),
)
CJK_CHARACTERS = (
    r"\u3005\u3006\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
"""Body of a regular expression's character class: Han, kana, hangul. Full and half width forms are for NFKC to fold."""

_CJK = re.compile(f"[{CJK_CHARACTERS}\uff66-\uff9f]")

# Characters of everyday text that exist in one of the two scripts only.
_TRADITIONAL = frozenset(
    "這個們來時會為說對國學過還點種樣經問題開關無與從實現動將應當發數檔網資訊類處設執標義圖書認識專業導讓確條總變話語長門間東車馬電腦軟"
)
_SIMPLIFIED = frozenset(
    "这个们来时会为说对国学过还点种样经问题开关无与从实现动将应当发数档网资讯类处设执标义图书认识专业导让确条总变话语长门间东车马电脑软"
)

# The dozen most frequent words of each language that separate it from its neighbours, without those that English has too ("do"
# and "i" are Polish as well); of English also the words that questions are made of.
_FUNCTION_WORDS = {
    "en": "the of and to in is that for it with are how what which a an i my do does can should when where why who by on",
    "de": "der die und das ist nicht ein eine zu den mit von wie auf werden",
    "fr": "le la les et des est une dans que du qui sur au pas avec",
    "es": "el los las y que es una por con del para se cómo como al",
    "it": "il di che è una della sono non con del gli nel alla dei si",
    "pt": "o os que é um uma para com não da em dos como ao na",
    "nl": "de het een en van is dat niet op te zijn voor met hoe aan",
    "pl": "w i na z się nie jest do że jak to od przez oraz są",
    "sv": "och att det som en på är av för med den till inte hur har",
    "tr": "ve bir bu için ile da de olarak olan nasıl daha gibi ne en çok",
}
_LANGUAGES_OF: dict[str, tuple[str, ...]] = {}
for _tag, _words in _FUNCTION_WORDS.items():
    for _word in _words.split():
        _LANGUAGES_OF[_word] = (*_LANGUAGES_OF.get(_word, ()), _tag)

_SAMPLE = 4000
"""Characters looked at: languages of longer texts are decided long before."""


_SHORT = 100
"""Characters of a question, in which names may outweigh the words around them: `stable、testing 和 unstable 有什么区别?`"""


def is_cjk(char: str) -> bool:
    """Say whether a character is written without spaces between words: Han, kana, hangul."""
    return bool(_CJK.match(char))


def count_cjk(text: str) -> int:
    """Return the number of Han, kana and hangul characters in a text."""
    return 0 if text.isascii() else len(_CJK.findall(text))


def detect(text: str) -> str:
    """Return the BCP 47 tag of the language that most of the text is in.

    Args:
        text: any text; the first 4,000 characters decide.

    Returns:
        `ja` where a Han text has kana, `ko`, `zh` or `zh-Hant`, `ru` or `uk`, the language of another script, a Latin language
        by its function words, and `en` when nothing tells.
    """
    sample = text[:_SAMPLE]
    words = re.findall(r"[^\W\d_]+", sample.casefold())
    lengths = [len(word) for word in words if word[0] < "\u0250"]
    latin = sum(lengths)
    han, kana, hangul = (len(script.findall(sample)) for script in (_HAN, _KANA, _HANGUL))
    # A CJK character says about as much as two to three Latin letters; between names in Latin letters a few make the sentence.
    if (han + kana + hangul) * 2.5 >= max(latin, 1) or (len(text) <= _SHORT and han + kana + hangul >= len(lengths) > 0):
        return _detect_cjk(sample, han, kana, hangul)
    cyrillic = len(_CYRILLIC.findall(sample))
    if cyrillic > latin:
        return "uk" if re.search("[іїєґ]", sample.casefold()) else "ru"
    for script, tag in _SCRIPTS:
        if len(script.findall(sample)) > latin:
            return tag
    return _detect_latin(words)


def _detect_cjk(sample: str, han: int, kana: int, hangul: int) -> str:
    if hangul > han + kana:
        return "ko"
    if kana * 20 >= han + kana:
        return "ja"
    traditional = sum(char in _TRADITIONAL for char in sample)
    simplified = sum(char in _SIMPLIFIED for char in sample)
    return "zh-Hant" if traditional > simplified else "zh"


def _detect_latin(words: list[str]) -> str:
    votes = Counter(tag for word in words for tag in _LANGUAGES_OF.get(word, ()))
    best = max(_FUNCTION_WORDS, key=lambda tag: votes[tag])
    return best if votes[best] >= 2 and votes[best] > votes["en"] else "en"
