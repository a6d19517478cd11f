"""Reject a turn that repeats the prompt, speaks of it, or shows a model's chat markers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from pydantic import Field

from convo_events.conversations import Conversation
from convo_events.similarity import SHINGLE_WORDS, Shingles, hashes_in_order, template_text
from convo_events.snapshot import Snapshot
from convo_events.words import words
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters, Said
from convo_filters.wordings import Wordings, by_language

PRECEDENCE = 60
DESCRIPTION = (
    "A turn repeats the prompt word for word, speaks of its own role play, or shows chat markers."
)

_MARKERS = re.compile(
    r"<\|[a-z_▁ ]{2,40}\|>|\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>|</?think>|\A\s*<s>|</s>\s*\Z"
    r"|^### ?(?:Instruction|Response|Human|Assistant|System)s?:",
    re.MULTILINE,
)
_SPOKEN = Wordings.of(
    """
    as an ai ?language ?model ?that ?who ?is playing|simulating|acting ?as the|a role|user|persona
    the user|simulated|assigned|given persona
    my|your|this ?assigned persona is|would|has|should|wants
    according to my|the system prompt, according to my|the persona, according to the|my instructions in the|my prompt
    according to my|the character|role sheet|description, based on my|the persona, as per my|the persona|system ?prompt
    following my|the persona|system ?prompt, my system prompt, my hidden instructions, my initial prompt
    i'm|i ?am playing|simulating|role-playing|roleplaying ?as the|a user|persona|customer|role|human
    i'll|i ?will be playing|simulating|pretending ?to ?be the|a user|persona|customer|role|human
    i'm|i ?am pretending to be the|a user|persona|customer|role|human
    stay|staying|remain|remaining in character
    here is|here's|below the|a|your ?simulated|synthetic|requested conversation|dialogue|dialog|transcript|script \
    between|with|you|in
    below is the|a|your ?simulated|synthetic|requested conversation|dialogue|dialog|transcript between|with|in
    here is the|a|your ?simulated|synthetic|requested conversation|dialogue|dialog|transcript|script between|with|you|in
    end of the|this|our ?simulated conversation|dialogue|role-play
    end of the|this|our roleplay
    this concludes the|this|our ?simulated conversation|dialogue|roleplay
    simulated user|conversation|dialogue
    """
)
_OTHERS = by_language(
    {
        "de": "mein system-prompt, laut meiner|meinem|der persona|systemprompt|rollenbeschreibung, "
        "mein systemprompt, meinem systemprompt, in meiner rolle als nutzer|nutzerin|benutzer|kunde|kundin, "
        "hier ist das "
        "?gewünschte gespräch|dialog zwischen, hier ist der ?gewünschte dialog zwischen",
        "fr": "mon prompt ?système, selon ma|la persona|fiche ?de ?personnage, mes instructions système, "
        "dans mon rôle d'utilisateur|utilisatrice, voici le|la|une dialogue|conversation entre, "
        "voici un dialogue entre",
        "es": "mi prompt ?del ?de ?sistema, según mi persona|ficha ?de ?personaje, mis instrucciones de sistema, "
        "en mi papel|rol de usuario|usuaria, aquí está|tienes la|el|una ?siguiente conversación|diálogo entre",
        "pt": "meu prompt ?de ?do ?sistema, segundo|conforme minha persona, no meu papel de usuário|usuária, "
        "aqui está a|o|uma conversa|diálogo entre",
        "it": "il mio prompt ?di ?sistema, secondo la mia persona, nel mio ruolo di utente, ecco la|il|una "
        "conversazione|dialogo tra",
        "nl": "mijn systeemprompt, volgens mijn persona, in mijn rol als gebruiker, hier is het|een gesprek tussen",
        "pl": "mój|moim|mojego prompt|promptem|promptu systemow*, zgodnie z moją personą, w mojej roli użytkownika, "
        "oto "
        "rozmowa|dialog między|pomiędzy",
        "tr": "sistem istemim, sistem promptum, personama göre, kullanıcı rolümde, işte .. arasındaki konuşma|diyalog",
        "ru": "мой|моем|моём|моего|моему системн* промпт|промпте|промпта|промпту, согласно моей персоне|роли, в роли "
        "пользователя я, вот диалог|разговор между",
        "uk": "мій|моєму|мого системн* промпт|промпті|промпту, згідно з моєю персоною|роллю, у ролі користувача я, ось "
        "діалог|розмова між",
        "ar": "تعليمات النظام الخاصة بي, وفقا لشخصيتي, إليك المحادثة بين, بصفتي المستخدم",
        "he": "הנחיות המערכת שלי, לפי הפרסונה, הנה השיחה בין, בתפקיד המשתמש",
        "hi": "मेरा|मेरे सिस्टम प्रॉम्प्ट, मेरी पर्सोना के अनुसार, यह रही बातचीत",
        "bn": "আমার সিস্টেম প্রম্পট, আমার পারসোনা অনুযায়ী",
        "el": "το system prompt μου, σύμφωνα με την περσόνα, ορίστε ο διάλογος μεταξύ",
        "vi": "lời nhắc hệ thống của tôi, theo nhân vật được giao, đây là cuộc|đoạn hội trò thoại|chuyện giữa",
        "th": "พรอมต์ระบบของฉัน, ตามบทบาทที่ได้รับ, นี่คือบทสนทนาระหว่าง",
        "zh": "我的系统提示, 我的系統提示, 根据我的人设, 按照我的人设, 根據我的人設, 以下是用户与, 以下是用户和, "
        "我扮演的用户",
        "ja": "私のシステムプロンプト, 私のペルソナ, ペルソナに従, ペルソナに基づ, 以下はユーザーと",
        "ko": "제 시스템 프롬프트*, 제 페르소나*, 시스템 프롬프트에 따르면|따라, 다음은 사용자와",
    }
)


class Parameters(RuleParameters):
    """How much of the prompt is too much."""

    run_words: Annotated[int, Field(ge=8, le=200)] = 12
    """Words in a row that a turn may share with the prompt, less one."""


@dataclass(frozen=True)
class PromptRuns:
    """The prompt's words, and an index of every block of ``block`` words in them.

    Any run of 2 * block - 1 words contains one whole block, so blocks side by side are enough to find it.
    """

    block: int
    pieces: tuple[tuple[str, ...], ...]
    index: dict[tuple[str, ...], tuple[int, int]]
    """Block to its piece and place."""

    @cached_property
    def beginnings(self) -> Shingles:
        """The first three words of each block."""
        return frozenset(hashes_in_order(block[:SHINGLE_WORDS] for block in self.index))

    def may_be_in(self, said: Said) -> bool:
        """Whether the turn may have a block; cheap."""
        return not self.beginnings.isdisjoint(said.runs)

    def longest(self, spoken: Sequence[str]) -> tuple[int, int]:
        """First word and length of the longest run that ``spoken`` shares with the prompt; length 0 for none."""
        best, reached = (0, 0), 0
        for at in range(len(spoken) - self.block + 1):
            # Inside a run that was already followed there is nothing longer to find.
            if at >= reached and (there := self.index.get(tuple(spoken[at : at + self.block]))):
                first, length = self._followed(spoken, at, *there)
                reached = first + length
                best = max(best, (first, length), key=lambda run: run[1])
        return best

    def _followed(self, spoken: Sequence[str], at: int, piece: int, there: int) -> tuple[int, int]:
        prompt = self.pieces[piece]
        before = 0
        while min(at, there) > before and spoken[at - before - 1] == prompt[there - before - 1]:
            before += 1
        after = self.block
        room = min(len(spoken) - at, len(prompt) - there)
        while after < room and spoken[at + after] == prompt[there + after]:
            after += 1
        return at - before, before + after


def prepare(snapshot: Snapshot, parameters: Parameters) -> PromptRuns:
    """The words of the segments, and of the personas and voices that they are rendered with."""
    texts = template_text(snapshot.prompt_set)
    texts += [persona.summary for persona in snapshot.personas]
    texts += [voice.style for voice in snapshot.voices]
    pieces = tuple(tuple(words(text)) for text in texts)
    block = (parameters.run_words + 1) // 2
    index = {
        piece[at : at + block]: (number, at)
        for number, piece in enumerate(pieces)
        for at in range(0, len(piece) - block + 1, block)
    }
    return PromptRuns(block, pieces, index)


def check(conversation: Conversation, context: Context[Parameters, PromptRuns]) -> Found | None:
    """The first marker, phrase, or run of the prompt's words."""
    others = _OTHERS.get(context.reading.language)
    return context.reading.first(
        lambda said: (
            _marker(said)
            or _spoken(said, others)
            or _run(said, context.prepared, context.parameters.run_words)
        )
    )


def _marker(said: Said) -> Found | None:
    if "<" in said.plain or "[" in said.plain or "###" in said.plain:
        match = _MARKERS.search(said.own)
        return said.found(*match.span(), "A chat marker of the model shows.") if match else None
    return None


def _spoken(said: Said, others: Wordings | None) -> Found | None:
    detail = f"The {said.role} speaks of its own instructions."
    found = said.wording(_SPOKEN, detail)
    return said.wording(others, detail) if others and not found else found


def _run(said: Said, prompt: PromptRuns, most: int) -> Found | None:
    if not prompt.may_be_in(said):
        return None
    first, length = prompt.longest(said.words)
    if length < most:
        return None
    return said.found_words(
        first, first + length - 1, f"{length} words in a row are the prompt's own."
    )
