"""Conversations with planted near copies, of every kind of edit, and which pairs are truly near."""

import random
from collections import Counter
from collections.abc import Callable, Sequence

from convo_events.similarity import Shingles

_SYLLABLES = (
    "ba",
    "co",
    "den",
    "fi",
    "gar",
    "hul",
    "jem",
    "kor",
    "li",
    "mon",
    "nur",
    "pel",
    "sto",
    "vi",
)
_NAMES = ("Ana", "Bruno", "Chidi", "Dana", "Emre", "Farah", "Goran", "Hana", "Ivo", "Jun")
_HAN = "我昨天在超市买了很多新鲜的水果和蔬菜晚上做一顿丰盛晚餐请几位老朋友来家里吃饭聊大都说味道非常好今明后天气冷热"
_KANA = "わたしはきのうスーパーであたらしいくだものとやさいをたくさんかいましたよるともだちがあそびにきてたのしかった"
_THAI = "เมื่อวานฉันซื้อผลไม้สดและผักมากมายที่ตลาดตอนเย็นทำอาหารเชิญเพื่อนเก่ามากินข้าวที่บ้าน"
UNSPACED = (_HAN, _KANA, _THAI)
Talk = list[list[str]]
"""Turns, each a list of sentences; a sentence is its words with a blank between them, or its characters."""


def talks(count: int, seed: int = 1) -> list[tuple[list[str], str]]:
    """Turns of each conversation, and what was done to it; a sixth or so are sources, the others copies of one."""
    rng = random.Random(seed)
    made: list[tuple[list[str], str]] = []
    while len(made) < count:
        source = _source(rng)
        made.append((_turns(source), "source"))
        for name, edit in rng.sample(list(EDITS.items()), k=min(5, len(EDITS))):
            made.append((_turns(edit(source, rng)), name))
    return made[:count]


def near_pairs(sets: Sequence[Shingles], limit: float) -> dict[tuple[int, int], float]:
    """Every pair above the limit with its similarity, by counting what each pair shares."""
    having: dict[int, list[int]] = {}
    near: dict[tuple[int, int], float] = {}
    for at, found in enumerate(sets):
        shared: Counter[int] = Counter()
        for shingle in found:
            before = having.setdefault(shingle, [])
            shared.update(before)
            before.append(at)
        for other, n in shared.items():
            similarity = n / (len(found) + len(sets[other]) - n)
            if similarity > limit:
                near[other, at] = similarity
    return near


def _source(rng: random.Random) -> Talk:
    alphabet = rng.choice((*UNSPACED, "", "", "", "", ""))
    names = rng.sample(_NAMES, 2)
    turns = rng.randint(4, 14)
    return [
        [_sentence(rng, alphabet, names) for _ in range(rng.randint(1, 4))] for _ in range(turns)
    ]


def _sentence(rng: random.Random, alphabet: str, names: Sequence[str]) -> str:
    if alphabet:
        return "".join(rng.choices(alphabet, k=rng.randint(8, 20)))
    words = [_word(rng) for _ in range(rng.randint(5, 14))]
    if rng.random() < 0.3:
        words[rng.randrange(len(words))] = rng.choice(names)
    return " ".join(words)


def _word(rng: random.Random) -> str:
    return "".join(rng.choices(_SYLLABLES, k=rng.randint(1, 3)))


def _turns(talk: Talk) -> list[str]:
    return [". ".join(sentences) + "." for sentences in talk]


def _words_changed(share: float) -> Callable[[Talk, random.Random], Talk]:
    def edit(talk: Talk, rng: random.Random) -> Talk:
        return [[_changed(sentence, share, rng) for sentence in turn] for turn in talk]

    return edit


def _changed(sentence: str, share: float, rng: random.Random) -> str:
    if " " in sentence:
        return " ".join(_word(rng) if rng.random() < share else w for w in sentence.split(" "))
    return "".join(rng.choice(sentence) if rng.random() < share else c for c in sentence)


def _turns_reordered(talk: Talk, rng: random.Random) -> Talk:
    return rng.sample(talk, k=len(talk))


def _sentences_reordered(talk: Talk, rng: random.Random) -> Talk:
    return [rng.sample(turn, k=len(turn)) for turn in talk]


def _names_swapped(talk: Talk, rng: random.Random) -> Talk:
    new = dict(zip(_NAMES, rng.sample(_NAMES, k=len(_NAMES)), strict=True))
    return [
        [" ".join(new.get(word, word) for word in sentence.split(" ")) for sentence in turn]
        for turn in talk
    ]


def _some_turns_left_out(talk: Talk, rng: random.Random) -> Talk:
    return [turn for turn in talk if rng.random() > 0.15] or talk


def _everything(talk: Talk, rng: random.Random) -> Talk:
    return _words_changed(0.04)(_names_swapped(_sentences_reordered(talk, rng), rng), rng)


EDITS: dict[str, Callable[[Talk, random.Random], Talk]] = {
    "turns reordered": _turns_reordered,
    "sentences reordered": _sentences_reordered,
    "names swapped": _names_swapped,
    "turns left out": _some_turns_left_out,
    "order, names and words": _everything,
    **{f"{share} % of the words": _words_changed(share / 100) for share in (1, 2, 5, 8, 12, 20)},
}
