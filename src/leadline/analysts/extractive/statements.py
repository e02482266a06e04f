"""Which passages are statements, and which of those can be read on their own."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from leadline.grounding.language import CJK_CHARACTERS, count_cjk
from leadline.grounding.tokens import close_gaps
from leadline.records import Passage

_LEAST_WORDS, _MOST_WORDS = 4, 60
"""Length of a statement; a CJK character counts as half a word."""

_LEAST_WORDS_SAID, _MOST_WORDS_SAID = 6, 38
"""Length of a sentence that is put into a report, where it does not hold what is asked."""

_FEWEST_CJK = 6
"""CJK characters of a sentence in such a language; one in another quotes fewer."""

_MOST_NAMES = 4
"""Paths, options and the like in a sentence, above which it is a list and no sentence."""

_DANGLING = re.compile(
    r"""[\W_]*(?:(?:this|that|these|those|it(?!\sis\s(?:\w+ly\s)?(?:im)?(?:necessary|possible|important|recommended|advisable|best|better|enough|easy)\s(?:to|that)\b)|its|they|their|them|he|she|his|her|such|however|therefore|thus|hence|moreover|
    furthermore|additionally|also|besides|but|and|or|nor|so|yet|then|otherwise|instead|consequently|accordingly|similarly|
    likewise|meanwhile|nevertheless|nonetheless|conversely|still|finally|lastly|second(?:ly)?|third(?:ly)?|next|here|both|
    neither|another|further|again|now|why|if\sso|if\snot|for\s(?:this|that|these|those|instance|example)|in\s(?:this|that|these|
    addition|contrast|other\swords|short|particular|fact|such|both|either|conclusion|summary|essence)|on\sthe\sother\shand|
    as\s(?:a\sresult|mentioned|noted|shown|described|explained|discussed|such|above|before|well|for)|
    (?:the|an?)\s(?:former|latter|above|following|same|other|previous|preceding|next|second|third|example|latter)|
    to\s\w+\s(?:you\sin\sdoing\s)?(?:this|that|these|those|it|so)|if\s(?:true|false|set|unset|null|zero|nonzero|omitted|enabled|disabled|
    given|present|specified|possible|any|none|all\sis)|(?:the|an?)\s(?:given|returned|resulting|corresponding|specified|(?:first|second|third|last)\s(?:option|step|
    approach|method|case|argument|parameter|form|way|problem|reason|point|one))|if\s\S+\sis\s(?:not\s)?(?:none|null|true|false|set|zero|nonzero|omitted|given|specified)\b|the\s(?:(?:dis)?advantage|drawback|
    reason|problem|difference|idea|goal|trick)\sis|the\s(?:function|method|parameter|arguments?|options?|column|
    command|field|values?|user|result|return\svalue|list)\s(?:is|are|was|will|must|can|may|should|has|have|returns?|includes?|takes)|rather|because\sof\s(?:this|that)|(?:after|before|with|by|at|from|of|during|under)\s
    (?:this|that|these|those)|see|e\.g|i\.e|cf|note\sthat\s(?:this|it|these|they|there)|one\s(?:of\s(?:these|them|those)|such)|
    either\sway|an?\s\w*(?:error|exception|warning)\sis\s(?:raised|thrown|reported|issued)|(?:some|many|most|few|several|none|all)\s(?:are|is|have|has|can|will|do|of\sthe(?:m|se))|
    (?:has|have|had|is|are|was|were|does|do|can|will|should|must|may|returns?|specifies|sets|shows|displays|prints|enables|
    disables|causes|makes|allows|gives|takes|uses|controls|determines|contains|includes|provides|indicates|true|false|default|
    defaults)|for\s(?:more|further|details|additional|information)|
    the\s\w+\s(?:it|they)|\w+ly,?\s(?:it|they|this|that|these|those|s?he)|okay|[a-z]+s\s(?:up\s|out\s)?(?:the|an?|all|any)|if\s(?:you\shave\ssuch|so)|all\s(?:of\s)?(?:this|these|those)|some\sof\sthese|each\sof\s(?:these|those)|(?:many|most)\sof\sthese|while\sthis|
    generally,?\stherefore|when\s(?:this|it|that|these|they)|if\s(?:this|it|that|these|they)|since\s(?:this|it|that)|although\s(?:this|it|these)|
    despite\s(?:this|that|these)|once\s(?:this|it|that)|(?:because|as|while|until|unless|whether)\s(?:it|they|this|these)\s|one\sis\s|optional\s(?:\w+\s)?arguments?\b|yes|no|ok|well|please|thanks|sorry|i|i'm|i've|my|me|too|not\sonly)\b)
    |[\W_]*(?:在?这|在?這|当然|當然|那|它|他|她|其|此|该|上述|以上|以下|如下|下面|上面|前者|后者|但|然而|因此|所以|于是|而且|并且|此外|另外|不过|
    同时|例如|比如|譬如|即|也就是|换句话说|总之|综上|首先|其次|再次|最后|接着|然后|否则|如果这|如果它|当它|另一|另一方面|相反|同样|
    类似[地的]|在它|在这|因为[^，]*。$|由于[^，]*。$|无论哪[种一]|無論哪|再一次地|请注意|请参|参见|参阅|详见|注意|您|你|我|它們|這|該|後者|然後|否則|因為這|因为这|由于这|由於這|這些|此時|之后|之後|
    而|则|則|也|还|還|又|再|甚至|尤其|特别是|特別是|如上|如前|正如|对此|為此|为此|与此|與此|故|并|並)""",
    re.IGNORECASE | re.VERBOSE,
)
_ASIDE = re.compile(
    r"\s?[(（](?:see\s(?:also\s)?|参见|參見|参阅|详见|见|見|第\s?[\d.]+\s?[节章節])[^()（）]*[)）]", re.IGNORECASE
)
"""A pointer to another place in brackets: without it the sentence says the same."""

_LEAD = re.compile(
    r"""(?:\([^()]*[.!?]\)\s+)?(?:(?:in\sorder\s)?to\s(?:avoid|prevent|ensure|solve|fix|address|handle|achieve|overcome|guard\sagainst)\s(?:that\s)?
    (?:this|that|these|it)\b[^,;.]{0,40},\s|(?:therefore|thus|hence|of\scourse|note\sthat),?\s|
    the\sreason\s(?:that|why)\s[^,;.]{3,80}\sis\sthat\s)|
    (?:因此|所以|总之|事实上|当然|请注意|總之|事實上|當然|請注意)[，,]\s?|
    [为為]了(?:避免|防止|解决|解決)[这這][^，。]{0,10}，""",
    re.IGNORECASE | re.VERBOSE,
)
"""An opening that ties a sentence to the one before, and without which it says the same.

Words that only add (`moreover`, `however`) stay: the sentences that open with them cost SummHay 2 points of its joint.
"""

_TAIL = re.compile(r",\s(?:which|\w{3,}ing)\b(?![^.]*\b(?:unless|except|only|not|no)\b)[^.]*(?=\.$)")
"""The end of a long sentence that tells more of what is said, and takes nothing back."""

_POINTING = re.compile(
    r"""\b(?:this|the\s(?:following|next|previous|preceding)|next|previous)\s(?:section|chapter|page|document|manual|article|
    guide|example|book|tutorial|appendix|table|figure|list|paragraph|blog|post)s?\b|\b(?:as\sfollows|see\s(?:also|above|below)|
    (?:shown|described|listed|mentioned|given|discussed|explained|noted)\s(?:here|above|below|earlier|later|in\s(?:the|section|
    chapter|table|figure))|the\sfollowing|(?:both|all|some|any|each|one|none)\sof\s(?:these|those)|do(?:es|ing)?\s(?:this|that|so|it)\b|(?:can|may|will|must|should|could)\sstill|(?:this|these|those)[.!]$|the\sabove|above\sexample|example\s(?:above|below)|let's|let\sus|we\s(?:will|shall)|we'll)\b
    |\bcan\sbe\sfound\sin\b|\b(?:is|are)\s(?:described|documented|explained|discussed|covered)\sin\b|\b(?:more|additional|further)\s(?:information|details?)\s(?:about|on|can|is|are)\b|更多信息|更多資訊|参考[^，。]{0,6}[文手][档册]|请参考|請參考|请查看|請查看|请阅读|請閱讀|[，,]阅读
    |笔者|作者将|让我们|讓我們|我们将|我們將|(?:本|下一?|上一?)(?:节|章|页|文|書|书|節|頁|手册|教程)|如下|下列|下面|上面|以下|上述|见下|参见|參見|参阅|如[图表圖]|下[图表圖]|前文|后文""",
    re.IGNORECASE | re.VERBOSE,
)
_EARLY_POINTER = re.compile(
    r"(?:\S+\s+){1,7}(?:this|these|those|such(?!\s+as))\s+[a-z]|[^,;]*\s(?:these|those)\s(?!who\b|that\b|with\b|in\b|of\b)[a-z]+\W*$|"
    r"[^,;]*\sthis\s(?!year|month|week|time|way|day|century)[a-z]+\W*$|[^，]*(?:[它牠他她][们們]|[这這]些)|.*[但却卻而则則][这這]些",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"\bI(?:['’]\w+)?\b(?![/.])|\b[Mm]y\b|我(?![们們])|笔者|筆者")
_ANNOUNCES = re.compile(
    r"^(?:there\s(?:are|is)\s|有\s?)(?:also\s)?(?:\d+|two|three|four|five|six|several|many|some|various|a\s(?:few|number\sof|couple\sof)|"
    r"[一二两兩三四五六七八九十几幾]+|许多|許多|很多)\s?[^:：,，—(]*[.。]$",
    re.IGNORECASE,
)
"""A sentence that says that there are so many of something, and leaves it to the next ones to say what."""

_FRAGMENT = re.compile(
    r"^If\s[^,]*,\s(?:returns|raises)\b|^\w*_\w+\s[–—-]\s|"
    r"^To\s[a-z]+\b[^,]*(?:,\swhich\b[^,]*)?$|^[A-Z][a-z]+ing\b[^,]*,\s(?:such\sas|including)\b",
    re.DOTALL,
)
"""A purpose or an activity without a sentence around it, or what an option is for: an item of a list."""

_SEE = re.compile(
    r"(?<![(（])(?:\bsee\s(?:the\s)?(?:also|[A-Z])|(?<!see\s)\b(?:Section|Chapter|Appendix|Table|Figure)\s[\dA-Z]|"
    r"(?<![见見]\s)第\s?[\d.]+\s?[节章節])"
)
_BARE_NOUN = re.compile(
    r"(?:\S+(?:\s\S+)?(?:\s\([^)]*\))?:\s+(?:the\s|an?\s)?(?:\w+\s){0,2}|(?:\w+\s)?)"
    r"(?:names?|numbers?|list|oid|types?|values?|identifier|amount|size)\s(?:of|for)\b",
    re.IGNORECASE,
)
"""A label with a noun behind it (`slot: The name of the slot.`), or a noun without an article: entries, not sentences."""

_AUXILIARY = re.compile(
    r"\b(?:am|is|are|was|were|be|been|has|have|had|do|does|did|can|could|may|might|must|shall|should|will|would|cannot|\w+n['’]t)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\w\s+(?:\w+ly\s+)?[a-z]+(?:s|ed)\s+(?:the|an?|to|in|on|by|for|with|all|any|its|their|from|as|that|no|new|into|over|at|up|out|"
    r"both|more|less|one|two|\d+|\w+ing|only|when|if|how|whether|about|against|between|through|under|dead|data)\b|"
    r":\s+[A-Z][a-z]+s\s+(?:the|an?|all|any|that|whether|how|which|if|to)\b|"
    r"^(?:The|An?|Each|Every|Most|Many|All|Some|Both)\s(?:(?!of\b|for\b)[\w-]+\s+){1,3}[a-z]{3,}s\s+[a-z]+\s+"
    r"(?:to|in|on|by|for|with|from|into|at|through|once|when|and|over)\b|"
    r"\w\s+(?:\w+ly\s+)?(?:provides?|supports?|allows?|enables?|requires?|offers?|contains?|includes?|manages|stores|handles|means?|"
    r"needs?|creates?|performs?|describes?|defines?|represents?|implements?|keeps|serves|consists?|refers?|prevents?|removes?|replaces?)\s+\w"
)
_CJK = re.compile(f"[{CJK_CHARACTERS}]")
_NAME = re.compile(r"\S*(?:[/~_$]|--)\S*")
_NOISE = re.compile(
    r"""https?://|www\.|\bcopyright\b|©|all\srights\sreserved|\bcookies?\spolicy|\bprivacy\spolicy|\bterms\sof\s(?:use|service)|
    \bsubscribe\b|\bsign\sup\b|\bclick\shere\b|\bnewsletter\b|\bread\smore\b|\b(?:shop|order|buy|book|call)\s(?:now|today)\b|
    \bcheck\sout\b|\bvisit\s(?:us|our|\w+\.(?:com|net|org))|\b\w+\.(?:com|shop)\b|\bpromo\scode\b|\bdiscount\scode\b|
    \blimited[-\s]time\b|\bfollow\sus\b|\badvertisement\b|点击这里|点击此处|版权所有|关注我们|扫码|立即购买|优惠券|广告|廣告|点击购买|
    \b(?:ignore|disregard|forget)\s(?:all\s|any\s|the\s|your\s)*(?:previous|prior|above|earlier|preceding)\b|
    \b(?:system\sprompt|as\san\sai\b)|忽略(?:以上|上述|之前|前面|先前)|(?:只|仅)(?:输出|回复|回答)""",
    re.IGNORECASE | re.VERBOSE,
)
_MARKER_OPEN = re.compile(r"\W*(?:advertisement|advertorial|sponsored(?:\scontent)?|广告|廣告|赞助内容)\W*", re.IGNORECASE)
_MARKER_CLOSE = re.compile(
    r"\W*(?:end\sof\s(?:the\s)?(?:advertisement|ad|sponsored\scontent)|(?:广告|廣告)(?:结束|結束))\W*", re.IGNORECASE
)
_MARKED = 12
"""Passages after an opening mark among which its closing mark is looked for."""

_END = re.compile(r"[.!。！…][\"'”’」』)）\]]*$")
_OWN_CITATION = re.compile(r"(?<=[.。!！])\s*(?:\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]\s*)+$")
_SIGN = re.compile(r"[/~_$;*\[\]{}|<>=«»]")
_CODE_NAME = re.compile(r"\S*[_/.\d@:()-]\S*\s")
_BROKEN = re.compile(
    r"[{}<>\\|]|\s--?\w+.*\s--?\w+|[=+]{2,}|\$\w+|\w\(\)\s*[=;]|;\s*$|…$|\.{3}$|\?|什[么麼]。?$|[:：]\s*暂?无\W*$|[a-z\"”]\s(?:The|If|This|These|When)\s[a-z\"“]"
)


_LABEL = re.compile(
    r"[^\s:：](?:[^:：。.!?！？\n]|\.(?=\w)){0,60}?(?:\([^()]*\)|（[^（）]*）)?\s?(?::\s+(?=\S)|：\s*(?=\S))|"
    r"[\w.]+\([^()]*\)\s?:\s+(?=\S)"
)
_LONGEST_LABEL = 6
_NEXT_ITEM = 3
"""Characters between an item of a list and the next: a line break and the sign of an item."""

_SIGNATURE = re.compile(
    r"(?:[\w.*:\[\]]+\s){0,3}[*\w.:]*[a-z_]{3}\w*\s?\([^()]*(?:\([^()]*\)[^()]*)*\)(?:\s?(?:→|->)\s?[\w\[\] ]+)?:?"
)
_CODE_LABEL = re.compile(r"^[\"“'`]|\w\(|\w[._]\w|[*=<>\[\]/]|^-")


def select_statements(passages: Iterable[Passage]) -> list[Passage]:
    """Return the passages that say something: prose and list items of a sentence's length, without advertisements."""
    return [p for p in join_terms(drop_advertisements(list(passages))) if p.kind in ("prose", "item") and _is_statement(p.text)]


def join_terms(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages with each entry of a list that only names a term joined to the entry behind it that explains it.

    Such a pair is one statement, and one stretch of its page: `Conflicts - Both cannot be installed together.` What an
    explanation says beyond a sentence's length is left out: without the term it could not be understood.
    """
    joined: list[Passage] = []
    explained: Passage | None = None
    for passage in passages:
        if explained and passage.page == explained.page and 0 <= passage.start - explained.end <= 1:
            text = explained.text + " " * (passage.start - explained.end) + passage.text
            longer = replace(explained, end=passage.end, text=text)
            joined[-1] = longer if count_words(text) <= _MOST_WORDS_SAID else joined[-1]
            explained = longer
            continue
        explained = None
        if _is_explained(joined, passage):
            term = joined.pop()
            passage = explained = replace(passage, start=term.start, text=f"{term.text} - {passage.text}")
        joined.append(passage)
    return joined


def _is_explained(before: Sequence[Passage], passage: Passage) -> bool:
    """Say whether an item explains the one before it, and that one is not the last of several names."""
    if not before or passage.kind != "item" or not _END.search(passage.text) or not _names(before[-1], passage):
        return False
    return len(before) < 2 or not _names(before[-2], before[-1])


def _names(item: Passage, following: Passage) -> bool:
    if item.kind != "item" or item.page != following.page or following.start - item.end != _NEXT_ITEM:
        return False
    return count_words(item.text) <= _LONGEST_LABEL and not _END.search(item.text) and not find_label(item.text)


@lru_cache(maxsize=40_000)
def _is_statement(text: str) -> bool:
    return _LEAST_WORDS <= count_words(text) <= _MOST_WORDS and not _is_code(text)


def _is_code(text: str) -> bool:
    """Say whether a text is a listing that its document did not mark as one: addresses, or a third of its words are none."""
    if not _SIGN.search(text):
        return False
    words = text.split()
    return text.count("://") > 1 or sum(bool(_SIGN.search(word)) for word in words) * 3 > len(words)


@lru_cache(maxsize=40_000)
def shorten(text: str) -> str:
    """Return a sentence as it is said: on one line, without pointers in brackets and an opening that only ties it to another
    and, where it is too long, without its tail. Nothing is added but a capital."""
    text = _ASIDE.sub("", close_gaps(clean(text)))
    if lead := _LEAD.match(text):
        text = text[lead.end()].upper() + text[lead.end() + 1 :] if lead.end() < len(text) else ""
    return _TAIL.sub("", text, count=1) if count_words(text) > _MOST_WORDS_SAID else text


@lru_cache(maxsize=20_000)
def stands_alone(text: str, is_asked: bool = False) -> bool:
    """Say whether a reader who sees this sentence only, shortened, can make sense of it.

    It is whole, it opens with no word that points back, and it holds no code, no question and no pointer to a place in its
    document. What advertises or gives orders to its reader is no statement at all. One that holds what is asked may be short.
    """
    text = shorten(text)
    least = _LEAST_WORDS if is_asked else _LEAST_WORDS_SAID
    if not least <= count_words(text) <= _MOST_WORDS_SAID or not _END.search(text) or _BROKEN.search(text):
        return False
    if not _has_verb(text) or len(_NAME.findall(text)) > _MOST_NAMES:
        return False
    if text[0] in "(（[-–—" or (text[0].islower() and not _CODE_NAME.match(text) and not _is_cjk(text)):
        return False
    if text.count("(") != text.count(")") or text.count("（") != text.count("）") or text.count('"') % 2:
        return False
    return not (
        _DANGLING.match(text)
        or any(sign.search(text) for sign in (_POINTING, _SEE, _NOISE, _PERSONAL, _ANNOUNCES, _FRAGMENT))
        or _EARLY_POINTER.match(text)
    )


def _has_verb(text: str) -> bool:
    """Tell a sentence from a name with a full stop behind it. Languages without English's auxiliaries get the benefit."""
    if _is_cjk(text):
        return True
    if _BARE_NOUN.match(text):
        return False
    return bool(_AUXILIARY.search(text) or _VERB.search(text))


def _is_cjk(text: str) -> bool:
    """Say whether a text is in a CJK language, however many names and commands it holds."""
    return count_cjk(text) >= _FEWEST_CJK


def clean(text: str) -> str:
    """Return a sentence on one line, without the references of its own document behind it."""
    return _OWN_CITATION.sub("", " ".join(text.split()))


@lru_cache(maxsize=40_000)
def find_label(text: str) -> str:
    """Return what stands before the colon where a text explains it (`FULL: Selects …`), or ""."""
    found = _LABEL.match(text)
    label = found.group().strip().rstrip(":：").strip() if found else ""
    return label if count_words(label) <= _LONGEST_LABEL else ""


def is_code_label(label: str) -> bool:
    """Say whether a label is the name of an option, function or setting."""
    return bool(_CODE_LABEL.search(label)) or (len(label) > 1 and label.isupper())


@lru_cache(maxsize=40_000)
def is_signature(text: str) -> bool:
    """Say whether a text is the head of an entry in a reference: the name of a function with its arguments, and no more."""
    return bool(_SIGNATURE.fullmatch(text))


def count_words(text: str) -> float:
    """Return the length of a text in words, a CJK character as half a word.

    Spaces between CJK and other characters count for nothing: the same text has them or not, as it was typeset.
    """
    return len(_CJK.sub(" ", text).split()) + count_cjk(text) / 2


def drop_advertisements(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages without those between an opening and a closing advertisement mark of one page."""
    kept: list[Passage] = []
    skip_to = 0
    for place, passage in enumerate(passages):
        if place < skip_to:
            continue
        if len(passage.text) < 40 and _MARKER_OPEN.fullmatch(passage.text):
            ahead = passages[place + 1 : place + 1 + _MARKED]
            ends = [i for i, p in enumerate(ahead, place + 1) if p.page == passage.page and _MARKER_CLOSE.fullmatch(p.text)]
            skip_to = ends[0] + 1 if ends else place + 1
            continue
        kept.append(passage)
    return kept
