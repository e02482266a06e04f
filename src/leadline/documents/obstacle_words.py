"""What pages that stand in the way say. Each pattern is a list of phrases, English first, then Chinese and others."""

import re


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


CHALLENGE_TITLE = _any(
    r"^just a moment",
    r"^attention required",
    r"^access denied",
    r"security (?:check|verification)$",
    r"^(?:are you|verify you are) (?:a )?(?:robot|human)",
    r"robot check",
    r"human verification",
    r"^pardon our interruption",
    r"^(?:one more step|please wait)[.… !]*$",
    r"^captcha$",
    r"^(?:\w{2,4})?(?:安全|人机|訪問|访问|身份|滑动|滑块)(?:验证|驗證|检测)(?:$|\W)",
    r"^验证(?:码|中心)$",
)
CHALLENGE = _any(
    r"verif(?:y|ying) (?:that )?you(?:'re| are) (?:a |not a )?(?:human|robot|bot)",
    r"checking (?:your browser|if the site connection|you are human)",
    r"unusual traffic from your",
    r"enable javascript and cookies to continue",
    r"complete the (?:security check|captcha)",
    r"prove (?:that )?you(?:'re| are) (?:human|not a robot)",
    r"ddos protection by",
    r"press (?:&|and) hold",
    r"ray id:?\s*[0-9a-f]{6}",
    r"your request (?:was|has been) blocked",
    r"请.{0,12}(?:完成|通过|输入|拖动|滑动|按住|点击).{0,12}(?:验证|滑块|拼图)",
    r"(?:拖动|滑动|向右滑).{0,8}(?:滑块|完成|拼图)",
    r"访问(?:过于|太)频繁",
    r"异常(?:流量|访问)",
)
CONSENT = _any(
    r"(?:we|partners|site|website|sites?) (?:and .{0,60})?uses? cookies",
    r"before you continue",
    r"cookie (?:consent|preferences|settings|policy)",
    r"your privacy (?:choices|is important|matters)",
    r"value your privacy",
    r"使用\s?cookie",
    r"wir verwenden cookies",
    r"utilisons des cookies",
    r"utilizamos cookies",
)
AGREE = _any(
    r"\b(?:accept|agree|allow all|reject all|got it|consent|akzeptieren|zustimmen|accepter|aceptar)\b", r"同意", r"接受"
)
LOGIN_TITLE = _any(
    r"^(?:please )?(?:log|sign)[ -]?(?:in|on)\b",
    r"\b(?:log|sign)[ -]in$",
    r"^(?:用户|账号|会员|请)?(?:登录|登陆|登入)",
    r"^anmelden",
    r"^connexion",
)
PAYWALL = _any(
    r"(?:subscribe|sign up|register|log in|sign in|become a (?:member|subscriber)) (?:now )?(?:to|and) "
    r"(?:continue|keep|read|unlock|access|finish)",
    r"(?:article|content|story|post) is (?:for|only available to|reserved for|exclusive to) (?:\w+ )?(?:subscribers|members)",
    r"continue reading (?:this|with)",
    r"already a (?:subscriber|member)\?",
    r"(?:subscribers?|members?)[ -]only",
    r"(?:订阅|付费|开通会员|登录|购买)后?(?:即可|可|才能|以)?(?:继续)?(?:阅读|查看)(?:全文|更多|本文|剩余)",
    r"剩余\s*\d+\s*%",
    r"本文为付费内容",
)
NEEDS_SCRIPT = _any(
    r"(?:enable|requires?|need|without) javascript",
    r"javascript (?:is|to be) (?:disabled|required|enabled)",
    r"启用\s?javascript",
)
