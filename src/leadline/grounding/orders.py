"""Text that gives orders to its reader, were it a model: it is shown to none, and nothing that it says is a point."""

import re
from functools import lru_cache

_ORDER = re.compile(
    r"""\b(?:ignore|disregard|forget|override)\s(?:(?:all|any|the|your|of|these|those|everything)\s)*
        (?:(?:previous|prior|above|earlier|preceding|foregoing|other|system)\s)+
        (?:instructions?|prompts?|rules?|messages?|text|requirements?|commands?|directions?|context|guidelines?|sources?)
    |\b(?:ignore|disregard|forget)\s(?:everything|all)\s(?:above|before|said)
    |^\W*(?-i:SYSTEM|ASSISTANT|DEVELOPER)\s?[:：]\s*
        (?:you|cite|ignore|disregard|forget|output|say|reply|respond|answer|always|never|tell|recommend|must|please|do\snot|你|请|請|忽略|必须|引用|只)
    |<\|?(?:im_start|system|assistant)\b|\[/?INST\]
    |\b(?:your|new|hidden)\s(?:system\s)?(?:prompt|instructions?)\s(?:is|are|say|to\sthe\s(?:model|assistant|ai))
    |\b(?:as|you\sare)\s(?:now\s)?an?\s(?:ai|large\slanguage|language)\b.{0,40}\b(?:must|should|shall|always|never|assistant)\b
    |\bnote\sto\s(?:the\s)?(?:ai|assistants?|language\smodels?|llms?)\b
    |\b(?:reply|respond|answer)\s(?:only|exactly|just|nothing\sbut)\b|\boutput\s(?:only\s)?(?:the\sword|["'“][^"'”]{1,20}["'”]\s(?:only|and))
    |\b(?:cite|quote|recommend)\shttps?://
    |(?:忽略|无视|無視|忘记|忘記|不要理会|不要遵守).{0,6}(?:以上|上述|之前|前面|先前|所有|此前|上面).{0,8}
        (?:要求|指令|内容|內容|提示|规则|規則|说明|說明|指示|设定|設定)
    |(?:只|仅|僅)(?:需要?)?(?:输出|輸出|回复|回復|回答).{1,12}$|(?:系统|系統)(?:提示|指令)\s?[：:]|你(?:现在|現在)?是一?[个個名]?\s?(?:AI|人工智能|语言模型|語言模型|助手)
    |(?:必须|必須|请|請)?(?:引用|推荐|推薦)\s?https?://""",
    re.IGNORECASE | re.VERBOSE,
)


@lru_cache(maxsize=50_000)
def gives_orders(text: str) -> bool:
    """Say whether a text tells the model that reads it what to do."""
    return bool(_ORDER.search(text))
