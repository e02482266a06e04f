"""Words that turn a statement round: sentences that differ by one of these say the opposite, however alike they are."""

import re
from collections import Counter
from functools import lru_cache

from leadline.grounding.tokens import stem

_UP = "increase rise rose risen raise grow grew grown growth climb surge soar jump boost up"
_DOWN = "decrease decline reduce reduction fall fell fallen drop lower shrink shrank plunge diminish cut down"
_ENGLISH = f"""
    {_UP} : {_DOWN}
    improve : worsen
    strong strength : weak weakness
    fast quick rapid : slow
    high : low
    large big great : small
    long : short
    wide broad : narrow
    heavy : light
    thick : thin
    deep : shallow
    rich : poor
    hot warm : cold cool
    easy simple : hard difficult complex
    good : bad poor
    full : empty
    common frequent often : rare seldom
    same : different
    all every : few
    many : few
    start begin : stop end
    open : close
    first : last
    cheap : expensive costlier
    older : newer
    allow permit : forbid prevent prohibit deny
    accept : reject refuse
    safe : dangerous unsafe harmful
    true : false
    always : never seldom
    maximum max : minimum min
    more : less fewer
    most : least
    upper : lower
    above : below
    before : after
    add : remove delete
    create : delete destroy
    gain : loss lose
    profit : loss
    win : lose
    succeed success : fail failure
    buy : sell
    send : receive
    positive : negative
    better : worse
    best : worst
    early : late
    strengthen : weaken
    support : oppose
    benefit : harm
    left : right
    major majority : minor minority
    ascending : descending
    activate : deactivate
    encode : decode
    encrypt : decrypt
    required mandatory : optional
    automatic : manual
    visible : hidden
    public : private
    local : remote
"""
_CJK = """
    增加 增长 增長 提高 提升 上升 上涨 上漲 升高 : 减少 減少 降低 下降 下跌 下滑
    启用 啟用 : 停用 禁用
    允许 允許 : 禁止
    打开 打開 : 关闭 關閉
    安全 : 危险 危險
    支持 : 反对 反對
    最大 最高 最多 : 最小 最低 最少
    开始 開始 : 结束 結束 停止
    成功 : 失败 失敗
    盈利 : 亏损 虧損
    买入 買入 : 卖出 賣出
    进口 進口 : 出口
    扩大 擴大 : 缩小 縮小
    加快 : 放缓 放緩 减慢 減慢
    快速 迅速 : 缓慢 緩慢
    之前 以前 : 之后 之後 以后 以後
    以上 : 以下
    至少 : 至多
    第一 : 最后 最後
    总是 總是 : 从不 從不
    所有 : 少数 少數
    优于 優於 : 劣于 劣於
    必须 必須 : 可选 可選
"""
_BEFORE, _BEHIND = "更较較最越变變很", "于於得些"
_CJK_ADJECTIVES = """
    快:慢 强/強:弱 高:低 大:小 长/長:短 多:少 早:晚 好:坏/壞/差 新:旧/舊 宽/寬:窄 厚:薄 深:浅/淺 重:轻/輕 远/遠:近 热/熱:冷
    难/難:易/容易 贵/貴:便宜
"""
_AFFIXES = """
    in:ex im:ex in:out in:de up:down over:under out:under en:dis pre:post pro:anti inter:intra -ful:-less
"""
_DENYING = re.compile(
    r"(?:un(?!der|til|less|it|ion|iq)|non|in(?!form|put|side|stall|come|vest|ten|voic|set|flow|struct)|im(?!port|prov|press|part)"
    r"|dis(?=a[bglp]|co[mn]|en|hon|int|li|or[dgi]|pro[pv]|re[gs]|sa|sim|tru)|ir(?=r)|il(?=l)|a(?=sy|ty))(?=[a-z]{3})"
)
_DIMINISHING = frozenset({"less", "least"})
_ENDING = re.compile(r"(?:er|est|ly)$")
_OTHER_ROOTS = frozenset(["hardly", "lately", "latest", "shortly", "highly", "newly", "lightly", "greatly"])
"""Words that have come to mean something else than the adjective that they are made from."""


def _read(table: str) -> list[tuple[frozenset[str], frozenset[str]]]:
    lines = [line.split(":") for line in table.strip().splitlines()]
    return [(frozenset(map(stem, left.split())), frozenset(map(stem, right.split()))) for left, right in lines]


def _compare(adjectives: str) -> frozenset[str]:
    """Chinese adjectives turn a sentence round where they compare: `更快`, `快于`, `快得多`; else they are parts of words."""
    words = adjectives.split("/")
    return frozenset([sign + word for word in words for sign in _BEFORE] + [word + sign for word in words for sign in _BEHIND])


_AFFIX_PAIRS = [tuple(pair.split(":")) for pair in _AFFIXES.split()]
_WORD_PAIRS, _CJK_PAIRS = (
    _read(_ENGLISH),
    [
        *_read(_CJK),
        *((_compare(left), _compare(right)) for left, right in (pair.split(":") for pair in _CJK_ADJECTIVES.split())),
    ],
)
_SIDES: dict[str, list[tuple[int, int]]] = {}
for _number, _pair in enumerate(_WORD_PAIRS):
    for _side, _words in enumerate(_pair):
        for _word in _words:
            _SIDES.setdefault(_word, []).append((_number, _side))


def are_opposed(one: str, other: str) -> bool:
    """Say whether one sentence holds a word and the other, in its stead, the opposite: `faster` and `more slowly`.

    A sentence that holds both sides of a pair, once each, tells nothing about that pair.
    """
    mine, theirs = _count_sides(one), _count_sides(other)
    pairs = [(mine[key], theirs[key]) for key in mine.keys() & theirs.keys()]
    return any((left - other_left) * (right - other_right) < 0 for (left, right), (other_left, other_right) in pairs)


def find_opposites(word: str) -> frozenset[str]:
    """Return the terms that say the opposite of a term: `disabl` for `enabl`."""
    pairs = (*_WORD_PAIRS, *_CJK_PAIRS)
    return frozenset().union(*(other for pair in pairs for mine, other in (pair, pair[::-1]) if word in mine))


@lru_cache(maxsize=50_000)
def _count_sides(text: str) -> dict[object, tuple[int, int]]:
    """How often a text holds each side of a pair; pairs that it does not hold are left out."""
    words = re.findall(r"[a-z]+|\d+", text.casefold().replace("non-", "non"))
    counts: Counter[tuple[object, int]] = Counter()
    for before, word, behind in zip(["", *words], words, [*words[1:], ""], strict=False):
        known = _find_known(word)
        if word in _DIMINISHING and _find_known(behind):
            known = []  # `less slow` is faster, not less
        turns = before in _DIMINISHING
        counts.update((pair, side ^ turns) for pair, side in known)
        counts.update(_find_derived(word))
    if not text.isascii():
        counts.update({(pair, side): sum(map(text.count, pair[side])) for pair in _CJK_PAIRS for side in (0, 1)})
    return {pair: (counts[pair, 0], counts[pair, 1]) for pair, _ in +counts}


@lru_cache(maxsize=50_000)
def _find_derived(word: str) -> list[tuple[object, int]]:
    """The word itself, and what a prefix or ending makes its opposite of: `regular` and `irregular`, `import` and `export`."""
    found: list[tuple[object, int]] = [(stem(word), 0)]
    if denied := _DENYING.match(word):
        found.append((stem(word[denied.end() :]), 1))
    for pair in _AFFIX_PAIRS:
        found += [((pair, stem(root)), side) for side, affix in enumerate(pair) if len(root := _strip(word, affix)) > 2]
    return found


def _strip(word: str, affix: str) -> str:
    """Return a word without a prefix or an `-ending`; nothing where it has none."""
    if affix.startswith("-"):
        return word.removesuffix(affix[1:]) if word.endswith(affix[1:]) else ""
    return word.removeprefix(affix) if word.startswith(affix) else ""


@lru_cache(maxsize=50_000)
def _find_known(word: str) -> list[tuple[int, int]]:
    """The pairs that a word is in, itself or as a comparative, superlative or adverb."""
    root = _ENDING.sub("", word) if word not in _OTHER_ROOTS else word
    forms = {stem(form) for form in (word, root, f"{root}e", re.sub(r"(.)\1$", r"\1", root)) if form}
    return sorted({side for form in forms for side in _SIDES.get(form, ())})
