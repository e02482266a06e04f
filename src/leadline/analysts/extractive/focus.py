"""What a question is about: its words without the words that only make it a question."""

from leadline.analysts.extractive.vocabulary import vocabulary
from leadline.grounding.language import is_cjk
from leadline.grounding.tokens import query_terms, terms

_MARKS = "?!.,:;\"'()？！。，：；“”"


def find_focus(text: str) -> str:
    """Return a question without its asking words: `How does VACUUM work?` gives `VACUUM`.

    A text that is made of nothing else is returned as it is.
    """
    words = vocabulary()
    kept = [word for word in words.cjk_asking.sub(" ", text).split() if word.casefold().strip(_MARKS) not in words.asking]
    focus = " ".join(kept).strip(_MARKS + " ")
    return focus if terms(focus) else text.strip()


def focus_terms(text: str) -> list[str]:
    """Return the distinct terms of a question's focus; a lone CJK character between others is a joint, not a term."""
    found = list(dict.fromkeys(terms(find_focus(text)))) or query_terms(text)
    return [term for term in found if len(term) > 1 or not is_cjk(term)] or found
