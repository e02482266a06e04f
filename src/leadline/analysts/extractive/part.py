"""What is said about one part of a topic: about the part and the topic, and not what is said about the topic anyway."""

from collections.abc import Callable, Mapping, Sequence

from leadline.analysts.extractive.corpus import Corpus, words_of
from leadline.analysts.extractive.groups import Group, find_groups
from leadline.analysts.extractive.headings import clean_heading
from leadline.analysts.extractive.relevance import Relevance
from leadline.analysts.extractive.subject import Subject

_PARTIAL, _TOPICAL = 0.3, 0.3
"""Shares of the part's own words, and of the topic's, that a statement, its heading and its title must hold together, unless
the heading is the part's own. In a collection all is about the topic, and a part need not say so again."""

_TITULAR = 0.6
"""Share of the part's title that they must hold too: the basics of another thing are not told under `Basics of SSH`."""

_FEWEST = 2
"""Statements of a section that are its own; with fewer, it repeats what the topic's own section says."""


def select_part(
    corpus: Corpus,
    relevance: Relevance,
    to_topic: Relevance,
    own: Mapping[str, float],
    title: str,
    at_most: int,
    said: Sequence[Group],
) -> list[Group]:
    """Return the strongest groups on one part of a topic, best first.

    Args:
        corpus: the statements.
        relevance: to the part.
        to_topic: relevance to the topic.
        own: the words that the part has and the topic has not, with their weights.
        title: how the part is called; what stands under a heading of this name is about it.
        at_most: most groups.
        said: what the topic's own section says.
    """
    fits = _judge(corpus, to_topic, own, title)
    taken = {member for group in said for member in group.members}
    fresh = find_groups(corpus, relevance, at_most, lambda place: place not in taken and fits(place))
    return fresh if len(fresh) >= _FEWEST else find_groups(corpus, relevance, at_most, fits)


def _judge(corpus: Corpus, to_topic: Relevance, own: Mapping[str, float], title: str) -> Callable[[int], bool]:
    part = Subject(corpus, own, "")
    if not part:
        return lambda _: True

    named = Subject(corpus, dict.fromkeys(words_of(title), 1.0), "")
    topical = 0.0 if corpus.is_collection else _TOPICAL

    def fits(place: int) -> bool:
        heading = corpus.passages[place].heading
        if clean_heading(heading) == title:
            return True
        words = dict.fromkeys((*corpus.words[place], *words_of(heading), *words_of(corpus.title(place))))
        is_named = part.hold(words) >= _PARTIAL and named.hold(words) >= _TITULAR
        return is_named and to_topic.subject.hold(words) >= topical

    return fits
