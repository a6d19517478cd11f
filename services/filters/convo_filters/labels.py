"""Labels that say who speaks, as models print them, in the languages the rules know. Pure."""

import re
from collections.abc import Iterator

from convo_events.words import words

_SAID = 3
_SENTENCE_ENDS = (".", "?", "!", "。", "؟", "।", ";")

_USERS = (
    "user human customer benutzer nutzer nutzerin kunde utilisateur utilisatrice usuario usuaria cliente usuário "
    "usuária "
    "utente gebruiker użytkownik użytkowniczka kullanıcı пользователь пользовательница користувач المستخدم משתמש "
    "המשתמש "
    "उपयोगकर्ता यूज़र ব্যবহারকারী χρήστης ผู้ใช้ 用户 用戶 使用者 ユーザー 사용자 유저"
)
_ASSISTANTS = (
    "assistant ai chatbot bot chatgpt asistente asistent assistente assistent assistentin asystent asystentka asistan "
    "ассистент помощник асистент помічник المساعد עוזר העוזר सहायक সহকারী βοηθός ผู้ช่วย 助手 助理 アシスタント "
    "어시스턴트 도우미"
)
USERS = [*_USERS.split(), "người dùng"]
"""What a user is called."""
ASSISTANTS = [*_ASSISTANTS.split(), "trợ lý", "ai assistant"]
"""What an assistant is called."""


def says_something(rest: str) -> bool:
    """Whether what follows a label is said, and not filled in: "User: admin" is a log-in."""
    spoken = len(words(rest))
    return spoken >= _SAID or (spoken > 1 and rest.rstrip(" *_").endswith(_SENTENCE_ENDS))


def labels_in(pattern: re.Pattern[str], lowered: str) -> Iterator[re.Match[str]]:
    """What a pattern of ``label_of`` finds, in order; only the starts of lines are looked at."""
    at = 0
    while at >= 0:
        found = pattern.match(lowered, at)
        if found:
            yield found
            at = found.end()
            if lowered[at - 1] == "\n":
                continue
        # 0 where there is no further line.
        at = lowered.find("\n", at) + 1 or -1


def label_of(names: list[str]) -> re.Pattern[str]:
    """A name at the start of a line with a colon after it, and the rest of the line; for text in small letters."""
    listed = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.compile(
        rf"^[ \t]*(?:\*\*|__|[\[(<])?({listed})[ \t]?\d{{0,2}}(?:\*\*|__|[\])>])?[ \t]?:(?:\*\*|__)?[ \t]*(\n?[^\n]*)",
        re.MULTILINE,
    )
