"""Closed lists of English words that the reading of sentences and tokens leans on."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


STOP_WORDS = _set("""
    a about above after again against all also am an and any are as at be because been before being below between both but by
    can cannot could did do does doing down during each
    either else ever few for from further had has have having he her here hers
    him his how however i if in into is it its itself just let me might more most must my no nor not now of off on once only or
    other our ours out over own per rather s same shall she should so some such t than that the their theirs them then there
    therefore these they this those though through thus to too under until up upon us very was we were what when where whether
    which while who whom whose why will with within without would yet you your yours
""")
"""Words that carry no content of their own. Negations are among them: `grounding.verdict` looks at those apart."""

ABBREVIATIONS = _set("""
    adj al approx apr assn aug ave bldg blvd bros ca capt cf ch chap co col corp dec dept dr ed eds e.g eg eq esp est etc ex feb
    fig figs ft gen gov hon i.e ie inc incl jan jr jul jun lt ltd mar max messrs min mr mrs ms mt no nos nov oct op p para paras
    pp prof pt ref refs rep rev sec sect sen sep sept sgt sr st tab trans univ v ver viz vol vols vs wt
""")
"""Words that are written with a full stop, in small letters and without it."""

ENDING_ABBREVIATIONS = _set("al co corp etc inc jr ltd sr")
"""Abbreviations that as often as not stand at the end of a sentence."""

OPENERS = _set("""
    a after although an as at because both but by during each for from he her his how if in it its many most no on one our
    several she since so some such that the their there these they this those to under unlike we what when where while who with
    you
""")
"""Words that open sentences: after `U.S.` or `etc.` they tell an end from a name that goes on."""

VAGUE = _set("several number various different many numerous some significant notable important key main certain new")
"""Words at the head of a sentence that tell nothing of its subject."""
