"""Words that turn a statement round: sentences that differ by one of these say the opposite, however alike they are."""

import re
from collections import Counter
from functools import lru_cache

from leadline.grounding.tokens import stem

_UP = "increase rise rose risen raise grow grew grown growth climb surge soar jump boost improve enhance up"
_DOWN = "decrease decline reduce reduction fall fell fallen drop lower shrink shrank plunge diminish cut down"
_PAIRS = f"""
    {_UP} 增加 增长 增長 提高 提升 上升 上涨 上漲 升高 : {_DOWN} 减少 減少 降低 下降 下跌 下滑; improve : worsen
    strong strength 强~ 強~ : weak weakness 弱~; fast quick rapid 快速 迅速 快~ : slow 缓慢 緩慢 慢~; high 高~ : low 低~
    large big great 大~ : small 小~; long 长~ 長~ : short 短~; wide broad 宽~ 寬~ : narrow 窄~; heavy 重~ : light 轻~ 輕~
    thick 厚~ : thin 薄~; deep 深~ : shallow 浅~ 淺~; rich : poor; hot warm 热~ 熱~ : cold cool 冷~
    easy simple 易~ 容易~ : hard difficult complex 难~ 難~; good 好~ : bad poor 坏~ 壞~ 差~; 新~ : 旧~ 舊~; 远~ 遠~ : 近~
    full : empty; common frequent often : rare seldom; same : different; all every 所有 : few 少数 少數; many 多~ : few 少~
    start begin 开始 開始 : stop end 结束 結束 停止; open 打开 打開 : close 关闭 關閉; first 第一 : last 最后 最後
    cheap 便宜~ : expensive costlier 贵~ 貴~; older : newer; enable 启用 啟用 : disable 停用 禁用
    allow permit 允许 允許 : forbid prevent prohibit deny 禁止; accept : reject refuse
    safe 安全 : dangerous unsafe harmful 危险 危險; true : false; always 总是 總是 : never seldom 从不 從不
    maximum max 最大 最高 最多 : minimum min 最小 最低 最少; more : less fewer; most : least; 至少 : 至多; upper : lower
    above 以上 : below 以下; before 之前 以前 : after 之后 之後 以后 以後; add : remove delete; create : delete destroy
    gain : loss lose; profit 盈利 : loss 亏损 虧損; win : lose; succeed success 成功 : fail failure 失败 失敗
    buy 买入 買入 : sell 卖出 賣出; import 进口 進口 : export 出口; send : receive; positive : negative
    better 优于 優於 : worse 劣于 劣於; best : worst; early 早~ : late 晚~; expand 扩大 擴大 : shrink 缩小 縮小
    accelerate 加快 : decelerate 放缓 放緩 减慢 減慢; strengthen : weaken; support 支持 : oppose 反对 反對; benefit : harm
    left : right; major majority : minor minority; ascending : descending; activate : deactivate; encode : decode
    encrypt : decrypt; required mandatory 必须 必須 : optional 可选 可選; automatic : manual; visible : hidden
    public : private; local : remote
"""
"""What both languages say stands in one pair, so that a sentence is compared with its source in the other, too. A Chinese
adjective with `~` turns a sentence round where it compares (`更快`, `快于`, `快得多`); else it is a part of other words.
"""

_BEFORE, _BEHIND = "更较較最越變变很", "于於得些"
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


def _read_side(words: str) -> frozenset[str]:
    return frozenset(form for word in words.split() for form in _expand(word))


def _expand(word: str) -> list[str]:
    if not word.endswith("~"):
        return [stem(word)]
    return [*(f"{sign}{word[:-1]}" for sign in _BEFORE), *(f"{word[:-1]}{sign}" for sign in _BEHIND)]


_AFFIX_PAIRS = [tuple(pair.split(":")) for pair in _AFFIXES.split()]
_SIDES_OF = [tuple(map(_read_side, line.split(":"))) for line in re.split(r"[;\n]", _PAIRS.strip())]
_SIDES: dict[str, list[tuple[int, int]]] = {}
for _number, _pair in enumerate(_SIDES_OF):
    for _side, _words in enumerate(_pair):
        for _word in _words:
            _SIDES.setdefault(_word, []).append((_number, _side))
_CJK = re.compile("|".join(sorted((word for word in _SIDES if not word.isascii()), key=len, reverse=True)))


def are_opposed(one: str, other: str) -> bool:
    """Say whether one sentence holds a word and the other, in its stead, the opposite: `faster` and `more slowly`.

    A sentence that holds both sides of a pair, once each, tells nothing about that pair.
    """
    mine, theirs = _count_sides(one), _count_sides(other)
    pairs = [(mine[key], theirs[key]) for key in mine.keys() & theirs.keys()]
    return any((left - other_left) * (right - other_right) < 0 for (left, right), (other_left, other_right) in pairs)


def find_opposites(word: str) -> frozenset[str]:
    """Return the terms that say the opposite of a term: `disabl` for `enabl`."""
    return frozenset().union(*(_SIDES_OF[number][1 - side] for number, side in _SIDES.get(word, ())))


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
    for word in _CJK.findall(text):
        counts.update(_SIDES[word])
    return {pair: (counts[pair, 0], counts[pair, 1]) for pair, _ in counts}


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
