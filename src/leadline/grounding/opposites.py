"""Words that turn a statement round: sentences that differ by one of these say the opposite, however alike they are."""

import re
from collections import Counter
from functools import lru_cache

from leadline.grounding.tokens import stem

_UP = "increase rise rose risen raise grow grew grown growth climb surge up"
_DOWN = "decrease decline reduce reduction fall fell fallen drop lower shrink shrank cut down"
_ENGLISH = f"""
    {_UP} : {_DOWN}
    improve : worsen
    strong strength : weak weakness
    high : low
    same : different
    all every : few
    often frequently : rarely seldom
    start begin : stop end
    open : close
    first : last
    cheap cheaper : expensive costlier
    older : newer
    enable enabled : disable disabled
    allow permit : forbid prevent prohibit deny
    accept : reject refuse
    safe : dangerous unsafe harmful
    true : false
    always : never seldom
    maximum max : minimum min
    more : less fewer
    most : least
    higher : lower
    larger bigger greater : smaller
    faster : slower
    longer : shorter
    above : below
    before : after
    add : remove delete
    gain : loss lose
    profit : loss
    win : lose
    succeed success : fail failure
    buy : sell
    import : export
    positive : negative
    better : worse
    best : worst
    early earlier : late later
    include : exclude
    strengthen : weaken
    support : oppose
    legal : illegal
    possible : impossible
    required mandatory : optional
    visible : invisible hidden
    public : private
    local : remote
    synchronous : asynchronous
"""
_CJK = """
    增加 增长 增長 提高 提升 上升 上涨 上漲 升高 : 减少 減少 降低 下降 下跌 下滑
    启用 啟用 : 停用 禁用
    允许 允許 : 禁止
    打开 打開 : 关闭 關閉
    安全 : 危险 危險
    支持 : 反对 反對
    大于 大於 : 小于 小於
    高于 高於 : 低于 低於
    最大 最高 最多 : 最小 最低 最少
    开始 開始 : 结束 結束 停止
    成功 : 失败 失敗
    盈利 : 亏损 虧損
    买入 買入 : 卖出 賣出
    进口 進口 : 出口
    扩大 擴大 : 缩小 縮小
    加快 : 放缓 放緩
    之前 以前 : 之后 之後 以后 以後
    以上 : 以下
    至少 : 至多
    更多 : 更少
    更大 : 更小
    更快 : 更慢
    更高 : 更低
    第一 : 最后 最後
    总是 總是 : 从不 從不
    所有 : 少数 少數
    优于 優於 : 劣于 劣於
    必须 必須 : 可选 可選
"""


def _read(table: str) -> list[tuple[frozenset[str], frozenset[str]]]:
    lines = [line.split(":") for line in table.strip().splitlines()]
    return [(frozenset(map(stem, left.split())), frozenset(map(stem, right.split()))) for left, right in lines]


_WORD_PAIRS, _CJK_PAIRS = _read(_ENGLISH), _read(_CJK)


def are_opposed(one: str, other: str) -> bool:
    """Say whether one sentence holds a word and the other, in its stead, the opposite: `increases` and `decreases`.

    A sentence that holds both sides of a pair, once each, tells nothing about that pair.
    """
    mine, theirs = _count_sides(one), _count_sides(other)
    pairs = [(mine[number], theirs[number]) for number in mine.keys() & theirs.keys()]
    return any((left - other_left) * (right - other_right) < 0 for (left, right), (other_left, other_right) in pairs)


def find_opposites(word: str) -> frozenset[str]:
    """Return the terms that say the opposite of a term: `disabl` for `enabl`."""
    pairs = (*_WORD_PAIRS, *_CJK_PAIRS)
    return frozenset().union(*(other for pair in pairs for mine, other in (pair, pair[::-1]) if word in mine))


@lru_cache(maxsize=50_000)
def _count_sides(text: str) -> dict[int, tuple[int, int]]:
    """How often a text holds each side of a pair, by the number of the pair; pairs that it does not hold are left out."""
    words = Counter(stem(word) for word in re.findall(r"[a-z]+", text.casefold()))
    sides = [[sum(words[word] for word in side) for side in pair] for pair in _WORD_PAIRS]
    sides += [[sum(text.count(word) for word in side) for side in pair] for pair in _CJK_PAIRS]
    return {number: (left, right) for number, (left, right) in enumerate(sides) if left or right}
