"""Numbers with their scale and unit, and dates: `1.2 亿` is `120 million`, `20 minutes` is not `20 hours`."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import zip_longest

_SCALES = {
    "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "k": 3, "mn": 6, "bn": 9,
    "千": 3, "万": 4, "萬": 4, "百万": 6, "百萬": 6, "千万": 7, "千萬": 7, "亿": 8, "億": 8, "万亿": 12, "萬億": 12,
}  # fmt: skip

_UNITS = """
    % percent pct per-cent 百分之
    pp percentage-point percentage-points 个百分点 個百分點 百分点 百分點
    second seconds sec secs s 秒 秒钟 秒鐘
    minute minutes min mins 分钟 分鐘
    hour hours hr hrs h 小时 小時
    day days 天 日
    week weeks 周 週 星期
    month months 个月 個月
    year years yr yrs 年
    decade decades
    century centuries 世纪 世紀
    millisecond milliseconds ms 毫秒
    microsecond microseconds us µs 微秒
    byte bytes 字节 字節
    bit bits 比特
    kb kilobyte kilobytes kib
    mb megabyte megabytes mib 兆字节
    gb gigabyte gigabytes gib
    tb terabyte terabytes tib
    km kilometre kilometres kilometer kilometers 公里 千米
    metre metres meter meters m 米
    cm centimetre centimetres centimeter centimeters 厘米
    mm millimetre millimetres millimeter millimeters 毫米
    mile miles 英里
    foot feet ft 英尺
    inch inches 英寸
    mph miles-per-hour
    kph km/h 公里/小时
    kg kilogram kilograms kilo kilos 公斤 千克
    gram grams g 克
    tonne tonnes ton tons 吨 噸
    lb lbs
    lb-ft pound-feet
    litre litres liter liters 升
    gallon gallons 加仑
    hp horsepower 马力 馬力
    watt watts w 瓦
    kw kilowatt kilowatts 千瓦
    mw megawatt megawatts 兆瓦
    gw gigawatt gigawatts 吉瓦
    kwh kilowatt-hour kilowatt-hours 千瓦时
    °c celsius 摄氏度 攝氏度
    °f fahrenheit 华氏度
    $ dollar dollars usd 美元
    € euro euros eur 欧元 歐元
    £ gbp 英镑 英鎊
    ¥ yuan rmb cny 元 人民币 人民幣
    yen jpy 日元 日圓
    x times fold 倍
    degree degrees 度
"""
_UNIT_OF = {name.replace("-", " "): line.split()[0] for line in _UNITS.strip().splitlines() for name in line.split()}
_BY_LENGTH = sorted(_UNIT_OF, key=len, reverse=True)
_ONES = "two three four five six seven eight nine ten eleven twelve"
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_MONTH_NAMES = "january february march april may june july august september october november december"


def _number(words: str, step: int = 1) -> dict[str, int]:
    return {word: step * number for number, word in enumerate(words.split(), 2)}


_TIMES = {"twice": 2, "thrice": 3}
_WORDS = {**_TIMES, **_number(_ONES), **_number(_TENS_WORDS, 10)}
_DIGITS = {digit: number for number, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_TENS = {"十": 10, "百": 100, "千": 1000}
_MONTHS = {month[:3]: number for number, month in enumerate(_MONTH_NAMES.split(), 1)}
_MONTH = rf"(?P<n>{'|'.join(f'{month[:3]}t?(?:{month[3:]})?' for month in _MONTH_NAMES.split())})\.?"

_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!\d)(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<y>\d{4})\s?年\s?(?:(?P<m>\d{1,2})\s?月\s?(?:(?P<d>\d{1,2})\s?[日号號])?)?",
        r"(?<!\d)(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号號]",
        rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?\b{_MONTH}(?:,?\s(?P<y>\d{{4}}))?\b",
        rf"\b{_MONTH}\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\s(?P<y>\d{{4}}))?\b",
        rf"\b{_MONTH}(?:,|\sof)?\s(?P<y>\d{{4}})\b",
    )
)
_NUMERAL = rf"(?:[{''.join(_DIGITS)}]*[十百千])+[{''.join(_DIGITS)}]?|[{''.join(_DIGITS)}]"
_NUMBER = re.compile(
    rf"(?P<before>百分之|[$€£¥])?\s?(?:(?<![A-Za-z\d_.])(?P<digits>\d+(?:[.,]\d+)*)|\b(?P<word>{'|'.join(_WORDS)})\b"
    rf"|(?P<numeral>{_NUMERAL})(?=[万萬亿億个個次天年种種倍项項条條人家位米台小秒周点點岁歲层層届屆步%]|分[钟鐘])|(?<=百分之)(?P<share>{_NUMERAL}))"
    rf"(?:\s?(?P<scale>万亿|萬億|百万|百萬|千万|千萬|[千万萬亿億]|(?:thousand|million|billion|trillion|k|mn|bn)\b))?"
    rf"(?:(?:\s?-?|\s)(?P<unit>{'|'.join(map(re.escape, _BY_LENGTH))})(?![A-Za-z]))?",
    re.IGNORECASE,
)
_UNIT_NAME = re.compile(rf"[a-z]{{4,}}|(?<=[几幾数數])(?:{'|'.join(name for name in _BY_LENGTH if not name.isascii())})")
_RANGE = re.compile(r"^\s?(?:-|–|—|~|to|and|or|至|到)\s?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it counts: `value` without scale, `unit` by its first name in the table or "" where none is known."""

    value: str
    unit: str = ""

    def fits(self, other: "Quantity") -> bool:
        """Say whether two numbers may mean the same: a unit that one of them leaves out is no difference."""
        return self.value == other.value and (self.unit == other.unit or not self.unit or not other.unit)


@dataclass(frozen=True, slots=True)
class Date:
    """A day, month or year; parts that are not said are 0."""

    year: int = 0
    month: int = 0
    day: int = 0

    def fits(self, other: "Date") -> bool:
        """Say whether the other date says all that this one says."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(mine in (0, theirs) for mine, theirs in pairs)


@lru_cache(maxsize=50_000)
def read_quantities(text: str) -> tuple[tuple[Quantity, ...], tuple[Date, ...]]:
    """Return the numbers of a text and, apart from them, its dates; a bare year is a number."""
    folded = unicodedata.normalize("NFKC", text)
    dates: list[Date] = []
    for pattern in _DATES:
        dates += [date for match in pattern.finditer(folded) if (date := _as_date(match))]
        folded = pattern.sub(lambda match: "\n" * len(match.group()) if _as_date(match) else match.group(), folded)
    return tuple(dict.fromkeys(_read_numbers(folded))), tuple(dict.fromkeys(dates))


def numbers(text: str) -> frozenset[Quantity | Date]:
    """Return the numbers and dates of a text: two sentences that say the same have the same."""
    quantities, dates = read_quantities(text)
    return frozenset((*quantities, *dates))


def find_missing(text: str, window: str) -> list[Quantity | Date]:
    """Return the numbers and dates of a text that its window does not hold."""
    mine, my_dates = read_quantities(text)
    theirs, their_dates = read_quantities(window)
    years = [Quantity(str(date.year)) for date in their_dates if date.year]
    bare = [Date(year=int(q.value)) for q in theirs if not q.unit and re.fullmatch(r"[12]\d{3}", q.value)]
    numbers: list[Quantity | Date] = [*_find_other_units(text, window)]
    numbers += [q for q in mine if not any(q.fits(other) for other in (*theirs, *years))]
    return numbers + [date for date in my_dates if not any(date.fits(other) for other in (*their_dates, *bare))]


def is_month(word: str) -> bool:
    """Say whether a word in small letters is the English name of a month."""
    return word in _MONTH_NAMES.split()


def is_unit(word: str) -> bool:
    """Say whether a word in small letters is the name or sign of a unit."""
    return word in _UNIT_OF


def _find_other_units(text: str, window: str) -> list[Quantity]:
    """The units that a text names, with a number or without, in the place of others that its window names."""
    mine, theirs = _count_units(text), _count_units(window)
    return [Quantity("", unit) for unit in sorted(mine - theirs)] if theirs - mine else []


@lru_cache(maxsize=50_000)
def _count_units(text: str) -> Counter[str]:
    return Counter(_UNIT_OF[word] for word in _UNIT_NAME.findall(text.casefold()) if word in _UNIT_OF)


def _as_date(match: re.Match[str]) -> Date | None:
    parts = match.groupdict()
    month = _MONTHS[parts["n"][:3].lower()] if parts.get("n") else int(parts.get("m") or 0)
    day = int(parts.get("d") or 0)
    return Date(int(parts.get("y") or 0), month, day) if month <= 12 and day <= 31 else None


def _read_numbers(text: str) -> Iterator[Quantity]:
    found = list(_NUMBER.finditer(text))
    for match, following in zip_longest(found, found[1:]):
        unit = _unit(match)
        if not unit and following and _RANGE.match(text[match.end() : following.start()]):
            unit = _unit(following)
        if match["word"] and match["word"].lower() in _TIMES:
            yield Quantity(_value(match), "x")
            continue
        value = _value(match)
        if value != "1" or match["digits"]:  # 一个 is an article
            yield Quantity(value, unit)


def _unit(match: re.Match[str]) -> str:
    name = (match["unit"] or match["before"] or "").lower()
    digits = match["digits"] or ""
    if name == "s" and len(digits) == 4:
        return "decade"
    return _UNIT_OF.get(name, "")


def _value(match: re.Match[str]) -> str:
    if match["digits"]:
        plain = re.sub(r",(?=\d{3}(?!\d))", "", match["digits"])
        if "," in plain or plain.count(".") > 1:
            return plain  # a list or a version
        number = Decimal(plain)
    elif match["word"]:
        number = Decimal(_WORDS[match["word"].lower()])
    else:
        number = Decimal(_read_numeral(match["numeral"] or match["share"]))
    scaled = number.scaleb(_SCALES[match["scale"].lower()]) if match["scale"] else number
    return format(scaled.normalize(), "f")


def _read_numeral(numeral: str) -> int:
    total, digit = 0, 0
    for sign in numeral:
        if sign in _TENS:
            total += (digit or 1) * _TENS[sign]
            digit = 0
        else:
            digit = _DIGITS[sign]
    return total + digit
